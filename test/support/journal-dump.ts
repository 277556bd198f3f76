import type { JournalDatabase } from '../../src/journal/journal-database.ts';
import { mirroredTables } from '../../src/journal/shared/mirrored-tables.ts';

/** Everything that a journal keeps, table by table. */
export function dumpOf(db: JournalDatabase): Record<string, unknown[]> {
  return Object.fromEntries(
    mirroredTables.map(({ name, key }) => [
      name,
      db.prepare(`SELECT * FROM ${name} ORDER BY ${key.join()}`).all(),
    ]),
  );
}
