import type { Payout } from '../domain/payout/payout.ts';
import type { PaymentKey } from '../domain/reference.ts';
import type { BatchRecord } from './batch-record.ts';
import type { JournalDatabase } from './journal-database.ts';
import { givenUp } from './payouts/payout-columns.ts';

/** A payment that another payout made or will make as well. */
export interface RepeatedPayout {
  readonly batch: string;
  readonly atMs: number;
}

/** A row of the draft that pays the same as an earlier payout. */
export interface Repeat
  extends RepeatedPayout,
    Pick<Payout, 'accountName' | 'number' | 'currency' | 'amountMinor'> {
  readonly line: number;
}

/** What is asked about, in SQL. */
interface Asked {
  readonly table: 'draft.rows' | 'payouts';
  readonly which: string;
  /** Of those, which may be a person's second payment under a changed number. */
  readonly whichByName: string;
  /** True of an `other` payout of the same batch whose row is not in the file any more. */
  readonly isGone: string;
}

/** Conclusively without effect: paying it again is no repeat. */
const ended = `('failed', 'refused', 'cancelled', 'returned')`;
/** Will still be sent, however long ago it was accepted. */
const unfinished = `('planned', 'ready', 'submitting', 'unclear')`;
const otherMs = 'coalesce(other.submitted_ms, other.accepted_ms)';
/** What was given up had been pending for longer than any window: that it may be paid twice begins with the giving up. */
const countsFromMs = `iif(${givenUp('other')}, coalesce(other.settled_ms, ${otherMs}), ${otherMs})`;

/**
 * What a repeat is: a payment beside one that was planned or sent inside the window, of the same payee, amount and
 * currency in another batch, or in this one by a payout whose row is gone. Where the key is the payee, a gone payout of
 * the same name counts as well: its number was changed, and the person would be paid at both. Pairs of row numbers.
 */
function repeatPairs({ table, which, whichByName, isGone }: Asked, keyKind: PaymentKey['kind']): string {
  const counts = `(other.state NOT IN ${ended} OR ${givenUp('other')}) AND (other.state IN ${unfinished} OR ${countsFromMs} >= @sinceMs)`;
  const goneHere = `other.batch = @batch AND ${isGone}`;
  const byPayee = `SELECT asked.rowid AS asked, other.id AS other FROM ${table} AS asked JOIN payouts AS other
    ON other.payee = asked.payee AND other.currency = asked.currency AND other.amount = asked.amount
    WHERE ${which} AND ${counts} AND (other.batch <> @batch OR (${goneHere}))`;
  const byName = `SELECT asked.rowid, other.id FROM payouts AS other JOIN ${table} AS asked
    ON asked.folded_name = other.folded_name WHERE ${goneHere} AND ${counts} AND ${whichByName}`;
  return keyKind === 'payee' ? `${byPayee} UNION ${byName}` : byPayee;
}

/** Beside each that is asked about, the newest that it repeats. */
function newestRepeats(pairs: string): string {
  return `SELECT asked, batches.name AS batch, max(${otherMs}) AS atMs FROM (${pairs}) AS pairs
    JOIN payouts AS other ON other.id = pairs.other JOIN batches ON batches.id = other.batch GROUP BY asked`;
}

/** Rows of the draft that would be sent and repeat a payment. */
export function draftRepeats(
  db: JournalDatabase,
  batch: number,
  keyKind: PaymentKey['kind'],
  sinceMs: number,
  limit: number,
): { count: number; first: Repeat[]; batches: string[] } {
  const which = 'asked.valid = 1 AND asked.to_send = 1';
  const isGone = `NOT EXISTS (SELECT 1 FROM draft.rows AS here WHERE here.valid = 1 AND here.key = other.key)`;
  const whichByName = `${which} AND asked.fate = 'new'`;
  const pairs = repeatPairs({ table: 'draft.rows', which, whichByName, isGone }, keyKind);
  const count = db
    .prepare<unknown[], number>(`SELECT count(DISTINCT asked) FROM (${pairs})`)
    .pluck()
    .get({ batch, sinceMs });
  const first = db
    .prepare<unknown[], Repeat>(
      `SELECT line, account_name AS accountName, number, currency, amount AS amountMinor, batch, atMs
       FROM (${newestRepeats(pairs)} ORDER BY asked LIMIT @limit) JOIN draft.rows ON position = asked ORDER BY position`,
    )
    .safeIntegers()
    .all({ batch, sinceMs, limit })
    .map((repeat) => ({ ...repeat, line: Number(repeat.line), atMs: Number(repeat.atMs) }));
  const batches = db
    .prepare<unknown[], string>(`SELECT DISTINCT batch FROM (${newestRepeats(pairs)}) LIMIT 2`)
    .pluck()
    .all({ batch, sinceMs });
  return { count: count ?? 0, first, batches };
}

