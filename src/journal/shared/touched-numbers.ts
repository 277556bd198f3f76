import type { JournalDatabase } from '../journal-database.ts';
import type { MirroredTable } from './mirrored-tables.ts';
import { cellsOf } from './table-rows.ts';
import type { Touched } from './touched-rows.ts';

/** Whether its rows are numbered in the order in which they come, and stay. */
export function isNumbered({ key, mayLose }: MirroredTable, types: ReadonlyMap<string, string>): boolean {
  return !mayLose && key.length === 1 && types.get(String(key)) === 'INTEGER';
}

/**
 * Rows that are numbered one after the other and never go: those that came are known by their numbers, so that only changes of
 * older ones have to be noted. A change that was undone stays noted, and is handed on as the row is: nothing changes by that.
 */
export function touchedNumbers(
  db: JournalDatabase,
  { name, key, moving = [] }: MirroredTable,
  columns: readonly string[],
  isOwn: () => boolean,
): Touched {
  const number = String(key);
  /** Up to here all was handed on, or came from others. */
  let known = 0;
  let hasNew = false;
  /** Numbers of older ones of which only what moves has changed, and of those that have changed otherwise. */
  const moved = new Set<number>();
  const rewritten = new Set<number>();
  const note = `note_${name}`;
  db.function(note, (row: unknown, isMove: unknown) => {
    if (!isOwn()) return null;
    const each = Number(row);
    if (each > known) hasNew = true;
    else if (isMove === 0) {
      moved.delete(each);
      rewritten.add(each);
    } else if (!rewritten.has(each)) moved.add(each);
    return null;
  });
  const last = db.prepare<[], number | null>(`SELECT max(${number}) FROM main.${name}`).pluck();
  const rowsThat = (which: string, cells: readonly string[]) =>
    db
      .prepare<unknown[], [rows: string, count: number]>(
        `SELECT json_group_array(${cellsOf('own', cells)}), count(*) FROM main.${name} AS own WHERE ${which}`,
      )
      .raw();
  const among = `${number} IN (SELECT value FROM json_each(?))`;
  const added = rowsThat(`${number} > ? AND ${number} <= ?`, columns);
  const whole = rowsThat(among, columns);
  const steps = rowsThat(among, [...moving, number]);

  const lastNow = (): number => last.get() ?? 0;
  const countNew = (): number => (hasNew ? Math.max(0, lastNow() - known) : 0);
  const count = (): number => moved.size + rewritten.size + countNew();

  /** As the inside of a JSON array. */
  function takeFirst(of: Set<number>, most: number, read: typeof whole): string {
    const numbers = firstOf(of, most);
    if (numbers.length === 0) return '';
    for (const each of numbers) of.delete(each);
    const [rows, count] = read.get(JSON.stringify(numbers)) ?? ['[]', 0];
    if (count !== numbers.length) throw new Error(`nothing is ever taken from ${name}`);
    return rows.slice(1, -1);
  }

  /** The same. */
  function takeNew(most: number): string {
    if (!hasNew) return '';
    const from = known;
    const end = lastNow();
    known = Math.min(end, from + most);
    hasNew = known < end;
    const [rows] = added.get(from, known) ?? ['[]'];
    return rows.slice(1, -1);
  }

  return {
    watch(): void {
      known = lastNow();
      const still = columns.filter((column) => !moving.includes(column));
      const triggers = new Map([
        ['INSERT', `${note}(NEW.${number}, 0)`],
        // Where it is replaced: it is there again.
        ['DELETE', `${note}(OLD.${number}, 0)`],
        [`UPDATE OF ${still.join()}`, `${note}(NEW.${number}, 0)`],
      ]);
      if (moving.length > 0) triggers.set(`UPDATE OF ${moving.join()}`, `${note}(NEW.${number}, 1)`);
      for (const [place, [event, body]] of [...triggers].entries())
        db.exec(
          `CREATE TEMP TRIGGER ${name}_${place} AFTER ${event} ON main.${name} BEGIN SELECT ${body}; END`,
        );
    },

    skip(): void {
      known = lastNow();
      hasNew = false;
    },

    requireHandedOn(): void {
      if (count() > 0) throw new Error(`a row of ${name} was written by nobody whose turn it was`);
    },

    count,

    take(most: number): string {
      const put = [takeFirst(rewritten, most, whole), takeNew(most)].filter((rows) => rows !== '');
      return `{"put":[${put.join()}],"move":[${takeFirst(moved, most, steps)}],"drop":[]}`;
    },
  };
}

function firstOf(all: Iterable<number>, most: number): number[] {
  const first: number[] = [];
  for (const each of all) {
    if (first.length === most) break;
    first.push(each);
  }
  return first;
}
