import { putFact, readFact } from './facts.ts';
import type { JournalDatabase } from './open-journal.ts';

/** What a person had to say so that a file of theirs could be read. */
export interface ReadWith {
  /** Each `--map` as typed. */
  readonly map?: readonly string[] | undefined;
  /** Each `--default` as typed. */
  readonly defaults?: readonly string[] | undefined;
}

/** A retry file has the columns of the file: it is read with the same flags. Inside a write of the journal. */
export function keepReadWith(
  db: JournalDatabase,
  batch: number,
  { map = [], defaults = [] }: ReadWith,
): void {
  putFact(db, factKey(batch), JSON.stringify({ map, defaults }));
}

export function readWithOf(db: JournalDatabase, batch: number): ReadWith {
  return JSON.parse(readFact(db, factKey(batch)) ?? '{}') as ReadWith;
}

const factKey = (batch: number) => `read-with:${batch}`;