/** What a payout of a batch repeats that was planned or sent since then. */
export function askRepeats(
  db: JournalDatabase,
  { id: batch, keyKind }: Pick<BatchRecord, 'id' | 'keyKind'>,
): (payout: Pick<Payout, 'id'>, sinceMs: number) => RepeatedPayout | undefined {
  const which = 'asked.id = @id';
  const isGone = `other.id <> @id
    AND EXISTS (SELECT 1 FROM batch_rows WHERE batch_rows.payout = other.id AND batch_rows.present = 0)`;
  const pairs = repeatPairs({ table: 'payouts', which, whichByName: which, isGone }, keyKind);
  const repeated = db.prepare<unknown[], RepeatedPayout>(newestRepeats(pairs));
  return ({ id }, sinceMs) => repeated.get({ batch, id, sinceMs });
}

/** A payout that waits to be sent, and the one that it repeats. */
export interface RepeatSince extends Pick<Payout, 'id'> {
  readonly otherBatch: string;
  readonly otherKey: string;
}

/**
 * Payouts of a batch that wait to be sent and repeat one that had come to nothing when they were accepted, so that nobody was
 * asked, and that the service has or has paid since.
 */
export function repeatsSince(
  db: JournalDatabase,
  { id: batch, keyKind }: Pick<BatchRecord, 'id' | 'keyKind'>,
): RepeatSince[] {
  const which = `asked.batch = @batch AND asked.state IN ('planned', 'ready')
    AND ' ' || asked.released || ' ' NOT LIKE '% repeat %'`;
  const isGone = `other.id <> asked.id
    AND EXISTS (SELECT 1 FROM batch_rows WHERE batch_rows.payout = other.id AND batch_rows.present = 0)`;
  const pairs = repeatPairs({ table: 'payouts', which, whichByName: which, isGone }, keyKind);
  // What a person brought back or released was asked about then, and may have been let through.
  const askedMs = `max(own.accepted_ms, coalesce((SELECT max(at_ms) FROM events AS said
    WHERE said.payout = own.id AND substr(said.run, 1, 9) = 'decision '), 0))`;
  const cameBack = `EXISTS (SELECT 1 FROM events WHERE events.payout = other.id AND from_state IN ${ended}
    AND to_state NOT IN ${ended} AND at_ms >= ${askedMs} AND substr(run, 1, 9) <> 'decision ')`;
  return db
    .prepare<unknown[], RepeatSince>(
      `SELECT own.id, batches.name AS otherBatch, other.key AS otherKey FROM (${pairs}) AS pairs
         JOIN payouts AS other ON other.id = pairs.other JOIN payouts AS own ON own.id = pairs.asked
         JOIN batches ON batches.id = other.batch
       WHERE ${cameBack} GROUP BY own.id ORDER BY own.id`,
    )
    .all({ batch, sinceMs: 0 });
}

/** A payout that waits to be sent, and one that would be repeated by it had that not failed. */
export interface FailedTwin extends RepeatSince {
  readonly other: number;
}

/** The first of them, of those that ended since then at the same service: a failure may turn out to be none. */
export function failedTwins(
  db: JournalDatabase,
  batch: number,
  sinceMs: number,
  limit: number,
): FailedTwin[] {
  return db
    .prepare<unknown[], FailedTwin>(
      `SELECT own.id, other.id AS other, theirs.name AS otherBatch, other.key AS otherKey FROM payouts AS own
         JOIN payouts AS other
           ON other.payee = own.payee AND other.currency = own.currency AND other.amount = own.amount
         JOIN batches AS ours ON ours.id = own.batch
         JOIN batches AS theirs ON theirs.id = other.batch AND theirs.environment = ours.environment
       WHERE own.batch = @batch AND own.state IN ('planned', 'ready')
         AND ' ' || own.released || ' ' NOT LIKE '% repeat %'
         AND other.id <> own.id AND other.state IN ('failed', 'returned') AND other.transaction_id <> ''
         AND other.settled_ms >= @sinceMs
         AND (other.batch <> @batch
           OR EXISTS (SELECT 1 FROM batch_rows WHERE batch_rows.payout = other.id AND batch_rows.present = 0))
       ORDER BY own.id LIMIT @limit`,
    )
    .all({ batch, sinceMs, limit });
}
