import type { JournalDatabase } from './journal-database.ts';
import type { SharedWork } from './shared/shared-of.ts';

/** A part of a batch that one worker carries out at a time. */
export interface Chunk {
  readonly batch: number;
  readonly number: number;
}

/** How far workers have come with a batch, and who they are. */
export interface BatchWork extends SharedWork {
  readonly chunks: ChunkCounts;
}

interface ChunkCounts {
  readonly all: number;
  readonly toDo: number;
}

/** Large enough that taking one costs little beside it, small enough that losing a machine loses little. */
const payeesInChunk = 500;

const unfinished = `('planned', 'ready', 'submitting', 'unclear', 'submitted')`;

/**
 * Inside a write of the journal: the batch is for workers from now on. Chunks are made of payees in the order of the file, so
 * that no payee is in two of them; who was in one stays in it when rows are added.
 */
export function handToWorkers(db: JournalDatabase, batch: number, size: number = payeesInChunk): void {
  db.prepare(
    `UPDATE payouts SET chunk = numbered.chunk FROM (
       SELECT payee, (row_number() OVER (ORDER BY min(id)) - 1) / CAST(@size AS INTEGER) AS chunk FROM payouts
       WHERE batch = @batch GROUP BY payee) AS numbered
     WHERE payouts.batch = @batch AND payouts.payee = numbered.payee AND payouts.chunk IS NOT numbered.chunk`,
  ).run({ batch, size });
}

/** Inside a write of the journal: workers take no more of it; what they have under way they bring to its end. */
export function takeFromWorkers(db: JournalDatabase, batch: number): void {
  db.prepare('UPDATE payouts SET chunk = NULL WHERE batch = ? AND chunk IS NOT NULL').run(batch);
}

/** What is left to do of batches that workers carry out, in their order. */
export function chunksToDo(db: JournalDatabase): Chunk[] {
  return db
    .prepare<[], Chunk>(
      `SELECT batch, chunk AS number FROM payouts WHERE chunk IS NOT NULL AND state IN ${unfinished}
       GROUP BY batch, chunk ORDER BY batch, chunk`,
    )
    .all();
}

/** Whether a chunk is still for workers: a person may take its batch back at any time. */
export function askIfHanded(db: JournalDatabase, { batch, number }: Chunk): () => boolean {
  const any = db
    .prepare<[number, number], number>(
      'SELECT EXISTS (SELECT 1 FROM payouts WHERE batch = ? AND chunk = ? AND chunk IS NOT NULL)',
    )
    .pluck();
  return () => any.get(batch, number) === 1;
}

/** How many chunks a batch has, and how many of them have something left to do. */
export function chunkCounts(db: JournalDatabase, batch: number): ChunkCounts {
  const counts = db
    .prepare<[number], ChunkCounts>(
      `SELECT count(DISTINCT chunk) AS "all", count(DISTINCT iif(state IN ${unfinished}, chunk, NULL)) AS toDo
       FROM payouts WHERE batch = ? AND chunk IS NOT NULL`,
    )
    .get(batch);
  return counts ?? { all: 0, toDo: 0 };
}
