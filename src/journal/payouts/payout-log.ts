import type { JournalDatabase } from '../journal-database.ts';

/** One move of one payout, as the log has it. */
export interface LoggedMove {
  readonly seq: number;
  readonly from: string;
  readonly to: string;
}

/** The log read payout by payout: what an audit replays. */
export function openPayoutLog(db: JournalDatabase) {
  const moves = db.prepare<[number], LoggedMove>(
    'SELECT seq, from_state AS "from", to_state AS "to" FROM events WHERE payout = ? ORDER BY seq',
  );
  const movesOfKey = db.prepare<[number, string], LoggedMove>(
    `SELECT seq, from_state AS "from", to_state AS "to" FROM events
     WHERE payout = (SELECT id FROM payouts WHERE batch = ? AND key = ?) ORDER BY seq`,
  );
  const strangers = db.prepare<[number], { payout: number; seq: number }>(
    `SELECT payout, seq FROM events WHERE batch = ? AND payout IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM payouts WHERE payouts.id = events.payout AND payouts.batch = events.batch)
     ORDER BY seq LIMIT 100`,
  );
  const shared = db.prepare<[number], { transactionId: string; keys: string }>(
    `SELECT mine.transaction_id AS transactionId, group_concat(DISTINCT other.key) AS keys
     FROM payouts AS mine JOIN payouts AS other ON other.transaction_id = mine.transaction_id AND other.transaction_id <> ''
     WHERE mine.batch = ? AND mine.transaction_id <> '' AND other.id <> mine.id GROUP BY 1 LIMIT 100`,
  );
  return {
    movesOf: (payout: number): LoggedMove[] => moves.all(payout),
    movesOfKey: (batch: number, key: string): LoggedMove[] => movesOfKey.all(batch, key),
    /** Events about payouts that the batch does not have. */
    strangers: (batch: number) => strangers.all(batch),
    /** Transactions that more than one payout claims. */
    sharedTransactions: (batch: number) => shared.all(batch),
  };
}

export type PayoutLog = ReturnType<typeof openPayoutLog>;
