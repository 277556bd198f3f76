import type { Clock } from '../../clock.ts';
import type { Journal } from '../journal.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { ofChunks } from './payout-queries.ts';

/**
 * Sends that an earlier run began and never ended: their fate is unknown, and they count as sent. Payouts whose only
 * send left no byte go back to where they were.
 */
export function closeInterruptedSends(
  db: JournalDatabase,
  journal: Journal,
  clock: Clock,
  batch: number,
  chunks?: readonly number[],
): Promise<number> {
  const inChunk = ofChunks(chunks);
  return journal.moveTogether((move) => {
    const ofBatch = `EXISTS (SELECT 1 FROM payouts WHERE id = sends.payout AND batch = @batch${inChunk})`;
    db.prepare(
      `UPDATE payouts SET unknown_sends = unknown_sends + (
         SELECT count(*) FROM sends WHERE sends.payout = payouts.id AND sends.outcome = '')
       WHERE id IN (SELECT payout FROM sends WHERE outcome = '') AND +batch = @batch${inChunk}`,
    ).run({ batch });
    const closed = db
      .prepare(
        `UPDATE sends SET outcome = 'unknown', code = 'cut-off', ended_ms = @nowMs WHERE outcome = '' AND ${ofBatch}`,
      )
      .run({ batch, nowMs: clock.nowMs() }).changes;
    const unsent = db.prepare<[number], number>(
      `SELECT id FROM payouts WHERE batch = ?${inChunk} AND state = 'submitting' AND ever_sent = 0`,
    );
    for (const id of unsent.pluck().all(batch))
      move({ payout: journal.read(id), to: 'ready', why: 'no byte left' });
    return closed;
  });
}
