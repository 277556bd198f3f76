import type { JournalDatabase } from '../journal-database.ts';
import { openEmptyJournal } from '../open-journal.ts';
import { type CopyKind, type MirroredTable, mirroredTables } from './mirrored-tables.ts';
import { columnsOf, jsonOf, typesOf } from './table-rows.ts';

/** More rows than this are handed on in several pieces. */
const rowsInPiece = 2_000;

export interface Mirror {
  readonly db: JournalDatabase;
  /** Rows of one table, as a JSON array. */
  fill(name: string, rows: string): void;
  /** From here on it is noted what is touched. */
  watch(): void;
  /** The whole journal once more, while it is read as it was: it changes all at once. */
  replace(fillAnew: (fill: Mirror['fill']) => Promise<void>): Promise<void>;
  /** What somebody else has done to the journal. */
  follow(changes: string): void;
  /** What was touched since the last time, in pieces of changes: usually one, and none where nothing was. */
  touched(): Generator<string>;
}

/**
 * A copy of a shared journal in which the journal's own verbs work as they do in a file of their own. It lasts as long as its
 * process, and notes which rows were touched, so that just those can be handed on.
 */
export function openMirror(kind: CopyKind = 'whole'): Mirror {
  // A name that is empty: on disk as far as it does not fit into memory, and gone with the process however it ends.
  const db = openEmptyJournal('');
  // Rows come in pieces and in no order among themselves; the shared journal itself holds its references together.
  db.pragma('foreign_keys = OFF');
  // A row that is replaced is one that is gone, and is noted as such.
  db.pragma('recursive_triggers = ON');
  // Asked by the triggers: what others have done is not to be handed on once more.
  let isOwn = true;
  db.function('is_own', () => (isOwn ? 1 : 0));
  const tables = mirroredTables.map((table) => openTable(db, table));
  const byName = new Map(tables.map((table) => [table.name, table]));
  const followAll = db.transaction((given: Readonly<Record<string, RowChanges>>) => {
    for (const [name, { put = [], drop = [] }] of Object.entries(given)) {
      const table = byName.get(name);
      if (drop.length > 0) table?.drop(JSON.stringify(drop));
      table?.put(kind === 'to-pay' ? toPayOf(name, put) : put);
    }
  });

  return {
    db,

    fill(name: string, rows: string): void {
      db.transaction(() => byName.get(name)?.put(JSON.parse(rows) as readonly Row[]))();
    },

    watch(): void {
      for (const table of tables) table.watch();
    },

    async replace(fillAnew): Promise<void> {
      for (const table of tables) table.beginAnew();
      await fillAnew((name, rows) => byName.get(name)?.putAnew(JSON.parse(rows) as readonly Row[]));
      db.transaction(() => {
        for (const table of tables) table.endAnew();
      })();
    },

    follow(changes: string): void {
      isOwn = false;
      try {
        followAll(JSON.parse(changes) as Readonly<Record<string, RowChanges>>);
      } finally {
        isOwn = true;
      }
    },

    *touched(): Generator<string> {
      const left = tables.filter((table) => table.count() > 0);
      const rows = left.reduce((sum, table) => sum + table.count(), 0);
      if (rows > 0 && rows <= rowsInPiece) {
        yield `{${left.map((table) => table.take(rowsInPiece)).join()}}`;
        return;
      }
      for (const table of left) while (table.count() > 0) yield `{${table.take(rowsInPiece)}}`;
    },
  };
}

type Row = Readonly<Record<string, unknown>>;

const valuesOf = (row: Row, columns: readonly string[]): unknown[] =>
  columns.map((column) => row[column] ?? null);

interface RowChanges {
  readonly put?: readonly Row[];
  readonly drop?: readonly unknown[];
}

/** Of rows that one commit put, in the order of their keys: as the condition in `mirroredTables` has it. */
function toPayOf(name: string, put: readonly Row[]): readonly Row[] {
  if (name === 'batch_rows') return [];
  if (name !== 'events') return put;
  return put.filter((event, place) => event['payout'] === null || place === put.length - 1);
}

const events = ['INSERT', 'UPDATE', 'DELETE'] as const;

