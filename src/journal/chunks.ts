import type { ExitCode, PayrunError } from '../errors.ts';
import type { JournalDatabase } from './journal-database.ts';
import { putValue, readValue } from './key-values.ts';
import { ofChunks } from './payouts/payout-queries.ts';
import type { SharedWork } from './shared/shared-of.ts';

/** A part of a batch that one worker carries out at a time. */
export interface Chunk {
  readonly batch: number;
  readonly number: number;
}

export interface ChunkToDo extends Chunk {
  /** Something is to be sent, or to be found; or only to be settled; or something waits for a person and is looked at again. */
  readonly step: 'send' | 'settle' | 'look';
}

/** How far workers have come with a batch, and who they are. */
export interface BatchWork extends SharedWork {
  readonly chunks: ChunkCounts;
  /** Why they gave it back. */
  readonly stopped: WorkTerms['stopped'];
}

interface ChunkCounts {
  readonly all: number;
  readonly toDo: number;
}

/** Large enough that taking one costs little beside it, small enough that losing a machine loses little. */
const payeesInChunk = 500;
/** Of a very large batch they are larger: what is asked of the whole batch is asked for every chunk. */
const chunksOfBatch = 200;

/** Neither ended nor held, or paid while another transaction of it may still pay as well. */
const isUnended = `state IN ('planned', 'ready', 'submitting', 'unclear', 'submitted')`;
const unfinished = `(${isUnended} OR (state = 'paid' AND watched <> ''))`;

/** On what a batch was left to workers. A worker that is stricter stays so. */
export interface WorkTerms {
  /** Of the run that left it to them. */
  readonly run: string;
  readonly quietPeriodMs: number;
  readonly resends: number;
  readonly lookup: 'auto' | 'always';
  readonly namesMaxAgeMs: number;
  /** Sends of the batch were forgotten: all of it is looked up before it is sent. */
  readonly lookUpEvery: boolean;
  /** What the run was told to keep to: calls of all who work on it. */
  readonly ratePerSecond?: number | undefined;
  /** A person, or a worker that could not go on, has taken it back. */
  readonly isTakenBack?: boolean;
  /** Why workers gave it back, as whoever watches is told. */
  readonly stopped?: {
    readonly code: PayrunError['code'];
    readonly message: string;
    readonly exit: ExitCode;
  };
}

export function readTerms(db: JournalDatabase, batch: number): WorkTerms | undefined {
  const stored = readValue(db, termsFact(batch));
  return stored === undefined ? undefined : (JSON.parse(stored) as WorkTerms);
}

const termsFact = (batch: number) => `work:${batch}`;

/** Who has ever left a batch to workers, as far as the journal knows by now. */
export function runsThatHanded(db: JournalDatabase): ReadonlySet<string> {
  const facts = db
    .prepare<[], string>(`SELECT value FROM facts WHERE key >= 'work:' AND key < 'work;'`)
    .pluck()
    .all();
  return new Set(facts.map((fact) => (JSON.parse(fact) as WorkTerms).run));
}

/** Inside a write of the journal: the batch is for workers from now on. */
export function handToWorkers(db: JournalDatabase, batch: number, terms: WorkTerms, wish?: number): void {
  // What was once forgotten is not known better by the next who hands it over.
  const lookUpEvery = terms.lookUpEvery || readTerms(db, batch)?.lookUpEvery === true;
  numberChunks(db, batch, wish);
  putValue(db, termsFact(batch), JSON.stringify({ ...terms, lookUpEvery }));
}

/**
 * Inside the write that accepts a file for workers: chunks of a large batch are numbered with its rows, since to tell everybody
 * of each row once more would take as long as the first time. Not where workers are at it: what is added is not theirs yet.
 */
export function numberAhead(db: JournalDatabase, batch: number, wish?: number): void {
  if (!isHanded(db, batch)) numberChunks(db, batch, wish);
}

/**
 * Chunks are made of payees in the order of the file, so that no payee is in two of them; who was in one stays in it when rows
 * are added.
 */
