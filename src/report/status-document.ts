import type { RowStatus } from '../domain/payout-state.ts';
import type { ResultSums } from '../domain/result-tally.ts';
import { decimalOf } from '../domain/show-money.ts';
import { type ExitCode, exitCode } from '../errors.ts';

/** A batch as `status BATCH --json` gives it, in the same form as a run and a resume. */
interface StatusDocument {
  readonly batch: string;
  readonly environment: string;
  /** The exit code that the batch as it stands amounts to. */
  readonly exit: ExitCode;
  readonly statuses: Readonly<Record<string, number>>;
  readonly totals: Readonly<
    Record<string, Readonly<Record<'file' | 'paidNow' | 'paidBefore' | 'left', string>>>
  >;
  readonly results: string | null;
  readonly retry: string | null;
}

export interface StatusFacts
  extends Pick<ResultSums, 'statuses' | 'totals' | 'invalidGone' | 'rowsNotTaken'> {
  readonly batch: string;
  readonly environment: string;
  readonly resultsPath: string | undefined;
  readonly retryPath: string | undefined;
}

export function statusDocument(facts: StatusFacts): StatusDocument {
  return {
    batch: facts.batch,
    environment: facts.environment,
    exit: exitOf(facts),
    statuses: Object.fromEntries(Object.entries(facts.statuses).filter(([, count]) => count > 0)),
    totals: Object.fromEntries(
      Object.entries(facts.totals).map(([currency, sums]) => [
        currency,
        {
          file: decimalOf(sums.fileMinor, currency),
          paidNow: decimalOf(sums.paidNowMinor, currency),
          paidBefore: decimalOf(sums.paidBeforeMinor, currency),
          left: decimalOf(sums.leftMinor, currency),
        },
      ]),
    ),
    results: facts.resultsPath ?? null,
    retry: facts.retryPath ?? null,
  };
}

/** What may still change comes before what a person must mend. */
export function exitOf({
  statuses,
  invalidGone,
  rowsNotTaken,
}: Pick<StatusFacts, 'statuses' | 'invalidGone' | 'rowsNotTaken'>): ExitCode {
  const any = (...names: RowStatus[]) => names.some((name) => statuses[name] > 0);
  if (any('pending', 'unknown', 'not_sent')) return exitCode.somePending;
  if (any('failed', 'refused', 'held', 'returned')) return exitCode.someNotPaid;
  if (statuses.invalid > invalidGone || rowsNotTaken > 0) return exitCode.someNotPaid;
  return exitCode.ok;
}
