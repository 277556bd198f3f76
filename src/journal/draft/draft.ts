import { deserialize, serialize } from 'node:v8';
import type { Payout } from '../../domain/payout/payout.ts';
import type { Problem, Repair } from '../../domain/problems/problem.ts';
import type { PaymentKey } from '../../domain/reference.ts';
import { inPages } from '../in-pages.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { payoutColumns, rowFields } from '../payouts/payout-columns.ts';
import { addCrossRowProblems, type ColumnNames } from './cross-row-problems.ts';
import { holdRoomForDraft, makeRoomForDraft } from './room-for-draft.ts';

/** A row of the file, not yet judged. */
export interface DraftLine {
  readonly line: number;
  readonly cells: readonly string[];
  /** Our own columns as read back; empty for a file that is not ours. */
  readonly payrun: Readonly<Record<string, string>>;
  /** What reading found. A blocking one means that the cells cannot be trusted. */
  readonly problems: readonly Problem[];
}

export interface StoredLine extends Omit<DraftLine, 'problems'> {
  readonly position: number;
  readonly unreadable: boolean;
  /** Our own columns as they are stored. */
  readonly payrunText: string;
}

/** What judging makes of a row that can be paid: plain text and numbers, in canonical form. */
export interface DraftPayout extends Pick<Payout, (typeof rowFields)[number]> {
  readonly wallet: string;
}

/** What judging made of one line. An invalid one still has its key, where that could be read. */
export interface Judgement {
  readonly stored: StoredLine;
  readonly key: string | undefined;
  readonly payout: DraftPayout | undefined;
  readonly problems: readonly Problem[];
  readonly repairs: readonly Repair[];
  /** It is no row of the draft: nothing but its problems is kept. */
  readonly isPassedOver?: boolean;
}

/** Enough for the pages in use; more only makes a large file take more memory than a small one. */
const cacheKilobytes = 4000;

const noPayrun: StoredLine['payrun'] = {};

const draftFields = [...rowFields, 'wallet'] as const;
/** By these rows are held against each other and added up: of a file that is only checked nobody asks for more. */
const checkedFields = [
  'key',
  'payee',
  'accountName',
  'foldedName',
  'country',
  'currency',
  'amountMinor',
  'destination',
  'number',
  'wallet',
] as const satisfies readonly (typeof draftFields)[number][];

const schema = `
  -- A page of lines each, by the position of its first.
  CREATE TABLE draft.lines (position INTEGER PRIMARY KEY, packed BLOB NOT NULL);
  CREATE TABLE draft.rows (
    position INTEGER PRIMARY KEY,
    line INTEGER NOT NULL,
    cells TEXT,
    payrun TEXT,
    valid INTEGER NOT NULL,
    -- What becomes of it, what state its payout is in, and whether money will go out for it. A row is taken for new
    -- until the journal was asked.
    fate TEXT, known_state TEXT, to_send INTEGER NOT NULL,
    key TEXT, reference TEXT, attempt INTEGER, fingerprint TEXT, payee TEXT, account_name TEXT, folded_name TEXT,
    country TEXT, currency TEXT, amount INTEGER, destination TEXT, number TEXT, bank_code TEXT, operator TEXT,
    branch_code TEXT, debit_currency TEXT, debit_country TEXT, wallet TEXT, narration TEXT
  );
  CREATE TABLE draft.problems (
    seq INTEGER PRIMARY KEY, line INTEGER NOT NULL, column_name TEXT, code TEXT NOT NULL, message TEXT NOT NULL,
    value TEXT NOT NULL, blocking INTEGER NOT NULL, remedy TEXT,
    -- What rows that were judged beside each other have in common.
    shared TEXT
  );
  CREATE TABLE draft.repairs (
    seq INTEGER PRIMARY KEY, line INTEGER NOT NULL, column_name TEXT, code TEXT NOT NULL, message TEXT NOT NULL,
    from_text TEXT NOT NULL, to_text TEXT NOT NULL
  );
`;

/**
 * Rows taken in and not yet accepted, beside the journal: a database of its own that SQLite keeps on disk as far as
 * it does not fit its cache and throws away at the end. So a million rows take flat memory, questions about them are
 * questions to SQL, and a refused draft leaves no trace. One that is only checked lacks what acceptance needs, and could
 * not be accepted.
 */
