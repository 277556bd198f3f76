import type { Hold, Payout } from '../../domain/payout/payout.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { openDoubt, preparePayouts } from './payout-columns.ts';

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

/** Since when a payout is where it is, as far as it has not ended. */
const sinceMs = `CASE state WHEN 'paid' THEN settled_ms WHEN 'submitted' THEN submitted_ms
  WHEN 'submitting' THEN ${lastSend()} WHEN 'unclear' THEN ${lastSend()} END`;

function lastSend(): string {
  return `(SELECT max(begun_ms) FROM sends WHERE sends.payout = payouts.id AND outcome <> 'not-sent')`;
}

/** What has not ended, and since when. */
export interface OpenPayouts {
  /** When the one was sent that has been pending or unknown for longest; null where there is none. */
  readonly oldestPendingMs: number | null;
  /** How many have not ended and have been so since then, with those not sent and those paid that are watched. */
  readonly overdue: number;
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
  const firstDoubted = payouts(openDoubt());
  const invalidRows = db.prepare<[number], { all: number; gone: number }>(
    `SELECT count(*) AS "all", coalesce(sum(present = 0), 0) AS gone FROM batch_rows WHERE batch = ? AND payout IS NULL`,
  );
  const openPayouts = db.prepare<{ batch: number; beforeMs: number }, OpenPayouts>(
    `SELECT min(iif(state IN ('submitted', 'submitting', 'unclear'), since, NULL)) AS oldestPendingMs,
       coalesce(sum(since <= @beforeMs), 0) AS overdue
     FROM (SELECT state, coalesce(${sinceMs}, accepted_ms) AS since FROM payouts WHERE batch = @batch
       AND (state IN ('planned', 'ready', 'submitting', 'submitted', 'unclear') OR (state = 'paid' AND watched <> '')))`,
  );
  const rowsToMend = db
    .prepare<[number], number>(
      `SELECT count(*) FROM batch_rows WHERE batch = ? AND present = 1 AND (payout IS NULL OR problem <> '')`,
    )
    .pluck();

  return {
    heldGroups: (): HeldGroup[] =>
      groups.all(batch).map((group) => {
        const { hold, verdict } = group;
        return { ...group, first: firstHeld({ batch, hold, verdict, limit: shown }) };
      }),
    unclear: (limit: number): Payout[] => firstUnclear({ batch, limit }),
    /** Paid, while the service has said something else of them since. */
    doubted: (limit: number): Payout[] => firstDoubted({ batch, limit }),
    /** What has not ended, and how much of it was so at that time already. */
    openPayouts: (beforeMs: number): OpenPayouts =>
      openPayouts.get({ batch, beforeMs }) ?? { oldestPendingMs: null, overdue: 0 },
    /** Rows of the newest file that are no payout, or say something else than what was sent. */
    rowsToMend: (): number => rowsToMend.get(batch) ?? 0,
    /** Rows that are no payout, and those of them that the newest file does not have any more. */
    invalidRows: (): { readonly all: number; readonly gone: number } =>
      invalidRows.get(batch) ?? { all: 0, gone: 0 },
  };
}
