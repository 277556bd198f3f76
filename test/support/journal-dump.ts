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

/** The same, as copies are told of it: without the names of columns. */
export function cellsOfDump(db: JournalDatabase): Record<string, unknown[]> {
  const cells = Object.entries(dumpOf(db)).map(([name, rows]) => [
    name,
    rows.map((row) => Object.values(row as object)),
  ]);
  return Object.fromEntries(cells);
}
