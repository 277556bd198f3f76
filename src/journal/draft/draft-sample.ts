import type { JudgedPayout } from '../../domain/payout/shown-transaction.ts';
import type { JournalDatabase } from '../journal-database.ts';

/** Of a row of the draft, as far as a look-up at the service needs it. */
export const sampledColumns =
  'reference, currency, amount AS amountMinor, country, destination, number, bank_code AS bankCode, operator';

/** So many of the rows that are to be sent, spread evenly over the file. */
export function sampleDraft(db: JournalDatabase, limit: number): JudgedPayout[] {
  const toSend = 'FROM draft.rows WHERE valid = 1 AND to_send = 1';
  const total = db.prepare<[], number>(`SELECT count(*) ${toSend}`).pluck().get() ?? 0;
  const step = Math.max(1, Math.ceil(total / limit));
  return db
    .prepare<[number, number], JudgedPayout>(
      `SELECT ${sampledColumns} FROM (
         SELECT *, row_number() OVER (ORDER BY position) - 1 AS place ${toSend}) WHERE place % ? = 0 LIMIT ?`,
    )
    .safeIntegers()
    .all(step, limit);
}
