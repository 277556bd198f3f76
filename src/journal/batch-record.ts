import type { PaymentKey } from '../domain/reference.ts';
import type { JournalDatabase } from './open-journal.ts';

/** A batch as the journal keeps it. */
export interface BatchRecord {
  readonly id: number;
  readonly name: string;
  readonly environment: string;
  readonly keyKind: PaymentKey['kind'];
  readonly createdMs: number;
  readonly resultsPath: string;
  readonly policy: Readonly<Record<string, unknown>>;
  readonly lastSendMs: number | null;
}

type Stored = Omit<BatchRecord, 'policy'> & { policy: string };

const select = `SELECT id, name, environment, key_kind AS keyKind, created_ms AS createdMs, results_path AS resultsPath,
  policy, last_send_ms AS lastSendMs FROM batches`;

export function readBatch(db: JournalDatabase, name: string): BatchRecord | undefined {
  const stored = db.prepare<[string], Stored>(`${select} WHERE name = ?`).get(name);
  return stored && fromStore(stored);
}

/** Batches that a resume has something to do for: unfinished ones, and those with payouts paid since a moment. */
export function batchesToResume(db: JournalDatabase, paidSinceMs: number): BatchRecord[] {
  return db
    .prepare<[number], Stored>(
      `${select} WHERE EXISTS (SELECT 1 FROM payouts WHERE payouts.batch = batches.id AND (
         state IN ('planned', 'ready', 'submitting', 'submitted', 'unclear') OR (state = 'paid' AND settled_ms >= ?)))
       ORDER BY created_ms, id`,
    )
    .all(paidSinceMs)
    .map(fromStore);
}

function fromStore(stored: Stored): BatchRecord {
  return { ...stored, policy: JSON.parse(stored.policy) as Record<string, unknown> };
}
