import type { JournalDatabase } from '../journal-database.ts';
import { openEmptyJournal } from '../open-journal.ts';
import { openTable } from './mirrored-table.ts';
import { type CopyKind, mirroredTables } from './mirrored-tables.ts';
import { type Cells, columnsOf } from './table-rows.ts';

/** More rows than this are handed on in several pieces. */
const rowsInPiece = 2_000;

/** Of the copy, in memory; what does not fit into it is on disk. */
const cacheKb = 64_000;

export interface Mirror {
  readonly db: JournalDatabase;
  /** Rows of one table, as a JSON array of what stands in its columns. */
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
  // What others have done is not to be handed on once more.
  let isOwn = true;
  db.function('is_own', () => (isOwn ? 1 : 0));
  const tables = mirroredTables.map((table) => openTable(db, table, () => isOwn));
  const payoutAt = columnsOf(db, 'events').indexOf('payout');
  const byName = new Map(tables.map((table) => [table.name, table]));
  // Together: to begin and end a transaction for each costs nearly as much as what stands in it.
  const followAll = db.transaction((commits: readonly string[]) => {
    for (const changes of commits) followOne(JSON.parse(changes) as Readonly<Record<string, RowChanges>>);
  });

  function followOne(given: Readonly<Record<string, RowChanges>>): void {
    for (const [name, { put = [], move = [], drop = [] }] of Object.entries(given)) {
      const table = byName.get(name);
      table?.drop(drop);
      table?.put(kind === 'to-pay' ? toPayOf(name, put) : put);
      table?.move(move);
    }
  }

  /** Of rows that one commit put, in the order of their keys: as the condition in `mirroredTables` has it. */
  function toPayOf(name: string, put: readonly Cells[]): readonly Cells[] {
    if (name === 'batch_rows') return [];
    if (name !== 'events') return put;
    return put.filter((event, place) => event[payoutAt] === null || place === put.length - 1);
  }

  function asOthers(work: () => void): void {
    for (const table of tables) table.requireHandedOn();
    isOwn = false;
    try {
      work();
    } finally {
      isOwn = true;
      for (const table of tables) table.skip();
    }
  }

  return {
    db,

    fill(name: string, rows: string): void {
      db.transaction(() => byName.get(name)?.put(JSON.parse(rows) as readonly Cells[]))();
    },

    watch(): void {
      for (const table of tables) table.watch();
    },

    async replace(fillAnew): Promise<void> {
      for (const table of tables) table.beginAnew();
      await fillAnew((name, rows) =>
        asOthers(db.transaction(() => byName.get(name)?.putAnew(JSON.parse(rows) as readonly Cells[]))),
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

interface RowChanges {
  readonly put?: readonly Cells[];
  /** What stands in the columns that move, then their keys. */
  readonly move?: readonly Cells[];
  readonly drop?: readonly Cells[];
}
