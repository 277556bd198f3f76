import type { InferredOptionTypes } from 'yargs';
import { cleanText } from '../../domain/text/clean-text.ts';
import type { DecisionOptions } from '../../index.ts';
import { jsonFlag, textFlag } from './flag-kinds.ts';
import { nextBatchCommand } from './next-batch-command.ts';
import { usageError } from './usage-error.ts';
import { type WorkspaceFlags, workspaceFlags } from './workspace-flags.ts';

/** What every decision about payouts is told. */
export const decisionFlags = {
  ...workspaceFlags,
  payment: {
    type: 'string',
    array: true,
    describe: 'Payouts, by paymentId, reference or line:17; several may follow',
  },
  reason: textFlag('Why; the log keeps it with your name'),
  json: jsonFlag,
} as const;

export type DecisionFlags = InferredOptionTypes<typeof decisionFlags> & { batch: string };

const longestReason = 500;

/** Whoever reads the log in a year must learn why. */
export function reasonFlag(flags: Pick<DecisionFlags, 'reason'>): string {
  const { text, control } = cleanText(flags.reason ?? '');
  if (text === '') throw usageError('Say why with --reason "…": the log keeps it with your name.');
  if (text.toLowerCase() === 'why')
    throw usageError('Put your reason in the place of "why": the log keeps it with your name.');
  if (control || text.length > longestReason)
    throw usageError(`--reason takes one line of at most ${longestReason} characters.`);
  return text;
}

/** Undefined where none was named. */
export function namedPayments(flags: Pick<DecisionFlags, 'payment'>): string[] | undefined {
  if (flags.payment === undefined) return undefined;
  const ids = flags.payment.filter((id) => id.trim() !== '');
  if (ids.length === 0)
    throw usageError('--payment takes a paymentId, a reference, or a line such as line:17.');
  return ids;
}

/** One way of saying it, and no more. */
export function oneOf(given: Readonly<Record<string, boolean>>, what = 'which payouts are meant'): string {
  const chosen = Object.keys(given).filter((flag) => given[flag]);
  const [only] = chosen;
  if (only !== undefined && chosen.length === 1) return only;
  throw usageError(`Say ${what} with one of ${Object.keys(given).join(', ')}.`);
}

/** How the results are written again, where a decision stands and they could not be. */
export function resultsCommand(flags: WorkspaceFlags): Pick<DecisionOptions, 'resultsCommand'> {
  return { resultsCommand: (batch) => nextBatchCommand('results', batch, flags) };
}
