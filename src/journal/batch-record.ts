import { strict as assert } from 'node:assert';
import { type Environment, environmentFromKey } from '../domain/environment/environment.ts';
import type { FileColumn } from '../domain/file-columns.ts';
import { isFresh } from '../domain/is-fresh.ts';
import { type Bounds, boundsFromDocument } from '../domain/money/bounds.ts';
import type { Minor } from '../domain/money/money.ts';
import type { PaymentKey } from '../domain/reference.ts';
import type { JournalDatabase } from './journal-database.ts';
import { putValue, readValue } from './key-values.ts';
import { doubted, givenUp } from './payouts/payout-columns.ts';

/** What a batch is begun with. */
export interface NewBatch {
  readonly name: string;
  /** The name before dates were filled in. */
  readonly pattern: string;
  readonly environment: Environment;
  readonly keyKind: PaymentKey['kind'];
  readonly fileName: string;
  readonly fileDigest: string;
  readonly resultsPath: string;
  /** Those of its first file. */
  readonly columns: readonly FileColumn[];
  readonly delimiter: string;
  readonly policy: Readonly<Record<string, unknown>>;
  /** The limit for one payout that the draft is accepted under, by currency. Kept with each payout above it. */
  readonly limitPayout: ReadonlyMap<string, Minor>;
  /** What was confirmed for the batch, with what was before and still holds. */
  readonly bounds: Bounds;
}

/** A batch as the journal keeps it. */
export interface BatchRecord extends Omit<NewBatch, 'limitPayout'> {
  readonly id: number;
  readonly createdMs: number;
  readonly lastSendMs: number | null;
}

type Parsed = 'environment' | 'columns' | 'policy' | 'bounds';
type Stored = Omit<BatchRecord, Parsed> & Record<Parsed, string>;

const select = `SELECT id, name, pattern, environment, key_kind AS keyKind, created_ms AS createdMs, file_name AS fileName,
  file_digest AS fileDigest, results_path AS resultsPath, columns, delimiter, policy, bounds, last_send_ms AS lastSendMs
  FROM batches`;

export function readBatch(db: JournalDatabase, name: string): BatchRecord | undefined {
  const stored = db.prepare<[string], Stored>(`${select} WHERE name = ?`).get(name);
  return stored && fromStore(stored);
}

export function readBatchById(db: JournalDatabase, id: number): BatchRecord {
  const stored = db.prepare<[number], Stored>(`${select} WHERE id = ?`).get(id);
  assert(stored, `there is no batch ${id}`);
  return fromStore(stored);
}

/** All of them, the newest first. */
export function allBatches(db: JournalDatabase): BatchRecord[] {
  return db.prepare<[], Stored>(`${select} ORDER BY created_ms DESC, id DESC`).all().map(fromStore);
}

/**
 * Batches that a resume has something to do for: unfinished ones, those with a payout that is paid and watched, and those
 * with payouts that were paid, failed or were refused in the last days, that a person gave up while they were pending, or of
 * which the service has said something else since they were paid, and that were not read again for a day. And those whose
 * results lack what a person has decided: who decided was killed.
 */
export function batchesToResume(db: JournalDatabase, nowMs: number): BatchRecord[] {
  return db
    .prepare<{ endedSinceMs: number; rereadSinceMs: number; nowMs: number }, Stored>(
      `${select} WHERE EXISTS (SELECT 1 FROM payouts WHERE payouts.batch = batches.id
           AND (state IN ('planned', 'ready', 'submitting', 'submitted', 'unclear') OR (state = 'paid' AND watched <> '')))
         OR EXISTS (SELECT 1 FROM facts WHERE key = 'results-due:' || batches.id)
         -- Never read again, long ago, or while the clock ran ahead.
         OR (coalesce((SELECT CAST(value AS INTEGER) FROM facts WHERE key = 'reread:' || batches.id), 0)
             NOT BETWEEN @rereadSinceMs AND @nowMs
           AND EXISTS (SELECT 1 FROM payouts WHERE payouts.batch = batches.id AND (${givenUp()} OR ${doubted()} OR (settled_ms >= @endedSinceMs
             AND (state IN ('paid', 'failed', 'returned') OR (state = 'refused' AND ever_sent = 1)))
             OR (accepted_ms >= @endedSinceMs AND state IN ('held', 'cancelled')))))
       ORDER BY created_ms, id`,
    )
    .all({ endedSinceMs: nowMs - rereadWindowMs, rereadSinceMs: nowMs - rereadEveryMs, nowMs })
    .map(fromStore);
}

/** Whether those paid lately are to be read again: once a day. */
export function isRereadDue(db: JournalDatabase, batch: number, nowMs: number): boolean {
  return !isFresh(Number(readValue(db, `reread:${batch}`) ?? 0), nowMs, rereadEveryMs);
}

/** Inside a write of the journal. */
export function noteReread(db: JournalDatabase, batch: number, nowMs: number): void {
  putValue(db, `reread:${batch}`, String(nowMs));
}

/** How long a payout is watched that was paid, for a return, or failed, for a late success; and how often. */
export const rereadWindowMs = 14 * 24 * 60 * 60 * 1000;
const rereadEveryMs = 24 * 60 * 60 * 1000;

function fromStore(stored: Stored): BatchRecord {
  return {
    ...stored,
    environment: environmentFromKey(stored.environment),
    columns: JSON.parse(stored.columns) as FileColumn[],
    policy: JSON.parse(stored.policy) as Record<string, unknown>,
    bounds: boundsFromDocument(JSON.parse(stored.bounds)),
  };
}
