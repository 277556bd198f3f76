import { selectPayouts } from '../decisions/select-payouts.ts';
import { environmentText } from '../domain/environment/environment.ts';
import { openBatchLog } from '../journal/batch-log.ts';
import type { BatchRecord } from '../journal/batch-record.ts';
import { eventChain } from '../journal/event-chain.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { decisionQueries } from '../journal/payouts/decision-queries.ts';
import type { LogOfBatch } from '../report/log-report.ts';

/** The log of a batch, or of one payment of it, which an ID names as it does for decisions. */
export function logOfBatch(
  db: JournalDatabase,
  batch: BatchRecord,
  payment: string | undefined,
  timeZone: string,
): LogOfBatch {
  const [payout] = payment === undefined ? [] : selectPayouts(decisionQueries(db, batch), [payment], '');
  return {
    batch: batch.name,
    batchNumber: batch.id,
    environment: environmentText(batch.environment),
    timeZone,
    chainEnd: eventChain(db).end(),
    payout,
    log: openBatchLog(db, batch.id),
  };
}
