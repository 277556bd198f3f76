import type { Argv } from 'yargs';
import { cleanText } from '../../domain/text/clean-text.ts';
import { exitCode, PayrunError } from '../../errors.ts';
import type { DecisionOptions, GivenSettings, RepeatOptions } from '../../index.ts';
import { repeatWindowFlag } from './duration-flag.ts';
import { nextBatchCommand } from './next-batch-command.ts';
import { countFlag, refuseRepeated } from './refuse-repeated-flags.ts';
import { type WorkspaceFlags, withWorkspaceFlags } from './workspace-flags.ts';

/** What every decision about payouts is told. */
export interface DecisionFlags extends WorkspaceFlags {
  batch: string;
  payment: string[] | undefined;
  reason: string | undefined;
  json: boolean;
}

/** Of decisions after which payouts are sent again. */
export interface RepeatFlags {
  'allow-repeats': number;
  'repeat-window': string | undefined;
}

export function withDecisionFlags<Flags>(yargs: Argv<Flags>) {
  return withWorkspaceFlags(
    yargs.positional('batch', { type: 'string', demandOption: true, describe: 'Name of the batch' }),
  )
    .option('payment', {
      type: 'string',
      array: true,
      describe: 'Which ones: a paymentId, a reference, or line:17; several may follow',
    })
    .option('reason', { type: 'string', describe: 'Why; kept in the log with your name' })
    .option('json', { type: 'boolean', default: false, describe: 'One JSON document on stdout' });
}

export function withRepeatFlags<Flags>(yargs: Argv<Flags>) {
  return yargs
    .option('allow-repeats', {
      type: 'number',
      default: 0,
      describe: 'Let this many repeated payments through',
    })
    .option('repeat-window', { type: 'string', describe: 'How long ago counts as again (5d)' });
}

const longestReason = 500;

/** Whoever reads the log in a year must learn why. */
export function reasonFlag(flags: Pick<DecisionFlags, 'reason'>): string {
  refuseRepeated(flags, 'reason');
  const { text, control } = cleanText(flags.reason ?? '');
  if (text === '') throw usage('Say why with --reason "…": it is kept in the log with your name.');
  if (control || text.length > longestReason)
    throw usage(`--reason takes one line of at most ${longestReason} characters.`);
  return text;
}

/** Undefined where none was named. */
export function namedPayments(flags: Pick<DecisionFlags, 'payment'>): string[] | undefined {
  if (flags.payment === undefined) return undefined;
  const ids = flags.payment.filter((id) => id.trim() !== '');
  if (ids.length === 0) throw usage('--payment takes a paymentId, a reference, or a line such as line:17.');
  return ids;
}

/** One way of saying it, and no more. */
export function oneOf(given: Readonly<Record<string, boolean>>, what = 'which payouts are meant'): string {
  const chosen = Object.keys(given).filter((flag) => given[flag]);
  const [only] = chosen;
  if (only !== undefined && chosen.length === 1) return only;
  throw usage(`Say ${what} with one of ${Object.keys(given).join(', ')}.`);
}

/** How the results are written again, where a decision stands and they could not be. */
export function resultsCommand(flags: WorkspaceFlags): Pick<DecisionOptions, 'resultsCommand'> {
  return { resultsCommand: (batch) => nextBatchCommand('results', batch, flags) };
}

export function repeatOptions(flags: RepeatFlags): RepeatOptions {
  refuseRepeated(flags, 'allow-repeats');
  return { allowRepeats: countFlag('--allow-repeats', flags['allow-repeats']) };
}

export function repeatSettings(flags: RepeatFlags): GivenSettings {
  refuseRepeated(flags, 'repeat-window');
  return { repeatWindowMs: repeatWindowFlag(flags['repeat-window']) };
}

function usage(message: string): PayrunError {
  return new PayrunError('usage', exitCode.usage, message);
}
