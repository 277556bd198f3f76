import * as z from 'zod';
import { decimalOf } from '../domain/money/format-money.ts';
import type { BatchTotals } from '../domain/payout/result-tally.ts';
import type { PaidTwice } from '../journal/payouts/payout-queries.ts';
import type { RunSummary } from '../pipeline/finish-run.ts';

const money = z.string().regex(/^-?\d+(\.\d+)?$/);

/** What `run`, `resume` and `status BATCH` print with --json. */
export const runDocumentSchema = z
  .strictObject({
    batch: z.string(),
    environment: z.string(),
    exit: z.number().int(),
    statuses: z.record(z.string(), z.number().int()),
    totals: z.record(
      z.string(),
      z.strictObject({
        file: money,
        paidNow: money,
        paidBefore: money,
        paidLess: money
          .optional()
          .meta({ description: 'By how much the service shows less paid than the file says' }),
        paidMore: money
          .optional()
          .meta({ description: 'By how much the service shows more paid than the file says' }),
        left: money.meta({ description: 'Not paid: what is on the way or unknown is part of it' }),
        onTheWay: money.meta({ description: 'The service has it and has not said how it ended' }),
        unknown: money.meta({ description: 'Sent, and the evidence does not decide' }),
      }),
    ),
    results: z.string(),
    retry: z.string().nullable(),
    journal: z.strictObject({ event: z.number().int(), hash: z.string() }),
    watched: z
      .number()
      .int()
      .optional()
      .meta({ description: 'Payouts that are paid while another transaction of theirs is still open' }),
    paidTwice: z
      .array(z.strictObject({ payment: z.string(), transactions: z.array(z.string()) }))
      .optional()
      .meta({ description: 'Payments that more than one transaction has paid' }),
    stopped: z.strictObject({ code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: 'RunDocument', title: 'The end of a run' });

/** How many and how much: in a run, a resume and a status the same. */
export function runDocument(
  summary: Omit<RunSummary, 'timeZone' | 'sends' | 'readWith' | 'rowsToFix' | 'paidBefore'>,
): z.output<typeof runDocumentSchema> {
  const { batch, environment, exit, resultsPath, retryPath, chainEnd, watched, paidTwice, stopped } = summary;
  return {
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
    ...(watched > 0 ? { watched } : {}),
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
