import type { RowStatus } from '../domain/payout/payout-state.ts';
import type { ResultSums } from '../domain/payout/result-tally.ts';
import { type ExitCode, exitCode } from '../errors.ts';
import type { PaidTwice } from '../journal/payouts/payout-queries.ts';

/** The exit code that a batch as it stands amounts to. What may still change comes before what a person must mend. */
export function exitOfBatch(
  {
    statuses,
    invalidGone,
    rowsNotTaken,
    watched,
    doubted,
  }: Pick<ResultSums, 'statuses' | 'invalidGone' | 'rowsNotTaken' | 'watched' | 'doubted'>,
  paidTwice: readonly PaidTwice[],
): ExitCode {
  const any = (...names: RowStatus[]) => names.some((name) => statuses[name] > 0);
  if (paidTwice.length > 0) return exitCode.someNotPaid;
  if (any('pending', 'unknown', 'not_sent') || watched > 0) return exitCode.somePending;
  if (any('failed', 'refused', 'held', 'returned')) return exitCode.someNotPaid;
  if (statuses.invalid > invalidGone || rowsNotTaken > 0 || doubted > 0) return exitCode.someNotPaid;
  return exitCode.ok;
}
