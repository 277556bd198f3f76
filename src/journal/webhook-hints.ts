import type { Clock } from '../clock.ts';
import type { Journal } from './journal.ts';
import type { JournalDatabase } from './journal-database.ts';
import { sharedOf } from './shared/shared-of.ts';

/** What a webhook says about whom. */
export interface Hint {
  readonly reference: string;
  readonly transactionId: string;
}

/** Payouts worth reading soon. A hint moves nothing, and only a payout of this journal can have one. */
export function openWebhookHints(db: JournalDatabase, journal: Pick<Journal, 'write'>, clock: Clock) {
  const known = db
    .prepare<Hint, string>(
      `SELECT reference FROM payouts WHERE reference = @reference
       UNION SELECT reference FROM payouts WHERE transaction_id = @transactionId AND transaction_id <> '' LIMIT 1`,
    )
    .pluck();
  const leave = db.prepare<[string, number]>(
    'INSERT INTO hints (reference, at_ms) VALUES (?, ?) ON CONFLICT (reference) DO UPDATE SET at_ms = excluded.at_ms',
  );
  return {
    /** Whether it is about a payout of ours. */
    leave: (hint: Hint): Promise<boolean> =>
      journal.write(() => {
        const reference = known.get(hint);
        if (reference !== undefined) leave.run(reference, clock.nowMs());
        return reference !== undefined;
      }),
  };
}

export type WebhookHints = ReturnType<typeof openWebhookHints>;

/** Takes the hints that webhooks left about submitted payouts of a batch; how many there were. */
export function takeWebhookHints(
  db: JournalDatabase,
  journal: Pick<Journal, 'write'>,
  batch: number,
): () => Promise<number> {
  const about = `reference IN (SELECT hints.reference FROM hints JOIN payouts ON payouts.reference = hints.reference
    WHERE payouts.batch = ? AND payouts.state = 'submitted')`;
  const any = db.prepare<[number], number>(`SELECT count(*) FROM hints WHERE ${about}`).pluck();
  const take = db.prepare<[number]>(`DELETE FROM hints WHERE ${about}`);
  return async () => {
    await sharedOf(db)?.catchUp();
    const count = any.get(batch) ?? 0;
    // Nothing is written for nothing: this is asked every second.
    if (count > 0) await journal.write(() => void take.run(batch));
    return count;
  };
}
