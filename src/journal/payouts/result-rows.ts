import { strict as assert } from 'node:assert';
import { columnPlaces, type FileColumn, uniteColumns } from '../../domain/file-columns.ts';
import { type ResultPayout, type ResultRow, resultFields } from '../../domain/payout/result-row.ts';
import { textsFrom } from '../../domain/text/text-list.ts';
import { type BatchRecord, readBatchById } from '../batch-record.ts';
import { eventChain, eventText } from '../event-chain.ts';
import { inPages } from '../in-pages.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { dropValue, putValue, readValue, resultsDue } from '../key-values.ts';
import { columnsOf, payoutFromStore } from './payout-columns.ts';

/** What was written under a path: the last digests of it, the newest last. */
export type WrittenDigests = Readonly<Record<string, readonly string[]>>;

/** Read as one text, like payouts. The last are the fields of the results. */
type StoredRow = readonly [
  position: number,
  line: number,
  cells: string,
  columnList: number | null,
  problem: string,
  problemCode: string,
  present: number,
  payout: number | null,
  paidNow: number,
  words: string | null,
  errorCode: string | null,
  releases: string | null,
  ...fields: unknown[],
];

const rowsAtOnce = 100;

/** Of what the service said last of a payout whose fate is not known; of any other the reason tells it. */
const lastSaid = (column: 'words' | 'error_code') =>
  `CASE WHEN payouts.state IN ('submitting', 'unclear') THEN (SELECT sends.${column} FROM sends
     WHERE sends.payout = payouts.id AND (sends.words <> '' OR sends.error_code <> '')
     ORDER BY sends.id DESC LIMIT 1) END`;

/**
 * What people said of a payout that they let pass, since it last began anew: most have no such mark, and are not asked about.
 * That one is paid all the same is said only as long as it counts.
 */
const releases = `CASE WHEN payouts.released <> '' THEN (SELECT group_concat(said, '; ') FROM (
  SELECT operator || ' ' || why AS said FROM events WHERE events.payout = payouts.id
    AND substr(events.run, 1, 9) = 'decision '
    AND ((from_state, to_state) IN (VALUES ('held', 'planned'), ('unclear', 'submitting'))
      OR (to_state = from_state AND to_state = 'paid' AND ' ' || payouts.released || ' ' LIKE '% doubt %'))
    AND seq > coalesce((SELECT max(seq) FROM events AS anew WHERE anew.payout = payouts.id
      AND anew.to_state = 'planned' AND anew.from_state <> 'held'), 0) ORDER BY seq)) END`;

/**
 * The rows of a batch beside what became of them, for its results; `run` is the one whose payments are called new, and so are
 * those of anybody after that event.
 */
export function openResultRows(
  db: JournalDatabase,
  batch: number,
  run: string,
  afterEvent: number = Number.MAX_SAFE_INTEGER,
) {
  const selectRows = db
    .prepare<[string, number, number, number, number], string>(
      `SELECT json_array(batch_rows.position, batch_rows.line, batch_rows.cells, batch_rows.column_list,
         batch_rows.problem, batch_rows.problem_code, batch_rows.present, batch_rows.payout,
         payouts.state = 'paid' AND EXISTS (SELECT 1 FROM events WHERE events.payout = payouts.id
           AND (events.run = ? OR events.seq > ?) AND events.to_state = 'paid' AND events.from_state <> 'paid')
           -- What was only found at the service was paid before, by whoever sent it.
           AND EXISTS (SELECT 1 FROM sends WHERE sends.payout = payouts.id AND sends.reference = payouts.reference
             AND sends.outcome <> 'not-sent'),
         ${lastSaid('words')}, ${lastSaid('error_code')}, ${releases}, ${columnsOf(resultFields)})
       FROM batch_rows LEFT JOIN payouts ON payouts.id = batch_rows.payout
       WHERE batch_rows.batch = ? AND batch_rows.position > ? ORDER BY batch_rows.position LIMIT ?`,
    )
    .pluck();
  const chain = eventChain(db);
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
      const read = (after: number) =>
        selectRows
          .all(run, afterEvent, batch, after, rowsAtOnce)
          .map((text) => JSON.parse(text) as StoredRow);
      for (const rows of inPages(read, ([position]) => position)) {
        yield rows.map((row) => {
          const [position, , , columnList] = row;
          const list = columnList === null ? firstPlaces : places.get(columnList);
          assert(list, `the columns of row ${position} are not journaled`);
          return resultRow(row, list);
        });
      }
    },

    chainEnd: () => chain.end(),

    /** Whether some text is the number and hash of an event of this journal. */
    hasEvent(text: string): boolean {
      const seq = Number(/^(\d{1,15}):/.exec(text)?.[1]);
      const hash = Number.isSafeInteger(seq) ? hashOfEvent.get(seq) : undefined;
      return hash !== undefined && eventText({ seq, hash }) === text;
    },

    /** Whether they lack what a person has decided. */
    areDue: (): boolean => readValue(db, resultsDue(batch)) !== undefined,

    /** Inside a write of the journal. */
    noteWritten: (): void => dropValue(db, resultsDue(batch)),

    /** What we wrote as retry files: one that is another now was changed by a person. */
    retryDigests: (): WrittenDigests => JSON.parse(readValue(db, digestsKey) ?? '{}') as WrittenDigests,

    /** Inside a write of the journal. */
    saveRetryDigests: (digests: WrittenDigests): void => putValue(db, digestsKey, JSON.stringify(digests)),
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
  const [, line, text, , problem, problemCode, present, payout] = stored;
  const cells = textsFrom(text);
  return {
    line,
    cells: places.map((place) => cells[place] ?? ''),
    payout: payout === null ? undefined : resultPayout(stored),
    problem,
    problemCode,
    present: present === 1,
  };
}

function resultPayout(row: StoredRow): ResultPayout {
  const [, , , , , , , , paidNow, words, errorCode, releases] = row;
  const serviceSaid = [words, errorCode && `(${errorCode})`].filter(Boolean).join(' ');
  const stored: Record<string, unknown> = { paidNow: paidNow === 1, serviceSaid, releases: releases ?? '' };
  const fieldsBegin = row.length - resultFields.length;
  resultFields.forEach((field, place) => {
    stored[field] = row[fieldsBegin + place];
  });
  return payoutFromStore<ResultPayout>(stored);
}
