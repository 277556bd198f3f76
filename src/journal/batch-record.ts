import { type Environment, environmentFromKey } from '../domain/environment/environment.ts';
import { isFresh } from '../domain/is-fresh.ts';
import { type Bounds, boundsFromDocument } from '../domain/money/bounds.ts';
import type { PaymentKey } from '../domain/reference.ts';
import type { JournalDatabase } from './journal-database.ts';
import { readFact } from './key-values.ts';

/** A batch as the journal keeps it. */
export interface BatchRecord {
  readonly id: number;
  readonly name: string;
  readonly environment: Environment;
  readonly keyKind: PaymentKey['kind'];
  readonly createdMs: number;
  readonly resultsPath: string;
  readonly policy: Readonly<Record<string, unknown>>;
  readonly bounds: Bounds;
  readonly lastSendMs: number | null;
}

type Stored = Omit<BatchRecord, 'environment' | 'policy' | 'bounds'> & {
  environment: string;
  policy: string;
  bounds: string;
};

const select = `SELECT id, name, environment, key_kind AS keyKind, created_ms AS createdMs, results_path AS resultsPath,
  policy, bounds, last_send_ms AS lastSendMs FROM batches`;

export function readBatch(db: JournalDatabase, name: string): BatchRecord | undefined {
  const stored = db.prepare<[string], Stored>(`${select} WHERE name = ?`).get(name);
  return stored && fromStore(stored);
}

/**
 * Batches that a resume has something to do for: unfinished ones, those with a payout that is paid and watched, and those
 * with payouts that were paid, failed or were refused in the last days and not read again for a day.
 */
export function batchesToResume(db: JournalDatabase, nowMs: number): BatchRecord[] {
  return db
    .prepare<{ endedSinceMs: number; rereadSinceMs: number; nowMs: number }, Stored>(
      `${select} WHERE EXISTS (SELECT 1 FROM payouts WHERE payouts.batch = batches.id
           AND (state IN ('planned', 'ready', 'submitting', 'submitted', 'unclear') OR (state = 'paid' AND watched <> '')))
         -- Never read again, long ago, or while the clock ran ahead.
         OR (coalesce((SELECT CAST(value AS INTEGER) FROM facts WHERE key = 'reread:' || batches.id), 0)
             NOT BETWEEN @rereadSinceMs AND @nowMs
           AND EXISTS (SELECT 1 FROM payouts WHERE payouts.batch = batches.id AND (state IN ('paid', 'failed') OR (state = 'refused' AND ever_sent = 1))
             AND settled_ms >= @endedSinceMs))
       ORDER BY created_ms, id`,
    )
    .all({ endedSinceMs: nowMs - rereadWindowMs, rereadSinceMs: nowMs - rereadEveryMs, nowMs })
    .map(fromStore);
}

/** Whether those paid lately are to be read again: once a day. */
export function isRereadDue(db: JournalDatabase, batch: number, nowMs: number): boolean {
  return !isFresh(Number(readFact(db, `reread:${batch}`) ?? 0), nowMs, rereadEveryMs);
}

/** How long a payout is watched that was paid, for a return, or failed, for a late success; and how often. */
export const rereadWindowMs = 14 * 24 * 60 * 60 * 1000;
const rereadEveryMs = 24 * 60 * 60 * 1000;

function fromStore(stored: Stored): BatchRecord {
  return {
    ...stored,
    environment: environmentFromKey(stored.environment),
    policy: JSON.parse(stored.policy) as Record<string, unknown>,
    bounds: boundsFromDocument(JSON.parse(stored.bounds)),
  };
}
