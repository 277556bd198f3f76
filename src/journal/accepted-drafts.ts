import type { JournalDatabase } from './journal-database.ts';
import { putValue, readValue } from './key-values.ts';

/** How many different drafts a batch has taken in, and by what the last of them is known. */
export interface AcceptedDrafts {
  readonly count: number;
  /** The digest of the draft, or of the plan file that it was paid by. */
  readonly last: string;
}

const none: AcceptedDrafts = { count: 0, last: '' };

/** A plan is for a batch as it stood: once another draft was taken in, it is an old plan. */
export function readAcceptedDrafts(db: JournalDatabase, batch: number): AcceptedDrafts {
  const stored = readValue(db, factKey(batch));
  return stored === undefined ? none : (JSON.parse(stored) as AcceptedDrafts);
}

/** Inside a write of the journal. The same draft again carries on: it is not counted twice. */
export function noteAcceptedDraft(db: JournalDatabase, batch: number, id: string): void {
  const { count, last } = readAcceptedDrafts(db, batch);
  if (last !== id) putValue(db, factKey(batch), JSON.stringify({ count: count + 1, last: id }));
}

const factKey = (batch: number) => `accepted-drafts:${batch}`;
