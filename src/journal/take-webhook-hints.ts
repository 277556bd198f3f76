import type { Journal } from './journal.ts';
import type { JournalDatabase } from './journal-database.ts';

/** Takes the hints that webhooks left about submitted payouts of a batch; how many there were. */
export function hintsOf(
  db: JournalDatabase,
  journal: Pick<Journal, 'write'>,
  batch: number,
): () => Promise<number> {
  const about = `reference IN (SELECT hints.reference FROM hints JOIN payouts ON payouts.reference = hints.reference
    WHERE payouts.batch = ? AND payouts.state = 'submitted')`;
  const any = db.prepare<[number], number>(`SELECT count(*) FROM hints WHERE ${about}`).pluck();
  const take = db.prepare<[number]>(`DELETE FROM hints WHERE ${about}`);
  return async () => {
    const count = any.get(batch) ?? 0;
    // Nothing is written for nothing: this is asked every second.
    if (count > 0) await journal.write(() => void take.run(batch));
    return count;
  };
}
