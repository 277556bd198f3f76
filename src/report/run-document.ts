import { z } from 'zod';
import { decimalOf } from '../domain/show-money.ts';
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
      z.strictObject({ file: money, paidNow: money, paidBefore: money, left: money }),
    ),
    results: z.string(),
    retry: z.string().nullable(),
    paidTwice: z.array(z.string()).optional(),
    stopped: z.strictObject({ code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: 'RunDocument', title: 'The end of a run' });

export function runDocument(summary: RunSummary): z.output<typeof runDocumentSchema> {
  const { batch, environment, exit, statuses, totals, resultsPath, retryPath, paidTwice, stopped } = summary;
  return {
    batch,
    environment,
    exit,
    statuses: Object.fromEntries(Object.entries(statuses).filter(([, count]) => count > 0)),
    totals: Object.fromEntries(
      Object.entries(totals).map(([currency, sums]) => [
        currency,
        {
          file: decimalOf(sums.fileMinor, currency),
          paidNow: decimalOf(sums.paidNowMinor, currency),
          paidBefore: decimalOf(sums.paidBeforeMinor, currency),
          left: decimalOf(sums.leftMinor, currency),
        },
      ]),
    ),
    results: resultsPath,
    retry: retryPath ?? null,
    ...(paidTwice.length > 0 ? { paidTwice: [...paidTwice] } : {}),
    ...(stopped ? { stopped: { code: stopped.code, message: stopped.message } } : {}),
  };
}
