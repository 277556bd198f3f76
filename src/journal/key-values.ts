import type { JournalDatabase } from './journal-database.ts';

/** Small things worth remembering by name. */
export function readValue(db: JournalDatabase, key: string): string | undefined {
  return db.prepare<[string], string>('SELECT value FROM facts WHERE key = ?').pluck().get(key);
}

/** Inside a write of the journal. */
export function putValue(db: JournalDatabase, key: string, value: string): void {
  db.prepare(
    'INSERT INTO facts (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  ).run(key, value);
}

/** Inside a write of the journal. */
export function dropValue(db: JournalDatabase, key: string): void {
  db.prepare<[string]>('DELETE FROM facts WHERE key = ?').run(key);
}

/** Set while the results of a batch lack what a person has decided: who is killed in between leaves it to the next resume. */
export const resultsDue = (batch: number): string => `results-due:${batch}`;
