import pLimit from 'p-limit';
import { madeMs } from '../../domain/payout/judge-transaction.ts';
import type { JudgedPayout } from '../../domain/payout/shown-transaction.ts';
import { dayText } from '../../domain/text/day-text.ts';
import { type LookUpService, lookUp } from '../look-up/look-up.ts';
import { type Guard, type GuardOptions, newPeriod } from './guards.ts';

/** How many rows of a batch that is new to the journal are looked up before anything is accepted. */
export const lostJournalSample = 50;

/**
 * A batch that is new to this journal may still be last month's: the journal may have been lost. Where the service
 * shows that rows of it were sent longer ago than the window, its name takes no new file.
 */
export async function lostJournalGuard(
  service: LookUpService,
  batch: string,
  rows: readonly JudgedPayout[],
  options: GuardOptions & { readonly concurrency: number },
): Promise<Guard | undefined> {
  if (options.sameBatch || options.isPart) return undefined;
  const limit = pLimit(options.concurrency);
  const times = await Promise.all(rows.map((row) => limit(() => sentAtMs(service, row, options.nowMs))));
  const known = times.filter((atMs) => atMs !== undefined);
  const lastMs = Math.max(...known);
  if (known.length === 0 || lastMs >= options.nowMs - options.repeatWindowMs) return undefined;
  return {
    code: 'old-batch',
    message: `Batch ${batch} was sent on ${dayText(lastMs, options.timeZone())}, as the service shows, though this journal does not remember it: ${known.length} of ${rows.length} rows that were looked up were sent then. A new period: --batch ${newPeriod(batch, options)}. The same period: --same-batch.`,
  };
}

/** Undefined where the service does not clearly show it: then nothing is refused here, and each is looked up later. */
async function sentAtMs(
  service: LookUpService,
  row: JudgedPayout,
  nowMs: number,
): Promise<number | undefined> {
  const seen = await lookUp(service, row, () => false);
  if (seen.kind !== 'found' || !seen.showsReference) return undefined;
  return madeMs({ transactionId: seen.transactionId, fullTimestamp: seen.shownTime }, nowMs);
}