function numberChunks(db: JournalDatabase, batch: number, wish?: number): void {
  const size = wish ?? Math.max(payeesInChunk, Math.ceil(payeesOf(db, batch) / chunksOfBatch));
  db.prepare(
    `UPDATE payouts SET chunk = numbered.chunk FROM (
       SELECT payee, (row_number() OVER (ORDER BY min(id)) - 1) / CAST(@size AS INTEGER) AS chunk FROM payouts
       WHERE batch = @batch GROUP BY payee) AS numbered
     WHERE payouts.batch = @batch AND payouts.payee = numbered.payee AND payouts.chunk IS NOT numbered.chunk`,
  ).run({ batch, size });
}

function payeesOf(db: JournalDatabase, batch: number): number {
  const count = db.prepare<[number], number>('SELECT count(DISTINCT payee) FROM payouts WHERE batch = ?');
  return count.pluck().get(batch) ?? 0;
}

/** Inside a write of the journal: workers take no more of it; what they have under way they bring to its end. */
export function takeFromWorkers(db: JournalDatabase, batch: number): void {
  changeTerms(db, batch, { isTakenBack: true });
}

/** Inside a write of the journal: nobody takes more of it until a person hands it over again. */
export function closeForWorkers(
  db: JournalDatabase,
  batch: number,
  stopped: NonNullable<WorkTerms['stopped']>,
): void {
  // The first who stopped knows why; others of its process only stop with it.
  changeTerms(db, batch, { isTakenBack: true, stopped: readTerms(db, batch)?.stopped ?? stopped });
}

/** Inside a write of the journal: sends of the batch were forgotten, and all who work on it are to know. */
export function noteForgotten(db: JournalDatabase, batch: number): void {
  changeTerms(db, batch, { lookUpEvery: true });
}

function changeTerms(db: JournalDatabase, batch: number, changes: Partial<WorkTerms>): void {
  const terms = readTerms(db, batch);
  if (terms) putValue(db, termsFact(batch), JSON.stringify({ ...terms, ...changes }));
}

/** Whether workers may take of it. Which of its payouts, their chunks say. */
function isHanded(db: JournalDatabase, batch: number): boolean {
  const terms = readTerms(db, batch);
  return terms !== undefined && terms.isTakenBack !== true;
}

/**
 * What is left to do of batches that workers carry out, in their order. From one chunk to the next in the index: a batch may
 * have a million payouts, and this is asked for every chunk.
 */
export function* chunksToDo(db: JournalDatabase): Generator<ChunkToDo> {
  const next = db.prepare<[number, number], Chunk>(
    `SELECT batch, chunk AS number FROM payouts WHERE chunk IS NOT NULL AND (batch, chunk) > (?, ?)
     ORDER BY batch, chunk LIMIT 1`,
  );
  const anyIn = (condition: string) =>
    db
      .prepare<[number, number], number>(
        `SELECT EXISTS (SELECT 1 FROM payouts WHERE batch = ? AND chunk = ? AND chunk IS NOT NULL AND ${condition})`,
      )
      .pluck();
  const isUnsent = anyIn(`state IN ('planned', 'ready', 'submitting')`);
  const isUnclear = anyIn(`state = 'unclear'`);
  const isSubmitted = anyIn(`state = 'submitted'`);
  const watched = db
    .prepare<[], Chunk>(
      `SELECT DISTINCT batch, chunk AS number FROM payouts INDEXED BY payouts_watched
       WHERE watched <> '' AND state = 'paid' AND chunk IS NOT NULL`,
    )
    .all();
  let chunk = next.get(-1, -1);
  while (chunk) {
    const { batch, number } = chunk;
    if (!isHanded(db, batch)) {
      chunk = next.get(batch, Number.MAX_SAFE_INTEGER);
      continue;
    }
    const isWatched = watched.some((each) => each.batch === batch && each.number === number);
    if (isUnsent.get(batch, number) === 1) yield { ...chunk, step: 'send' };
    else if (isUnclear.get(batch, number) === 1) yield { ...chunk, step: 'look' };
    else if (isWatched || isSubmitted.get(batch, number) === 1) yield { ...chunk, step: 'settle' };
    chunk = next.get(batch, number);
  }
}