export function openDraft(db: JournalDatabase, isOnlyChecked: boolean) {
  makeRoomForDraft(db);
  db.exec(`ATTACH DATABASE '' AS draft`);
  // Nothing of a draft outlives its process, so nothing of it need be undone: a rollback journal would be kept in memory.
  db.pragma('draft.synchronous = OFF');
  db.pragma('draft.journal_mode = OFF');
  db.pragma(`draft.cache_size = ${-cacheKilobytes}`);
  // What SQLite may sort in memory goes by the cache of the main database, which a draft that is only checked hardly reads.
  const usualCache = db.pragma('main.cache_size', { simple: true });
  const sortInLittle = () => db.pragma(`main.cache_size = ${-cacheKilobytes}`);
  const sortAsUsual = () => db.pragma(`main.cache_size = ${usualCache}`);
  const room = holdRoomForDraft(db, () => {
    db.exec('DETACH DATABASE draft');
    sortAsUsual();
  });
  if (isOnlyChecked) sortInLittle();
  try {
    db.exec(schema);
  } catch (error) {
    // Nobody works with it.
    room.release();
    throw error;
  }
  let linesTaken = 0;
  const insertLines = db.prepare<[number, Buffer]>('INSERT INTO draft.lines VALUES (?, ?)');
  const page = db.prepare<[number], { readonly position: number; readonly packed: Buffer }>(
    'SELECT position, packed FROM draft.lines WHERE position > ? ORDER BY position LIMIT 1',
  );
  // A second table, and not columns that are filled later: rows that grow in place cost twice the time.
  const fields = isOnlyChecked ? checkedFields : draftFields;
  const columns = fields.map((field) => (field === 'wallet' ? field : payoutColumns[field]));
  const insertPayout = db.prepare<unknown[]>(
    `INSERT INTO draft.rows (valid, fate, to_send, ${columns}, position, line${isOnlyChecked ? '' : ', cells, payrun'})
     VALUES (1, 'new', 1, ${columns.map(() => '?')}, ?, ?${isOnlyChecked ? '' : ', ?, ?'})`,
  );
  const insertInvalid = db.prepare<unknown[]>(
    'INSERT INTO draft.rows (valid, to_send, key, position, line, cells, payrun) VALUES (0, 0, ?, ?, ?, ?, ?)',
  );
  const insertProblem = db.prepare(
    'INSERT INTO draft.problems (line, column_name, code, message, value, blocking, remedy) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insertRepair = db.prepare(
    'INSERT INTO draft.repairs (line, column_name, code, message, from_text, to_text) VALUES (?, ?, ?, ?, ?, ?)',
  );

  const addProblems = (problems: Iterable<Problem>): void => {
    for (const { line, column, code, message, value, blocking, remedy } of problems) {
      insertProblem.run(line, column ?? null, code, message, value, blocking ? 1 : 0, remedy ?? null);
    }
  };
  const together = (write: () => void): void => db.transaction(write)();

  /** All lines in the order of the file, a page at a time. */
  const linePages = (): IterableIterator<readonly StoredLine[]> =>
    inPages(
      (after) => page.all(after).flatMap(({ position, packed }) => unpackLines(packed, position)),
      ({ position }) => position,
    );

  return {
    linePages,

    /** Lines as they came, with what reading already said about them. */
    addLines: (lines: readonly DraftLine[]): void =>
      together(() => {
        if (lines.length > 0) insertLines.run(linesTaken + 1, packLines(lines));
        linesTaken += lines.length;
        for (const { problems } of lines) addProblems(problems);
      }),

    /** What the file's own payrun_batch cells say, a few of them. */
    ownBatches: (limit: number): string[] => {
      const named = new Set<string>();
      for (const lines of linePages())
        for (const { payrun } of lines) {
          const batch = payrun['payrun_batch'] ?? '';
          if (named.size < limit && batch.replaceAll(' ', '') !== '') named.add(batch);
        }
      return [...named];
    },

    /** Many judgements at once: what can be paid, and everything said about the rows. */
    addJudgements: (judgements: Iterable<Judgement>): void =>
      together(() => {
        for (const { stored, key, payout, problems, repairs, isPassedOver } of judgements) {
          const { position, line, cells, payrunText } = stored;
          if (payout) {
            const values: unknown[] = fields.map((field) => payout[field]);
            values.push(position, line);
            if (!isOnlyChecked) values.push(JSON.stringify(cells), payrunText);
            insertPayout.run(values);
          } else if (!isPassedOver)
            insertInvalid.run(key ?? null, position, line, JSON.stringify(cells), payrunText);
          addProblems(problems);
          for (const { line: at, column, code, message, from, to } of repairs) {
            insertRepair.run(at, column ?? null, code, message, from, to);
          }
        }
      }),

    addProblems: (problems: Iterable<Problem>): void => together(() => addProblems(problems)),

    /** When every line was judged. Indexes are made last: keeping them up to date meanwhile would cost more. */
    finish: (): void => {
      sortInLittle();
      db.exec(`DROP TABLE draft.lines;
        CREATE INDEX draft.rows_by_key ON rows (key);
        CREATE INDEX draft.rows_by_payee ON rows (payee, folded_name);
        CREATE INDEX draft.rows_by_name ON rows (folded_name, payee);
        CREATE INDEX draft.problems_by_line ON problems (line)`);
      if (!isOnlyChecked) sortAsUsual();
    },

    addCrossRowProblems: (keyKind: PaymentKey['kind'], allowShared: number, columns: ColumnNames): void =>
      together(() => addCrossRowProblems(db, keyKind, allowShared, columns)),

    ...room,
  };
}

export type Draft = ReturnType<typeof openDraft>;

type PackedLine = readonly [line: number, cells: readonly string[], payrunText: string, unreadable: boolean];

/**
 * Not as JSON: reading that back would enter every short text of the file into a table of V8's own, which grows with
 * the file and is swept only by a full garbage collection.
 */
function packLines(lines: readonly DraftLine[]): Buffer {
  const packed = lines.map(({ line, cells, payrun, problems }): PackedLine => {
    const unreadable = problems.some((problem) => problem.blocking);
    return [line, cells, JSON.stringify(payrun), unreadable];
  });
  return serialize(packed);
}

function unpackLines(packed: Buffer, first: number): StoredLine[] {
  const lines = deserialize(packed) as readonly PackedLine[];
  return lines.map(([line, cells, payrunText, unreadable], index) => ({
    position: first + index,
    line,
    cells,
    payrun: payrunText === '{}' ? noPayrun : JSON.parse(payrunText),
    payrunText,
    unreadable,
  }));
}
