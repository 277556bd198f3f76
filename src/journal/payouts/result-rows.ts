import { strict as assert } from 'node:assert';
import { columnPlaces, type FileColumn, uniteColumns } from '../../domain/file-columns.ts';
import type { ResultPayout, ResultRow } from '../../domain/payout/result-row.ts';
import { type BatchRecord, readBatchById } from '../batch-record.ts';
import { createEventChain, eventText } from '../event-chain.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { putFact, readFact } from '../key-values.ts';
import { payoutColumns } from './payout-columns.ts';

/** What was written under a path: the last digests of it, the newest last. */
export type WrittenDigests = Readonly<Record<string, readonly string[]>>;

type StoredRow = Omit<
  ResultPayout,
  'attempt' | 'everSent' | 'submittedMs' | 'settledMs' | 'paidNow' | 'serviceSaid'
> & {
  readonly position: bigint;
  readonly line: bigint;
  readonly cells: string;
  readonly columnList: bigint | null;
  readonly problem: string;
  readonly problemCode: string;
  readonly present: bigint;
  readonly payout: bigint | null;
  readonly attempt: bigint;
  readonly everSent: bigint;
  readonly submittedMs: bigint | null;
  readonly settledMs: bigint | null;
  readonly paidNow: bigint;
  readonly words: string | null;
  readonly errorCode: string | null;
};

const rowsAtOnce = 1000;

const payoutFields = [
  'key',
  'attempt',
  'reference',
  'state',
  'code',
  'details',
  'currency',
  'amountMinor',
  'externalAccountId',
  'verdict',
  'resolvedName',
  'hold',
  'transactionId',
  'everSent',
  'submittedMs',
  'settledMs',
  'paidTwice',
  'watched',
  'paidMinor',
] as const satisfies readonly (keyof typeof payoutColumns)[];

/** Of what the service said last of a payout whose fate is not known; of any other the reason tells it. */
const lastSaid = (column: 'words' | 'error_code') =>
  `CASE WHEN payouts.state IN ('submitting', 'unclear') THEN (SELECT sends.${column} FROM sends
     WHERE sends.payout = payouts.id AND (sends.words <> '' OR sends.error_code <> '')
     ORDER BY sends.id DESC LIMIT 1) END`;

/** The rows of a batch beside what became of them, for its results; `run` is the one whose payments are called new. */
export function openResultRows(db: JournalDatabase, batch: number, run: string) {
  const selectRows = db
    .prepare<[string, number, number, number], StoredRow>(
      `SELECT batch_rows.position, batch_rows.line, batch_rows.cells, batch_rows.column_list AS columnList,
         batch_rows.problem, batch_rows.problem_code AS problemCode, batch_rows.present, batch_rows.payout,
         ${payoutFields.map((field) => `payouts.${payoutColumns[field]} AS ${field}`).join(', ')},
         payouts.state = 'paid' AND EXISTS (SELECT 1 FROM events WHERE events.payout = payouts.id
           AND events.run = ? AND events.to_state = 'paid')
           -- What was only found at the service was paid before, by whoever sent it.
           AND EXISTS (SELECT 1 FROM sends WHERE sends.payout = payouts.id AND sends.outcome <> 'not-sent') AS paidNow,
         ${lastSaid('words')} AS words, ${lastSaid('error_code')} AS errorCode
       FROM batch_rows LEFT JOIN payouts ON payouts.id = batch_rows.payout
       WHERE batch_rows.batch = ? AND batch_rows.position > ? ORDER BY batch_rows.position LIMIT ?`,
    )
    .safeIntegers();
  const chain = createEventChain(db);
  const hashOfEvent = db.prepare<[number], string>('SELECT hash FROM events WHERE seq = ?').pluck();
  const digestsKey = `retry:${batch}`;

  return {
    /** With the columns of all files taken in, in the order of first appearance. */
    batch(): BatchRecord {
      const known = readBatchById(db, batch);
      return { ...known, columns: uniteColumns([known.columns, ...laterColumns(db, batch).values()]) };
    },

    /** Every row ever taken in, in the order of first appearance, a page at a time: flat memory however many. */
    *pages(): IterableIterator<readonly ResultRow[]> {
      const first = readBatchById(db, batch).columns;
      const later = laterColumns(db, batch);
      const united = uniteColumns([first, ...later.values()]);
      const places = new Map([...later].map(([id, columns]) => [id, columnPlaces(united, columns)]));
      const firstPlaces = columnPlaces(united, first);
      for (let position = 0; ; ) {
        const rows = selectRows.all(run, batch, position, rowsAtOnce);
        const last = rows.at(-1);
        if (!last) return;
        yield rows.map((row) => {
          const list = row.columnList === null ? firstPlaces : places.get(Number(row.columnList));
          assert(list, `the columns of row ${row.position} are not journaled`);
          return resultRow(row, list);
        });
        position = Number(last.position);
      }
    },

    chainEnd: () => chain.end(),

    /** Whether some text is the number and hash of an event of this journal. */
    hasEvent(text: string): boolean {
      const seq = Number(/^(\d{1,15}):/.exec(text)?.[1]);
      const hash = Number.isSafeInteger(seq) ? hashOfEvent.get(seq) : undefined;
      return hash !== undefined && eventText({ seq, hash }) === text;
    },

    /** What we wrote as retry files: one that is another now was changed by a person. */
    retryDigests: (): WrittenDigests => JSON.parse(readFact(db, digestsKey) ?? '{}') as WrittenDigests,

    /** Inside a write of the journal. */
    saveRetryDigests: (digests: WrittenDigests): void => putFact(db, digestsKey, JSON.stringify(digests)),
  };
}

export type ResultRows = ReturnType<typeof openResultRows>;

function laterColumns(db: JournalDatabase, batch: number): Map<number, FileColumn[]> {
  const lists = db
    .prepare<[number], { id: number; columns: string }>(
      'SELECT id, columns FROM column_lists WHERE batch = ? ORDER BY id',
    )
    .all(batch);
  return new Map(lists.map(({ id, columns }) => [id, JSON.parse(columns) as FileColumn[]]));
}

function resultRow(stored: StoredRow, places: readonly number[]): ResultRow {
  const cells = JSON.parse(stored.cells) as readonly string[];
  return {
    line: Number(stored.line),
    cells: places.map((place) => cells[place] ?? ''),
    payout: stored.payout === null ? undefined : resultPayout(stored),
    problem: stored.problem,
    problemCode: stored.problemCode,
    present: stored.present === 1n,
  };
}

/** Counters and times become ordinary numbers; money stays whole. */
function resultPayout(stored: StoredRow): ResultPayout {
  return {
    key: stored.key,
    attempt: Number(stored.attempt),
    reference: stored.reference,
    state: stored.state,
    code: stored.code,
    details: stored.details,
    currency: stored.currency,
    amountMinor: stored.amountMinor,
    externalAccountId: stored.externalAccountId,
    verdict: stored.verdict,
    resolvedName: stored.resolvedName,
    hold: stored.hold,
    transactionId: stored.transactionId,
    everSent: stored.everSent === 1n,
    submittedMs: stored.submittedMs === null ? null : Number(stored.submittedMs),
    settledMs: stored.settledMs === null ? null : Number(stored.settledMs),
    paidNow: stored.paidNow === 1n,
    paidTwice: stored.paidTwice,
    serviceSaid: [stored.words, stored.errorCode && `(${stored.errorCode})`].filter(Boolean).join(' '),
    watched: stored.watched,
    paidMinor: stored.paidMinor,
  };
}
