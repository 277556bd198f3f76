import type { RowFate } from '../../domain/payout/row-fate.ts';
import type { JournalDatabase } from '../journal-database.ts';

/** A row of the draft beside the payout of its key, if there is one. */
export interface DraftRow {
  readonly position: number;
  readonly line: number;
  readonly cells: string;
  readonly payrun: string;
  readonly valid: number;
  readonly fate: RowFate | null;
  readonly key: string | null;
  readonly attempt: number;
  readonly reference: string;
  readonly payout: number | null;
}

/** The rows of the results: each keeps the place of its first appearance. */
export function recordBatchRows(db: JournalDatabase, batch: number, columns: number | null) {
  const last = db
    .prepare<[number], number | null>('SELECT max(position) FROM batch_rows WHERE batch = ?')
    .pluck();
  const insert = db.prepare(
    'INSERT INTO batch_rows (batch, position, line, cells, column_list, payout, problem, problem_code, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const update = db.prepare(
    `UPDATE batch_rows SET line = ?, cells = ?, column_list = ?, payout = ?, problem = ?, problem_code = ?, key = ?, present = 1
     WHERE batch = ? AND position = ?`,
  );
  const ofPayout = db.prepare<[number], number>('SELECT position FROM batch_rows WHERE payout = ?').pluck();
  // By an index that is named: for the sake of the order SQLite would read the whole batch for every row.
  const invalidAt = db.prepare<[number, number], InvalidRow>(
    `SELECT position, key, cells FROM batch_rows INDEXED BY batch_rows_by_payout
     WHERE batch = ? AND line = ? AND payout IS NULL ORDER BY present DESC, position`,
  );
  const invalidOf = db
    .prepare<[number, string, number], number>(
      `SELECT position FROM batch_rows INDEXED BY batch_rows_invalid
       WHERE batch = ? AND key = ? AND payout IS NULL AND position > ? ORDER BY position LIMIT 1`,
    )
    .pluck();
  const namelessOf = db
    .prepare<[number, string, number], number>(
      `SELECT position FROM batch_rows INDEXED BY batch_rows_nameless
       WHERE batch = ? AND cells = ? AND payout IS NULL AND key IS NULL AND position > ? ORDER BY position LIMIT 1`,
    )
    .pluck();
  const payoutOfKey = db
    .prepare<[number, string], number>('SELECT id FROM payouts WHERE batch = ? AND key = ?')
    .pluck();
  const problemOf = db.prepare<[number], RowProblem>(
    'SELECT code, message FROM draft.problems WHERE line = ? AND blocking = 1 ORDER BY seq LIMIT 1',
  );
  const lastPlace = last.get(batch) ?? 0;
  // Of a batch without rows there is no place to look for, and looking takes as long as all the rest.
  const isNew = lastPlace === 0;
  let next = lastPlace + 1;

  const written = new Set<number>();
  /** Of the invalid rows that are alike, those up to here have been written. */
  const takenUpTo = new Map<string, number>();

  function put(row: DraftRow, place: number | undefined, payout: number | null, problem: RowProblem): void {
    // An invalid row keeps the line that its file first had it on: that is what it is called by.
    const line = payout === null ? (namedLine(row) ?? row.line) : row.line;
    if (place !== undefined && !written.has(place)) {
      const key = payout === null ? row.key : null;
      update.run(line, row.cells, columns, payout, problem.message, problem.code, key, batch, place);
      written.add(place);
    } else {
      const [paid, key] = place === undefined ? [payout, payout === null ? row.key : null] : [null, null];
      insert.run(batch, next, line, row.cells, columns, paid, problem.message, problem.code, key);
      written.add(next);
      next += 1;
    }
  }

  /**
   * A corrected row stands where the invalid one stood: the one that it names by its line, or that names the same
   * payment. A row that merely stands on that line now may be anybody's, unless nothing about it has changed. One that
   * names nothing is known by what it says.
   */
  function placeOfInvalid(row: DraftRow): number | undefined {
    if (isNew) return undefined;
    const named = namedLine(row);
    const there = invalidAt.all(batch, named ?? row.line).filter(({ position }) => !written.has(position));
    const same = there.find(({ key, cells }) => (row.key === null ? cells === row.cells : key === row.key));
    const place = same ?? (named === undefined ? undefined : there[0]);
    return place?.position ?? freeOf(row);
  }

  function freeOf({ key, cells }: DraftRow): number | undefined {
    const [alike, sign] = key === null ? [namelessOf, cells] : [invalidOf, key];
    const taken = `${key === null} ${sign}`;
    for (;;) {
      const place = alike.get(batch, sign, takenUpTo.get(taken) ?? 0);
      if (place === undefined || !written.has(place)) return place;
      takenUpTo.set(taken, place);
    }
  }

  return {
    markAllAbsent: () => void db.prepare('UPDATE batch_rows SET present = 0 WHERE batch = ?').run(batch),
    keep(row: DraftRow, payout: number): void {
      const place = isNew ? undefined : (ofPayout.get(payout) ?? placeOfInvalid(row));
      put(row, place, payout, noProblem);
    },
    /** A payout whose row is invalid now keeps its place, and the results say both. A row that names a line never was a payout. */
    refuse(row: DraftRow): void {
      const payout = row.key === null ? undefined : payoutOfKey.get(batch, row.key);
      const problem = problemOf.get(row.line) ?? { code: 'invalid-row', message: 'the row cannot be paid' };
      const place = payout === undefined ? undefined : ofPayout.get(payout);
      const isItsOwn = place !== undefined && namedLine(row) === undefined && !written.has(place);
      // Of two rows for one payment that has a payout, the other is known by what it says: fed in again it is no third.
      const beside = payout === undefined ? row : { ...row, key: null };
      if (payout !== undefined && isItsOwn) put(row, place, payout, problem);
      else put(beside, placeOfInvalid(beside), null, problem);
    },
  };
}

/** Why a row is no payment. */
interface RowProblem {
  readonly code: string;
  readonly message: string;
}

const noProblem: RowProblem = { code: '', message: '' };

interface InvalidRow {
  readonly position: number;
  readonly key: string | null;
  readonly cells: string;
}

/** The `line:17` by which a file of ours calls a row that was never a payment. */
function namedLine(row: DraftRow): number | undefined {
  const key = (JSON.parse(row.payrun) as Record<string, string>)['payrun_key']?.trim() ?? '';
  const named = /^line:(\d{1,9})$/.exec(key);
  return named ? Number(named[1]) : undefined;
}
