import { openEmptyJournal } from '../src/journal/open-journal.ts';

/** The statements that make an empty journal in one go: what the migrations, one after the other, leave behind. */
export function schemaOfJournal(): string {
  const db = openEmptyJournal();
  const made = db
    .prepare<[], { name: string; type: string; sql: string }>(
      "SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .all();
  for (const { name } of made.filter(({ type }) => type === 'table'))
    if (db.prepare(`SELECT 1 FROM "${name}"`).get())
      throw new Error(`${name} of an empty journal is not empty`);
  db.close();
  return made.map(({ sql }) => sql).join(';\n');
}