function openTable(db: JournalDatabase, { name, key, moving = [] }: MirroredTable) {
  const columns = columnsOf(db, name);
  const touched = `touched_${name}`;
  const anew = `anew_${name}`;
  const keyOf = (row: string) => key.map((column) => `${row}.${column}`).join();
  const isSame = key.map((column) => `own.${column} = ${touched}.${column}`).join(' AND ');
  const values = (of: readonly string[]) => of.map((column) => `value ->> '${column}'`).join();

  // Of the same types: SQLite finds nothing by an index where it would have to convert what stands in it.
  const types = typesOf(db, name);
  const keys = key.map((column) => `${column} ${types.get(column)}`).join();
  db.exec(`CREATE TEMP TABLE ${touched} (${keys}, PRIMARY KEY (${key.join()})) WITHOUT ROWID`);
  // Taken apart here and not by SQLite, which would look for each column in the text of the row.
  const put = db.prepare(
    `INSERT OR REPLACE INTO main.${name} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
  );
  // Most changes are steps of a payout that is there: then only those columns and their indexes are touched.
  const still = columns.filter((column) => !moving.includes(column));
  const move =
    moving.length > 0 &&
    db.prepare(
      `UPDATE main.${name} SET ${moving.map((column) => `${column} = ?`).join()}
       WHERE ${still.map((column) => `${column} IS ?`).join(' AND ')}`,
    );
  const isMoved = (row: Row): boolean =>
    move !== false && move.run([...valuesOf(row, moving), ...valuesOf(row, still)]).changes > 0;
  const drop = db.prepare<[string]>(
    `DELETE FROM main.${name} WHERE (${key.join()}) IN (SELECT ${values(key)} FROM json_each(?))`,
  );
  const count = db.prepare<[], number>(`SELECT count(*) FROM ${touched}`).pluck();
  const firstOnes = `(SELECT * FROM ${touched} ORDER BY ${key.join()} LIMIT @most)`;
  const puts = db
    .prepare<{ most: number }, string>(
      `SELECT json_group_array(json(${jsonOf('own', columns)})) FROM ${firstOnes} AS ${touched}
       JOIN main.${name} AS own ON ${isSame}`,
    )
    .pluck();
  const drops = db
    .prepare<{ most: number }, string>(
      `SELECT json_group_array(json(${jsonOf(touched, key)})) FROM ${firstOnes} AS ${touched}
       WHERE NOT EXISTS (SELECT 1 FROM main.${name} AS own WHERE ${isSame})`,
    )
    .pluck();
  const forgetFirst = db.prepare<{ most: number }>(
    `DELETE FROM ${touched} WHERE (${key.join()}) IN ${firstOnes}`,
  );

  function watch(): void {
    // Asked, and not left to a conflict: what is done about one is up to the statement that fires this.
    const note = (row: string) => {
      const isNoted = key.map((column) => `${column} = ${row}.${column}`).join(' AND ');
      return `INSERT INTO ${touched} SELECT ${keyOf(row)} WHERE NOT EXISTS (SELECT 1 FROM ${touched} WHERE ${isNoted});`;
    };
    const notes = { INSERT: note('NEW'), UPDATE: note('OLD') + note('NEW'), DELETE: note('OLD') };
    for (const event of events)
      db.exec(
        `CREATE TEMP TRIGGER ${name}_${event} AFTER ${event} ON main.${name} WHEN is_own() BEGIN ${notes[event]} END`,
      );
  }

  return {
    name,
    put(rows: readonly Row[]): void {
      for (const row of rows) if (!isMoved(row)) put.run(valuesOf(row, columns));
    },
    drop: (keys: string): void => void drop.run(keys),
    count: (): number => count.get() ?? 0,

    watch,

    beginAnew: (): void =>
      void db.exec(
        `DROP TABLE IF EXISTS ${anew}; CREATE TEMP TABLE ${anew} AS SELECT * FROM main.${name} LIMIT 0`,
      ),

    putAnew(rows: readonly Row[]): void {
      const insert = db.prepare(
        `INSERT INTO ${anew} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
      );
      for (const row of rows) insert.run(valuesOf(row, columns));
    },

    endAnew(): void {
      // Nothing of this is to be handed on, and to note it would take as long as to do it.
      db.exec(events.map((event) => `DROP TRIGGER ${name}_${event}`).join(';'));
      db.exec(`DELETE FROM main.${name};
        INSERT INTO main.${name} (${columns.join()}) SELECT ${columns.join()} FROM ${anew}; DROP TABLE ${anew}`);
      watch();
    },

    /** The first of those that were touched, as `"payouts":{"put":[…],"drop":[…]}`. */
    take(most: number): string {
      const text = `"${name}":{"put":${puts.get({ most })},"drop":${drops.get({ most })}}`;
      forgetFirst.run({ most });
      return text;
    },
  };
}
