import { PayrunError } from '../errors.ts';
import type { JournalDatabase } from './journal-database.ts';
import { putValue, readValue } from './key-values.ts';

/** Where the journal of a workspace stands, if not in its own file. */
export interface MovedTo {
  readonly id: string;
  /** For people; without a password. */
  readonly place: string;
}

export const movedToFact = 'moved-to';

export function movedTo(db: JournalDatabase): MovedTo | undefined {
  const stored = readValue(db, movedToFact);
  return stored === undefined ? undefined : (JSON.parse(stored) as MovedTo);
}

/** Inside a write of the journal: from now on this file is no memory that anybody may pay from. */
export function keepMovedTo(db: JournalDatabase, to: MovedTo): void {
  putValue(db, movedToFact, JSON.stringify(to));
}

/** The file is kept only so that nobody pays from an old memory. Where it is opened, nothing was sent yet. */
export function refuseMoved(db: JournalDatabase): void {
  const moved = movedTo(db);
  if (moved) throw isElsewhere(moved, 'Nothing was sent.');
}

/** Asked once for every commit: it may be moved while it is open, and what was sent until then the caller knows. */
export function askIfMoved(db: JournalDatabase): () => void {
  const stored = db.prepare<[string], string>('SELECT value FROM facts WHERE key = ?').pluck();
  return () => {
    const moved = stored.get(movedToFact);
    if (moved !== undefined) throw isElsewhere(JSON.parse(moved) as MovedTo, 'Nothing more was sent.');
  };
}

function isElsewhere({ place }: MovedTo, done: string): PayrunError {
  return new PayrunError(
    'journal-moved',
    `The journal of this workspace stands at ${place}. ${done} Set PAYRUN_JOURNAL_URL (or PAYRUN_JOURNAL_URL_FILE), then run the same command again.`,
  );
}
