import type { Argv } from 'yargs';
import { exitCode, PayrunError } from '../../errors.ts';
import type { GivenSettings, PlanOptions } from '../../index.ts';
import { amountFlags } from './amount-flags.ts';
import { commandToRebind } from './command-to-rebind.ts';
import { repeatWindowFlag } from './duration-flag.ts';
import { type FileFlags, fileOptions } from './file-flags.ts';
import { nextBatchCommand } from './next-batch-command.ts';
import type { PolicyFlags } from './policy-flags.ts';
import { countFlag, refuseRepeated } from './refuse-repeated-flags.ts';
import type { WorkspaceFlags } from './workspace-flags.ts';

/** What shapes a plan besides the file: the same flags for plan and run. */
export interface PlanFlags extends FileFlags, PolicyFlags, WorkspaceFlags {
  notice: string | undefined;
  'same-batch': boolean;
  'allow-repeats': number;
  'repeat-window': string | undefined;
  reserve: string[];
}

export function withPlanFlags<Flags>(yargs: Argv<Flags>) {
  return yargs
    .option('notice', { type: 'string', describe: 'Change of an amount worth a word (25%)' })
    .option('same-batch', {
      type: 'boolean',
      default: false,
      describe: 'An old batch is meant, not a new period',
    })
    .option('allow-repeats', {
      type: 'number',
      default: 0,
      describe: 'Let this many repeated payments through',
    })
    .option('repeat-window', { type: 'string', describe: 'How long ago counts as again (5d)' })
    .option('reserve', {
      type: 'string',
      array: true,
      nargs: 1,
      default: [] as string[],
      describe: 'Leave this in a wallet: KES=500.00',
    });
}

export function planOptions(flags: PlanFlags): PlanOptions {
  refuseRepeated(flags, 'allow-repeats', 'on-close', 'on-mismatch', 'on-unchecked');
  return {
    ...fileOptions(flags),
    allowRepeats: countFlag('--allow-repeats', flags['allow-repeats']),
    sameBatch: flags['same-batch'],
    skipInvalid: flags['skip-invalid'],
    onClose: flags['on-close'],
    onMismatch: flags['on-mismatch'],
    onUnchecked: flags['on-unchecked'],
    limitPayout: amountFlags('--limit-payout', flags['limit-payout']),
    reserves: amountFlags('--reserve', flags.reserve),
    retryCommand: (batch, key) => nextBatchCommand('retry', batch, flags, '--payment', key),
    rebindCommand: commandToRebind(flags),
  };
}

export function planSettings(flags: PlanFlags): GivenSettings {
  refuseRepeated(flags, 'notice', 'repeat-window');
  return {
    noticePercent: noticePercent(flags.notice),
    repeatWindowMs: repeatWindowFlag(flags['repeat-window']),
  };
}

function noticePercent(flag: string | undefined): number | undefined {
  if (flag === undefined) return undefined;
  const value = /^(\d{1,4}(?:\.\d+)?)%?$/.exec(flag.trim());
  if (value) return Number(value[1]);
  throw new PayrunError('usage', exitCode.usage, `--notice takes a percentage such as 25%, not "${flag}".`);
}
