import type { Minor } from '../../domain/money/money.ts';
import type { NameCount } from '../../domain/names/name-evidence.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import type { JournalDatabase } from '../journal-database.ts';

/** What goes by one rail, to one bank or operator, in one currency. */
export interface RailShare extends Pick<Payout, 'destination' | 'country' | 'currency'> {
  /** Code of the bank, or the operator; empty where nobody knows it. */
  readonly code: string;
  readonly count: number;
  readonly paid: number;
  readonly amountMinor: Minor;
  /** Of it, what the service shows to have paid. */
  readonly paidMinor: Minor;
}

/** How many payouts a verdict about the name was given for; an empty one stands for names not asked for yet. */
export interface VerdictShare {
  readonly verdict: NameCount | '';
  readonly count: number;
  readonly held: number;
  readonly released: number;
  readonly paid: number;
}

/** Payouts that ended in one stretch of time. */
export interface EndedShare {
  /** Counted from the first, which is 0. */
  readonly bucket: number;
  readonly paid: number;
  readonly notPaid: number;
}

/** What a person said, or what was said about the whole batch: one line however many payouts it moved. */
export interface LoggedDecision {
  readonly seq: number;
  readonly atMs: number;
  readonly operator: string;
  readonly why: string;
  /** None where it is about the whole batch. */
  readonly payouts: number;
  /** The first of them. */
  readonly keys: readonly string[];
}

const ended = `batch = @batch AND settled_ms IS NOT NULL AND state IN ('paid', 'failed', 'refused', 'returned')`;

/** Whom a decision was about, so many by name. */
const keysNamed = 10;

/** What a decision wrote goes by a run of its own. */
const decided = `events.batch = @batch AND (events.payout IS NULL OR substr(events.run, 1, 9) = 'decision ')`;

/** What a report of one batch counts besides its rows. Groups only: however large the batch, the answers are short. */
export function reportQueries(db: JournalDatabase, batch: number) {
  const named = { batch };
  return {
    rails: (limit: number): RailShare[] =>
      db
        .prepare<
          unknown[],
          Record<'count' | 'paid' | 'high' | 'low' | 'paidHigh' | 'paidLow', bigint> & RailShare
        >(
          `SELECT destination, country, currency, iif(destination = 'MoMo', operator, bank_code) AS code, count(*) AS count,
             sum(state = 'paid') AS paid, sum(amount / 1000000) AS high, sum(amount % 1000000) AS low,
             sum(iif(state = 'paid', coalesce(paid_amount, amount), 0) / 1000000) AS paidHigh,
             sum(iif(state = 'paid', coalesce(paid_amount, amount), 0) % 1000000) AS paidLow
           FROM payouts WHERE batch = @batch GROUP BY 1, 2, 3, 4 ORDER BY count DESC, 1, 2, 3, 4 LIMIT @limit`,
        )
        .safeIntegers()
        .all({ ...named, limit })
        .map(({ high, low, paidHigh, paidLow, count, paid, ...share }) => ({
          ...share,
          count: Number(count),
          paid: Number(paid),
          amountMinor: high * 1_000_000n + low,
          paidMinor: paidHigh * 1_000_000n + paidLow,
        })),

    railCount: (): number =>
      db
        .prepare<unknown[], number>(
          `SELECT count(*) FROM (SELECT DISTINCT destination, country, currency, iif(destination = 'MoMo', operator, bank_code)
             FROM payouts WHERE batch = @batch)`,
        )
        .pluck()
        .get(named) ?? 0,

    verdicts: (): VerdictShare[] =>
      db
        .prepare<unknown[], VerdictShare>(
          `SELECT verdict, count(*) AS count, sum(state = 'held' AND hold = 'name') AS held,
             sum(' ' || released || ' ' LIKE '% name %') AS released, sum(state = 'paid') AS paid
           FROM payouts WHERE batch = @batch GROUP BY verdict ORDER BY count(*) DESC, verdict`,
        )
        .all(named),

    /** When the first and the last payout ended; undefined where none has. */
    endedBetween(): { readonly firstMs: number; readonly lastMs: number } | undefined {
      const found = db
        .prepare<unknown[], { firstMs: number | null; lastMs: number | null }>(
          `SELECT min(settled_ms) AS firstMs, max(settled_ms) AS lastMs FROM payouts WHERE ${ended}`,
        )
        .get(named);
      const { firstMs = null, lastMs = null } = found ?? {};
      return firstMs === null || lastMs === null ? undefined : { firstMs, lastMs };
    },

    endedInSteps: (fromMs: number, stepMs: number): EndedShare[] =>
      db
        .prepare<unknown[], EndedShare>(
          `SELECT CAST((settled_ms - @fromMs) / @stepMs AS INTEGER) AS bucket, sum(state = 'paid') AS paid,
             sum(state <> 'paid') AS notPaid
           FROM payouts WHERE ${ended} GROUP BY 1 ORDER BY 1`,
        )
        .all({ ...named, fromMs, stepMs }),

    /** The first of them, in the order in which they were made. */
    decisions: (limit: number): LoggedDecision[] =>
      db
        .prepare<unknown[], Omit<LoggedDecision, 'keys'> & { keys: string }>(
          `SELECT min(seq) AS seq, min(at_ms) AS atMs, operator, why, count(payout) AS payouts,
             json_group_array(key) FILTER (WHERE place <= ${keysNamed} AND key IS NOT NULL) AS keys
           FROM (SELECT events.seq, at_ms, run, events.operator, why, events.payout, payouts.key,
               iif(events.payout IS NULL, events.seq, 0) AS alone,
               row_number() OVER (PARTITION BY run, events.operator, why ORDER BY events.seq) AS place
             FROM events LEFT JOIN payouts ON payouts.id = events.payout WHERE ${decided})
           GROUP BY run, operator, why, alone ORDER BY 1 LIMIT @limit`,
        )
        .all({ ...named, limit })
        .map(({ keys, ...decision }) => ({ ...decision, keys: JSON.parse(keys) as string[] })),

    decisionCount: (): number =>
      db
        .prepare<unknown[], number>(
          `SELECT count(*) FROM (SELECT 1 FROM events WHERE ${decided}
             GROUP BY run, operator, why, iif(events.payout IS NULL, events.seq, 0))`,
        )
        .pluck()
        .get(named) ?? 0,
  };
}

export type ReportQueries = ReturnType<typeof reportQueries>;