/** Whether nothing of it is left to do. */
export function isEnded(db: JournalDatabase, { batch, number }: Chunk): boolean {
  const any = db.prepare<[number], number>(
    `SELECT EXISTS (SELECT 1 FROM payouts WHERE batch = ?${ofChunks([number])} AND ${unfinished})`,
  );
  return any.pluck().get(batch) === 0;
}

/** By which it is known whether anybody has begun to send something of a chunk since: every send stands in the journal first. */
export function sendsMark(db: JournalDatabase, { batch, number }: Chunk): string {
  const mark = db.prepare<[number, number], string>(
    `SELECT count(*) || ' ' || coalesce(max(sends.id), 0) FROM payouts JOIN sends ON sends.payout = payouts.id
     WHERE batch = ? AND chunk = ? AND chunk IS NOT NULL`,
  );
  return mark.pluck().get(batch, number) ?? '';
}

/** Whether chunks are still for workers: a person may take their batch back at any time. It is asked before every call. */
export function askIfHanded(db: JournalDatabase, batch: number, chunks: readonly number[]): () => boolean {
  const areThere = chunks.map(
    (number) => `EXISTS (SELECT 1 FROM payouts WHERE batch = @batch${ofChunks([number])})`,
  );
  const all = db
    .prepare<{ fact: string; batch: number }, number>(
      `SELECT EXISTS (SELECT 1 FROM facts WHERE key = @fact AND value ->> 'isTakenBack' IS NOT 1) AND ${areThere.join(' AND ')}`,
    )
    .pluck();
  return () => all.get({ fact: termsFact(batch), batch }) === 1;
}

/** Whether these are not all that the batch has. */
export function hasOtherChunks(db: JournalDatabase, batch: number, chunks: readonly number[]): boolean {
  const any = db.prepare<[number], number>(
    `SELECT EXISTS (SELECT 1 FROM payouts INDEXED BY payouts_by_chunk
       WHERE batch = ? AND chunk IS NOT NULL AND NOT (true${ofChunks(chunks)}))`,
  );
  return any.pluck().get(batch) === 1;
}

/** Payouts of a batch that workers are to carry out: not sent yet, and not ended. Out of the indexes alone: it is asked all the time. */
export function handedCounts(db: JournalDatabase, batch: number): { unsent: number; left: number } {
  if (!isHanded(db, batch)) return { unsent: 0, left: 0 };
  const inStates = db
    .prepare<[number], { unsent: number; left: number }>(
      `SELECT count(*) FILTER (WHERE state IN ('planned', 'ready', 'submitting')) AS unsent,
         count(*) FILTER (WHERE state = 'submitted') AS "left"
       FROM payouts INDEXED BY payouts_by_chunk WHERE batch = ? AND chunk IS NOT NULL`,
    )
    .get(batch);
  const watched = db
    .prepare<[number], number>(
      `SELECT count(*) FROM payouts INDEXED BY payouts_watched
       WHERE batch = ? AND watched <> '' AND state = 'paid' AND chunk IS NOT NULL`,
    )
    .pluck()
    .get(batch);
  return { unsent: inStates?.unsent ?? 0, left: (inStates?.left ?? 0) + (watched ?? 0) };
}

/** How many chunks a batch has, and how many of them have something left to do. */
export function chunkCounts(db: JournalDatabase, batch: number): ChunkCounts {
  if (!isHanded(db, batch)) return { all: 0, toDo: 0 };
  const counts = db
    .prepare<[number], ChunkCounts>(
      `SELECT count(DISTINCT chunk) AS "all", count(DISTINCT iif(${unfinished}, chunk, NULL)) AS toDo
       FROM payouts WHERE batch = ? AND chunk IS NOT NULL`,
    )
    .get(batch);
  return counts ?? { all: 0, toDo: 0 };
}
