import type { JournalDatabase } from '../journal-database.ts';
import type { MirroredTable } from './mirrored-tables.ts';
import { type Cells, columnsOf, typesOf } from './table-rows.ts';
import { isNumbered, touchedNumbers } from './touched-numbers.ts';
import { touchedRows } from './touched-rows.ts';

/** A table of the copy: what others did to it, and what was touched in it here. */
export function openTable(db: JournalDatabase, table: MirroredTable, isOwn: () => boolean) {
  const { name, key, moving = [], mayLose = false } = table;
  const columns = columnsOf(db, name);
  const types = typesOf(db, name);
  const keyAt = key.map((column) => columns.indexOf(column));
  const anew = `anew_${name}`;
  const kept = `kept_${name}`;
  const sameAs = (row: string) => key.map((column) => `own.${column} = ${row}.${column}`).join(' AND ');
  const places = columns.map(() => '?').join();
  const isThis = key.map((column) => `${column} = ?`).join(' AND ');
  // Of the same types: SQLite finds nothing by an index where it would have to convert what stands in it.
  const keys = `${key.map((column) => `${column} ${types.get(column)}`).join()}, PRIMARY KEY (${key.join()})`;
  const touched = isNumbered(table, types)
    ? touchedNumbers(db, table, columns, isOwn)
    : touchedRows(db, table, columns, keys);

  // Taken apart here and not by SQLite, which would look for each column in the text of the row.
  const put = db.prepare(`INSERT OR REPLACE INTO main.${name} (${columns.join()}) VALUES (${places})`);
  const drop = db.prepare(`DELETE FROM main.${name} WHERE ${isThis}`);
  // Most changes are steps of a payout that is there: then only those columns and their indexes are touched.
  const move =
    moving.length > 0
      ? db.prepare(
          `UPDATE main.${name} SET ${moving.map((column) => `${column} = ?`).join()} WHERE ${isThis}`,
        )
      : undefined;

  return {
    name,
    count: touched.count,
    take: (most: number): string => `"${name}":${touched.take(most)}`,
    watch: touched.watch,
    skip: touched.skip,
    requireHandedOn: touched.requireHandedOn,

    put(rows: readonly Cells[]): void {
      for (const row of rows) put.run(...row);
    },

    /** What is told to move has to be there: else this is no copy. */
    move(rows: readonly Cells[]): void {
      for (const row of rows)
        if (move?.run(...row).changes !== 1) throw new Error(`the copy lacks a row of ${name}`);
    },

    drop(rows: readonly Cells[]): void {
      for (const row of rows) drop.run(...row);
    },

    beginAnew(): void {
      db.exec(`DROP TABLE IF EXISTS ${anew}; CREATE TEMP TABLE ${anew} AS SELECT * FROM main.${name} LIMIT 0;
        DROP TABLE IF EXISTS ${kept}; CREATE TEMP TABLE ${kept} (${keys}) WITHOUT ROWID`);
    },

    putAnew(rows: readonly Cells[]): void {
      const add = db.prepare(`INSERT OR IGNORE INTO main.${name} (${columns.join()}) VALUES (${places})`);
      const isSame = columns.map((column) => `${column} IS ?`).join(' AND ');
      const keep = db.prepare(
        `INSERT INTO ${anew} (${columns.join()}) SELECT ${places} WHERE NOT EXISTS (SELECT 1 FROM main.${name} WHERE ${isSame})`,
      );
      const note = db.prepare(`INSERT INTO ${kept} (${key.join()}) VALUES (${key.map(() => '?').join()})`);
      for (const row of rows) {
        if (add.run(...row).changes === 0) keep.run(...row, ...row);
        if (mayLose) note.run(...keyAt.map((place) => row[place]));
      }
    },

    endAnew(): void {
      const gone = db
        .prepare<[], number>(
          `SELECT (SELECT count(*) FROM main.${name}) - (SELECT count(*) FROM ${kept}) + (SELECT count(*) FROM ${anew}
             WHERE NOT EXISTS (SELECT 1 FROM main.${name} AS own WHERE ${sameAs(anew)}))`,
        )
        .pluck();
      // Counted first: to look for each of many rows takes seconds, and nearly always none is gone.
      if (mayLose && (gone.get() ?? 0) > 0)
        db.exec(
          `DELETE FROM main.${name} AS own WHERE NOT EXISTS (SELECT 1 FROM ${kept} WHERE ${sameAs(kept)})`,
        );
      db.exec(`INSERT OR REPLACE INTO main.${name} (${columns.join()}) SELECT ${columns.join()} FROM ${anew};
        DROP TABLE ${anew}; DROP TABLE ${kept}`);
    },
  };
}
