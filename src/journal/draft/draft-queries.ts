import { strict as assert } from 'node:assert';
import type { Problem, Repair } from '../../domain/problems/problem.ts';
import type { JournalDatabase } from '../journal-database.ts';

/** Problems of one kind in one column. */
export interface ProblemGroup {
  readonly code: string;
  readonly column: string | undefined;
  readonly blocking: boolean;
  readonly rows: number;
  /** Of the first lines, in the order of the file. */
  readonly first: readonly {
    readonly line: number;
    readonly message: string;
    readonly value: string;
    readonly remedy: string | null;
    /** What rows that were judged beside each other have in common. */
    readonly shared: string | null;
  }[];
}

export interface DraftCounts {
  readonly rows: number;
  readonly valid: number;
  readonly blocking: number;
  readonly warnings: number;
}

export interface Total {
  readonly name: string;
  readonly currency: string;
  readonly rows: number;
  readonly amountMinor: bigint;
}

type StoredProblem = Omit<Problem, 'blocking' | 'column'> & {
  readonly column: string | null;
  readonly blocking: number;
};

const firstOfGroup = 20;

/** Questions about a draft. All in SQL: nothing here grows with the file. Once another stands in its place, they are no more. */
export function draftQueries(db: JournalDatabase, isPresent: () => boolean) {
  const selectProblems = `SELECT line, column_name AS "column", code, message, value, blocking FROM draft.problems`;
  const problemOf = (stored: StoredProblem): Problem => ({
    ...stored,
    column: stored.column ?? undefined,
    blocking: stored.blocking === 1,
  });

  const queries = {
    counts: (): DraftCounts =>
      db
        .prepare<[], DraftCounts>(
          `SELECT (SELECT count(*) FROM draft.rows) AS rows, (SELECT count(*) FROM draft.rows WHERE valid = 1) AS valid,
             (SELECT count(*) FROM draft.problems WHERE blocking = 1) AS blocking,
             (SELECT count(*) FROM draft.problems WHERE blocking = 0) AS warnings`,
        )
        .get() ?? { rows: 0, valid: 0, blocking: 0, warnings: 0 },

    /** In the order of the lines, streamed. */
    *problems(): IterableIterator<Problem> {
      const rows = db.prepare<[], StoredProblem>(`${selectProblems} ORDER BY line, seq`).iterate();
      for (const row of rows) yield problemOf(row);
    },

    /** The blocking ones first, and no more than a few. */
    firstProblems: (limit: number): Problem[] =>
      db
        .prepare<[number], StoredProblem>(`${selectProblems} ORDER BY blocking DESC, line, seq LIMIT ?`)
        .all(limit)
        .map(problemOf),

    *repairs(): IterableIterator<Repair> {
      yield* db
        .prepare<[], Repair>(
          `SELECT line, column_name AS "column", code, message, from_text AS "from", to_text AS "to"
           FROM draft.repairs ORDER BY line, seq`,
        )
        .iterate();
    },

    repairCount: (): number =>
      db.prepare<[], number>('SELECT count(*) FROM draft.repairs').pluck().get() ?? 0,

    problemCodes: (): string[] =>
      db.prepare<[], string>('SELECT DISTINCT code FROM draft.problems').pluck().all(),

    /** The rarest first. */
    problemGroups(): ProblemGroup[] {
      const groups = db
        .prepare<[], { code: string; column: string | null; blocking: number; rows: number }>(
          `SELECT code, column_name AS "column", blocking, count(DISTINCT line) AS rows
           FROM draft.problems GROUP BY code, column_name, blocking ORDER BY rows, code, column_name`,
        )
        .all();
      const first = db.prepare<[string, string | null, number], ProblemGroup['first'][number]>(
        `SELECT line, message, value, remedy, shared FROM draft.problems WHERE code = ? AND column_name IS ? ORDER BY line, seq LIMIT ?`,
      );
      return groups.map(({ code, column, blocking, rows }) => ({
        code,
        column: column ?? undefined,
        blocking: blocking === 1,
        rows,
        first: first.all(code, column, firstOfGroup),
      }));
    },

    /** Exact however many rows: two sums that cannot overflow, put together outside SQL. */
    totals(
      by: 'currency' | 'destination' | 'wallet' | 'country',
      among: 'all' | 'to-send' | 'paid' | 'on-the-way' = 'all',
    ): Total[] {
      const condition = {
        all: '',
        'to-send': ' AND to_send = 1',
        paid: ` AND known_state = 'paid'`,
        'on-the-way': ` AND known_state IN ('submitting', 'submitted', 'unclear')`,
      }[among];
      return db
        .prepare<[], { name: string; currency: string; rows: bigint; high: bigint; low: bigint }>(
          `SELECT ${by} AS name, currency, count(*) AS rows, sum(amount / 1000000) AS high, sum(amount % 1000000) AS low
           FROM draft.rows WHERE valid = 1${condition} GROUP BY ${by}, currency ORDER BY ${by}, currency`,
        )
        .safeIntegers()
        .all()
        .map(({ name, currency, rows, high, low }) => ({
          name,
          currency,
          rows: Number(rows),
          amountMinor: high * 1_000_000n + low,
        }));
    },
  };
  return onlyWhile(isPresent, queries);
}

type Query = (...given: never[]) => unknown;

/** Else they would be answered with what another file says. */
function onlyWhile<Queries extends Readonly<Record<string, Query>>>(
  isPresent: () => boolean,
  queries: Queries,
): Queries {
  const guarded = Object.entries<Query>(queries).map(([name, query]) => [
    name,
    (...given: never[]) => {
      assert(isPresent(), 'what was found of a file lives until the next run, plan or report of its handle');
      return query(...given);
    },
  ]);
  return Object.fromEntries(guarded) as Queries;
}

export type DraftQueries = ReturnType<typeof draftQueries>;
