import type { JournalDatabase } from '../journal-database.ts';
import { openEmptyJournal } from '../open-journal.ts';
import { type CopyKind, type MirroredTable, mirroredTables } from './mirrored-tables.ts';
import { columnsOf, jsonOf, typesOf } from './table-rows.ts';

/** More rows than this are handed on in several pieces. */
const rowsInPiece = 2_000;

/** Of the copy, in memory; what does not fit into it is on disk. */
const cacheKb = 64_000;

export interface Mirror {
  readonly db: JournalDatabase;
  /** Rows of one table, as a JSON array. */
  fill(name: string, rows: string): void;
  /** From here on it is noted what is touched. */
  watch(): void;
  /**
   * The whole journal once more. Rows that are new are there as soon as they come, long before the others know of them; what
   * is here already changes at the end, all at once.
   */
  replace(fillAnew: (fill: Mirror['fill']) => Promise<void>): Promise<void>;
  /** What others have done to the journal, commit after commit. */
  follow(commits: readonly string[]): void;
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
  // Nobody ever opens it again: what a rollback needs is kept in memory.
  for (const part of ['main', 'temp']) db.pragma(`${part}.journal_mode = MEMORY`);
  db.pragma('synchronous = OFF');
  db.pragma(`cache_size = ${-cacheKb}`);
  // Rows come in pieces and in no order among themselves; the shared journal itself holds its references together.
  db.pragma('foreign_keys = OFF');
  // What all payouts of a batch add up to is asked for each of its chunks: out of this alone, without a look at the rows.
  db.exec(`CREATE INDEX payouts_to_add_up
    ON payouts (batch, state, code, country, currency, debit_currency, debit_country, amount)`);
  // A row that is replaced is one that is gone, and is noted as such.
  db.pragma('recursive_triggers = ON');
  // Asked by the triggers: what others have done is not to be handed on once more.
  let isOwn = true;
  db.function('is_own', () => (isOwn ? 1 : 0));
  const tables = mirroredTables.map((table) => openTable(db, table));
  const byName = new Map(tables.map((table) => [table.name, table]));
  // Together: to begin and end a transaction for each costs nearly as much as what stands in it.
  const followAll = db.transaction((commits: readonly string[]) => {
    for (const changes of commits) followOne(JSON.parse(changes) as Readonly<Record<string, RowChanges>>);
  });

  function followOne(given: Readonly<Record<string, RowChanges>>): void {
    for (const [name, { put = [], move = [], drop = [] }] of Object.entries(given)) {
      const table = byName.get(name);
      if (drop.length > 0) table?.drop(JSON.stringify(drop));
      table?.put(kind === 'to-pay' ? toPayOf(name, put) : put);
      table?.move(move);
    }
  }

  function asOthers(work: () => void): void {
    isOwn = false;
    try {
      work();
    } finally {
      isOwn = true;
    }
  }

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
      await fillAnew((name, rows) =>
        asOthers(db.transaction(() => byName.get(name)?.putAnew(JSON.parse(rows) as readonly Row[]))),
      );
      asOthers(
        db.transaction(() => {
          for (const table of tables) table.endAnew();
        }),
      );
    },

    follow(commits: readonly string[]): void {
      asOthers(() => followAll(commits));
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
  /** Their keys, and the columns that move. */
  readonly move?: readonly Row[];
  readonly drop?: readonly unknown[];
}

/** Of rows that one commit put, in the order of their keys: as the condition in `mirroredTables` has it. */
function toPayOf(name: string, put: readonly Row[]): readonly Row[] {
  if (name === 'batch_rows') return [];
  if (name !== 'events') return put;
  return put.filter((event, place) => event['payout'] === null || place === put.length - 1);
}

