import type { JournalDatabase } from '../journal-database.ts';

/** A row, as what stands in its columns one after the other. Their names are known to whoever reads it, and not told each time. */
export type Cells = readonly unknown[];

export function columnsOf(db: JournalDatabase, table: string): string[] {
  return db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
}

/** Of each column. */
export function typesOf(db: JournalDatabase, table: string): ReadonlyMap<string, string> {
  const columns = db
    .prepare<[string], { name: string; type: string }>('SELECT name, type FROM pragma_table_info(?)')
    .all(table);
  return new Map(columns.map(({ name, type }) => [name, type]));
}

/** Cells of a row as JSON. */
export function cellsOf(row: string, columns: readonly string[]): string {
  return `json_array(${columns.map((column) => `${row}.${column}`).join()})`;
}
