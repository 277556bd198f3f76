import { decimalOf } from '../domain/money/format-money.ts';
import type { BatchTotals } from '../domain/payout/result-tally.ts';
import type { PaidTwice } from '../journal/payouts/payout-queries.ts';
import type { RunSummary } from '../pipeline/finish-run.ts';
import type { RunDocument } from './schemas/run-document-schema.ts';

/** How many and how much: in a run, a resume and a status the same. */
export function runDocument(
  summary: Omit<RunSummary, 'timeZone' | 'sends' | 'readWith' | 'rowsToFix' | 'paidBefore'>,
): RunDocument {
  const {
    batch,
    environment,
    exit,
    resultsPath,
    retryPath,
    chainEnd,
    invalidGone,
    decided,
    watched,
    doubted,
    paidTwice,
    stopped,
  } = summary;
  return {
    kind: 'run',
    batch,
    environment,
    exit,
    statuses: Object.fromEntries(Object.entries(summary.statuses).filter(([, count]) => count > 0)),
    totals: Object.fromEntries(
      Object.entries(summary.totals).map(([currency, sums]) => [currency, totalsDocument(sums, currency)]),
    ),
    results: resultsPath,
    retry: retryPath ?? null,
    journal: { event: chainEnd.seq, hash: chainEnd.hash },
    ...(invalidGone > 0 ? { invalidGone } : {}),
    ...(decided > 0 ? { decided } : {}),
    ...(watched > 0 ? { watched } : {}),
    ...(doubted > 0 ? { doubted } : {}),
    ...(paidTwice.length > 0 ? { paidTwice: paidTwiceDocument(paidTwice) } : {}),
    ...(stopped ? { stopped: { code: stopped.code, message: stopped.message } } : {}),
  };
}

export function paidTwiceDocument(paidTwice: readonly PaidTwice[]) {
  return paidTwice.map(({ key, transactions }) => ({ payment: key, transactions: [...transactions] }));
}

function totalsDocument(sums: BatchTotals, currency: string) {
  return {
    file: decimalOf(sums.fileMinor, currency),
    paidNow: decimalOf(sums.paidNowMinor, currency),
    paidBefore: decimalOf(sums.paidBeforeMinor, currency),
    ...(sums.paidLessMinor > 0n ? { paidLess: decimalOf(sums.paidLessMinor, currency) } : {}),
    ...(sums.paidMoreMinor > 0n ? { paidMore: decimalOf(sums.paidMoreMinor, currency) } : {}),
    left: decimalOf(sums.leftMinor, currency),
    onTheWay: decimalOf(sums.statusMinor.pending, currency),
    unknown: decimalOf(sums.statusMinor.unknown, currency),
  };
}
