import type { JournalDatabase } from '../journal-database.ts';

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

/** A row as JSON, with these of its columns. */
export function jsonOf(row: string, columns: readonly string[]): string {
  return `json_object(${columns.map((column) => `'${column}', ${row}.${column}`).join()})`;
}
