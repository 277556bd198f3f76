import type { Payout } from '../../domain/payout/payout.ts';
import type { JournalDatabase } from '../journal-database.ts';

/** A send that the service accepted, by the transaction that it named. */
export interface AcceptedSend {
  readonly payout: number;
  readonly reference: string;
  readonly transactionId: string;
}

/** Which runs sent what. One run is one process, and speaks with one account. */
export function askRunsOfSends(db: JournalDatabase) {
  const runs = db
    .prepare<[number, string], string>(
      `SELECT DISTINCT run FROM sends WHERE payout = ? AND reference = ? AND outcome <> 'not-sent'`,
    )
    .pluck();
  const accepted = db.prepare<[string], AcceptedSend>(
    `SELECT payout, reference, transaction_id AS transactionId FROM sends WHERE run = ? AND outcome = 'ok' ORDER BY id LIMIT 1`,
  );
  return {
    /** That a byte of the present attempt may have left. */
    runsThatSent: ({ id, reference }: Payout): string[] => runs.all(id, reference),
    firstAccepted: (run: string): AcceptedSend | undefined => accepted.get(run),
  };
}

export type RunsOfSends = ReturnType<typeof askRunsOfSends>;
