import type { Payout } from '../domain/payout/payout.ts';
import type { JournalDatabase } from './journal-database.ts';

/**
 * Every transaction that a payout was ever known by. A payout keeps only that of its present attempt; what an earlier one
 * was known by must be read by itself before another is sent, for a list need not show it.
 */
export function askKnownTransactions(db: JournalDatabase) {
  const rememberOwn = db.prepare<[number, string, string]>(
    'INSERT OR IGNORE INTO known_transactions (payout, reference, transaction_id) VALUES (?, ?, ?)',
  );
  const rememberOther = db.prepare<{ id: number; transaction: string }>(
    `INSERT INTO known_transactions SELECT @id, '', @transaction
     WHERE NOT EXISTS (SELECT 1 FROM known_transactions WHERE payout = @id AND transaction_id = @transaction)`,
  );
  const placed = db
    .prepare<[number, string], string>(
      'SELECT transaction_id FROM known_transactions WHERE payout = ? AND reference = ?',
    )
    .pluck();
  const unplaced = db
    .prepare<[number], string>(
      `SELECT transaction_id FROM known_transactions AS known WHERE payout = ? AND reference = '' AND NOT EXISTS (
         SELECT 1 FROM known_transactions AS own WHERE own.payout = known.payout
           AND own.transaction_id = known.transaction_id AND own.reference <> '')`,
    )
    .pluck();
  const taken = db
    .prepare<[string, number, number], number>(
      `SELECT 1 FROM known_transactions AS known JOIN payouts ON payouts.id = known.payout
       WHERE known.transaction_id = ? AND known.payout <> ? AND payouts.batch IN (
         SELECT other.id FROM batches AS other JOIN batches AS own ON own.environment ->> 0 = other.environment ->> 0
         WHERE own.id = ?) LIMIT 1`,
    )
    .pluck();

  return {
    /** Inside the transaction that changes a payout: whatever it is known by from now on stays known. */
    remember(
      before: Pick<Payout, 'id' | 'transactionId' | 'reference'>,
      {
        transactionId = '',
        reference = before.reference,
        watched = '',
        paidTwice = '',
      }: Partial<Pick<Payout, 'transactionId' | 'reference' | 'watched' | 'paidTwice'>>,
    ): void {
      const { id } = before;
      const isKnown = transactionId === before.transactionId && reference === before.reference;
      if (transactionId !== '' && !isKnown) rememberOwn.run(id, reference, transactionId);
      if (watched === '' && paidTwice === '') return;
      for (const transaction of `${watched} ${paidTwice}`.split(' '))
        if (transaction !== '') rememberOther.run({ id, transaction });
    },

    /** Under the reference of one of its attempts. */
    of: (payout: number, reference: string): string[] => placed.all(payout, reference),

    /** Under that of some attempt: the transaction itself says of which. */
    unplaced: (payout: number): string[] => unplaced.all(payout),

    /** Whether a transaction is known as another payout's, of whichever attempt and account of the service. */
    isTaken: (transactionId: string, exceptPayout: number, batch: number): boolean =>
      taken.get(transactionId, exceptPayout, batch) !== undefined,
  };
}