function openTable(db: JournalDatabase, { name, key, moving = [], mayLose = false }: MirroredTable) {
  const columns = columnsOf(db, name);
  const touched = `touched_${name}`;
  const anew = `anew_${name}`;
  const kept = `kept_${name}`;
  const sameAs = (row: string) => key.map((column) => `own.${column} = ${row}.${column}`).join(' AND ');
  const values = (of: readonly string[]) => of.map((column) => `value ->> '${column}'`).join();
  const places = columns.map(() => '?').join();

  // Of the same types: SQLite finds nothing by an index where it would have to convert what stands in it.
  const types = typesOf(db, name);
  const keys = `${key.map((column) => `${column} ${types.get(column)}`).join()}, PRIMARY KEY (${key.join()})`;
  db.exec(`CREATE TEMP TABLE ${touched} (is_whole INTEGER NOT NULL, ${keys}) WITHOUT ROWID`);
  // Taken apart here and not by SQLite, which would look for each column in the text of the row.
  const put = db.prepare(`INSERT OR REPLACE INTO main.${name} (${columns.join()}) VALUES (${places})`);
  // Most changes are steps of a payout that is there: then only those columns and their indexes are touched.
  const move =
    moving.length > 0
      ? db.prepare(
          `UPDATE main.${name} SET ${moving.map((column) => `${column} = ?`).join()}
           WHERE ${key.map((column) => `${column} = ?`).join(' AND ')}`,
        )
      : undefined;
  const drop = db.prepare<[string]>(
    `DELETE FROM main.${name} WHERE (${key.join()}) IN (SELECT ${values(key)} FROM json_each(?))`,
  );
  const count = db.prepare<[], number>(`SELECT count(*) FROM ${touched}`).pluck();
  const firstOnes = `(SELECT * FROM ${touched} ORDER BY ${key.join()} LIMIT @most)`;
  const rowsOf = (of: readonly string[], isWhole: 0 | 1) =>
    db
      .prepare<{ most: number }, string>(
        `SELECT json_group_array(${jsonOf('own', of)}) FROM ${firstOnes} AS ${touched}
         JOIN main.${name} AS own ON ${sameAs(touched)} WHERE is_whole = ${isWhole}`,
      )
      .pluck();
  const puts = rowsOf(columns, 1);
  const moves = rowsOf([...key, ...moving], 0);
  const drops = db
    .prepare<{ most: number }, string>(
      `SELECT json_group_array(${jsonOf(touched, key)}) FROM ${firstOnes} AS ${touched}
       WHERE NOT EXISTS (SELECT 1 FROM main.${name} AS own WHERE ${sameAs(touched)})`,
    )
    .pluck();
  const forgetFirst = db.prepare<{ most: number }>(
    `DELETE FROM ${touched} WHERE (${key.join()}) IN (SELECT ${key.join()} FROM ${firstOnes})`,
  );

  return {
    name,
    put(rows: readonly Row[]): void {
      for (const row of rows) put.run(valuesOf(row, columns));
    },

    /** What is told to move has to be there: else this is no copy. */
    move(rows: readonly Row[]): void {
      for (const row of rows)
        if (move?.run([...valuesOf(row, moving), ...valuesOf(row, key)]).changes !== 1)
          throw new Error(`the copy lacks a row of ${name}`);
    },

    drop: (keys: string): void => void drop.run(keys),
    count: (): number => count.get() ?? 0,

    watch(): void {
      // Asked, and not left to a conflict: what is done about one is up to the statement that fires this.
      const note = (row: string, isWhole: 0 | 1) => {
        const isNoted = key.map((column) => `${column} = ${row}.${column}`).join(' AND ');
        const raise = isWhole ? `UPDATE ${touched} SET is_whole = 1 WHERE is_whole = 0 AND ${isNoted};` : '';
        const values = [isWhole, ...key.map((column) => `${row}.${column}`)].join();
        return `${raise} INSERT INTO ${touched} (is_whole, ${key.join()}) SELECT ${values}
          WHERE NOT EXISTS (SELECT 1 FROM ${touched} WHERE ${isNoted});`;
      };
      const still = columns.filter((column) => !moving.includes(column));
      const notes = new Map([
        ['INSERT', note('NEW', 1)],
        ['DELETE', note('OLD', 1)],
        [`UPDATE OF ${still.join()}`, note('OLD', 1) + note('NEW', 1)],
      ]);
      if (moving.length > 0) notes.set(`UPDATE OF ${moving.join()}`, note('NEW', 0));
      for (const [place, [event, body]] of [...notes].entries())
        db.exec(
          `CREATE TEMP TRIGGER ${name}_${place} AFTER ${event} ON main.${name} WHEN is_own() BEGIN ${body} END`,
        );
    },

    beginAnew(): void {
      db.exec(`DROP TABLE IF EXISTS ${anew}; CREATE TEMP TABLE ${anew} AS SELECT * FROM main.${name} LIMIT 0;
        DROP TABLE IF EXISTS ${kept}; CREATE TEMP TABLE ${kept} (${keys}) WITHOUT ROWID`);
    },

    putAnew(rows: readonly Row[]): void {
      const add = db.prepare(`INSERT OR IGNORE INTO main.${name} (${columns.join()}) VALUES (${places})`);
      const isSame = columns.map((column) => `${column} IS ?`).join(' AND ');
      const keep = db.prepare(
        `INSERT INTO ${anew} (${columns.join()}) SELECT ${places} WHERE NOT EXISTS (SELECT 1 FROM main.${name} WHERE ${isSame})`,
      );
      const note = db.prepare(`INSERT INTO ${kept} (${key.join()}) VALUES (${key.map(() => '?').join()})`);
      for (const row of rows) {
        const given = valuesOf(row, columns);
        if (add.run(given).changes === 0) keep.run([...given, ...given]);
        if (mayLose) note.run(valuesOf(row, key));
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

    /** The first of those that were touched, as `"payouts":{"put":[…],"move":[…],"drop":[…]}`. */
    take(most: number): string {
      const moved = moving.length > 0 ? `"move":${moves.get({ most })},` : '';
      const text = `"${name}":{"put":${puts.get({ most })},${moved}"drop":${drops.get({ most })}}`;
      forgetFirst.run({ most });
      return text;
    },
  };
}
