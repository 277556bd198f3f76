import type { Hold, Payout } from '../../domain/payout/payout.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { preparePayouts } from './payout-columns.ts';

/** Payouts that wait for a person for one and the same thing. */
export interface HeldGroup {
  readonly hold: Hold | '';
  readonly verdict: string;
  readonly count: number;
  /** The first few, in the order of the file. */
  readonly first: readonly Payout[];
}

const shown = 5;

export function batchNames(db: JournalDatabase): string[] {
  return db.prepare<[], string>('SELECT name FROM batches ORDER BY created_ms DESC, id DESC').pluck().all();
}

/** What a person is shown of one batch besides its counts. */
export function statusQueries(db: JournalDatabase, batch: number) {
  const groups = db.prepare<[number], Omit<HeldGroup, 'first'>>(
    `SELECT hold, CASE hold WHEN 'name' THEN verdict ELSE '' END AS verdict, count(*) AS count
     FROM payouts WHERE batch = ? AND state = 'held' GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  const payouts = (where: string) =>
    preparePayouts(db, `WHERE batch = @batch AND ${where} ORDER BY id LIMIT @limit`);
  const firstHeld = payouts(`state = 'held' AND hold = @hold AND (hold <> 'name' OR verdict = @verdict)`);
  const firstUnclear = payouts(`state = 'unclear'`);
  const invalidRows = db
    .prepare<[number], number>('SELECT count(*) FROM batch_rows WHERE batch = ? AND payout IS NULL')
    .pluck();

  return {
    heldGroups: (): HeldGroup[] =>
      groups.all(batch).map((group) => {
        const { hold, verdict } = group;
        return { ...group, first: firstHeld({ batch, hold, verdict, limit: shown }) };
      }),
    unclear: (limit: number): Payout[] => firstUnclear({ batch, limit }),
    /** Rows that are no payout. */
    invalidRows: (): number => invalidRows.get(batch) ?? 0,
  };
}
