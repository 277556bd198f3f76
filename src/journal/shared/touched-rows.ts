import type { JournalDatabase } from '../journal-database.ts';
import type { MirroredTable } from './mirrored-tables.ts';
import { cellsOf } from './table-rows.ts';

/** What was touched here and is not handed on yet. What was done by others is not among it. */
export interface Touched {
  /** From here on it is noted. */
  watch(): void;
  /** What is in the table by now was not done here. */
  skip(): void;
  /** Before anybody else's is taken in: throws where something was done here that would be forgotten over it. */
  requireHandedOn(): void;
  /** So many rows, or a few less. */
  count(): number;
  /** The first of them, as `{"put":[…],"move":[…],"drop":[…]}`. */
  take(most: number): string;
}

/** Rows of any key, some of which may go: noted in a table of their own, which holds as many as there are. */
export function touchedRows(
  db: JournalDatabase,
  { name, key }: MirroredTable,
  columns: readonly string[],
  keys: string,
): Touched {
  const touched = `touched_${name}`;
  db.exec(`CREATE TEMP TABLE ${touched} (${keys}) WITHOUT ROWID`);
  const isSame = key.map((column) => `own.${column} = ${touched}.${column}`).join(' AND ');
  const count = db.prepare<[], number>(`SELECT count(*) FROM ${touched}`).pluck();
  const firstOnes = `(SELECT * FROM ${touched} ORDER BY ${key.join()} LIMIT @most)`;
  const puts = db
    .prepare<{ most: number }, string>(
      `SELECT json_group_array(${cellsOf('own', columns)}) FROM ${firstOnes} AS ${touched}
       JOIN main.${name} AS own ON ${isSame}`,
    )
    .pluck();
  const drops = db
    .prepare<{ most: number }, string>(
      `SELECT json_group_array(${cellsOf(touched, key)}) FROM ${firstOnes} AS ${touched}
       WHERE NOT EXISTS (SELECT 1 FROM main.${name} AS own WHERE ${isSame})`,
    )
    .pluck();
  const forgetFirst = db.prepare<{ most: number }>(
    `DELETE FROM ${touched} WHERE (${key.join()}) IN (SELECT ${key.join()} FROM ${firstOnes})`,
  );

  return {
    watch(): void {
      // Asked, and not left to a conflict: what is done about one is up to the statement that fires this.
      const note = (row: string) => {
        const isNoted = key.map((column) => `${column} = ${row}.${column}`).join(' AND ');
        const values = key.map((column) => `${row}.${column}`).join();
        return `INSERT INTO ${touched} (${key.join()}) SELECT ${values}
          WHERE NOT EXISTS (SELECT 1 FROM ${touched} WHERE ${isNoted});`;
      };
      const notes = { INSERT: note('NEW'), DELETE: note('OLD'), UPDATE: note('OLD') + note('NEW') };
      for (const [event, body] of Object.entries(notes))
        db.exec(
          `CREATE TEMP TRIGGER ${name}_${event} AFTER ${event} ON main.${name} WHEN is_own() BEGIN ${body} END`,
        );
    },

    skip: () => undefined,
    // Kept until it is handed on.
    requireHandedOn: () => undefined,
    count: (): number => count.get() ?? 0,

    take(most: number): string {
      const text = `{"put":${puts.get({ most })},"drop":${drops.get({ most })}}`;
      forgetFirst.run({ most });
      return text;
    },
  };
}
