import { strict as assert } from 'node:assert';
import { hostname } from 'node:os';
import { environmentKey } from '../domain/environment/environment.ts';
import { PayrunError } from '../errors.ts';
import { type BatchRecord, readBatchById } from '../journal/batch-record.ts';
import { type Chunk, chunksToDo } from '../journal/chunks.ts';
import type { HeldBatch } from '../journal/held-batch.ts';
import { type SharedJournal, sharedOf } from '../journal/shared/shared-of.ts';
import { openWorkerDesk, type WorkerDesk } from '../journal/shared/worker-desk.ts';
import type { ResumeParts } from '../pipeline/resume-batch.ts';
import { type WorkedChunk, workChunk } from '../pipeline/work-chunk.ts';

type Parts = Pick<
  ResumeParts,
  'db' | 'clock' | 'service' | 'environment' | 'settings' | 'operator' | 'onEvent' | 'signal'
>;

export interface WorkerParts extends Parts {
  readonly url: string;
  readonly schema: string;
  readonly onWork: (told: WorkTold) => void;
}

/** What a worker tells whoever watches it. */
export type WorkTold =
  | { readonly kind: 'beat'; readonly doing: string }
  | { readonly kind: 'ended-others'; readonly count: number }
  | { readonly kind: 'took'; readonly batch: string; readonly chunk: number }
  | ({ readonly kind: 'done'; readonly batch: string; readonly chunk: number } & WorkedChunk);

const beatEveryMs = 5_000;
const lookEveryMs = 1_000;

/**
 * Works on whatever batches of this account were left to workers, a chunk at a time, until it is told to stop: then it brings
 * to its end what is under way. Any number of these may run, and any of them may die.
 */
export async function workForAll(parts: WorkerParts): Promise<void> {
  const { db, clock } = parts;
  const shared = sharedOf(db);
  assert(shared, 'workers share a journal');
  const desk = await openWorkerDesk(parts.url, parts.schema);
  const stopped = new AbortController();
  const signal = AbortSignal.any([parts.signal, stopped.signal]);
  const presence = keepPresent(desk, parts, (error) => stopped.abort(error));
  try {
    await desk.enter(`${hostname()}:${process.pid}`, shared.session);
    await presence.begin();
    while (!signal.aborted) {
      const taken = await takeChunk(parts, shared, desk);
      if (taken) await workOn({ ...parts, signal }, desk, presence, taken);
      else await clock.sleep(lookEveryMs, signal);
    }
    if (stopped.signal.aborted) throw stopped.signal.reason;
  } finally {
    presence.end();
    await desk.leave();
  }
}

interface TakenChunk {
  readonly batch: BatchRecord;
  readonly chunk: Chunk;
  readonly lock: HeldBatch;
}

/** The first that nobody has and that is worth it now; undefined where there is none. */
async function takeChunk(
  { db, clock, environment }: WorkerParts,
  shared: SharedJournal,
  desk: WorkerDesk,
): Promise<TakenChunk | undefined> {
  await shared.catchUp();
  const isWaiting = await desk.waiting();
  const own = environmentKey(environment);
  const foreign = new Set<number>();
  for (const chunk of chunksToDo(db)) {
    if (foreign.has(chunk.batch) || isWaiting(chunk)) continue;
    const batch = readBatchById(db, chunk.batch);
    if (environmentKey(batch.environment) !== own) {
      foreign.add(chunk.batch);
      continue;
    }
    const lock = await lockUnlessHeld(shared, batch.name, chunk, clock);
    // As it is now: a person may have changed it until the lock was ours.
    if (lock) return { batch: readBatchById(db, chunk.batch), chunk, lock };
  }
  return undefined;
}

async function lockUnlessHeld(
  shared: SharedJournal,
  batch: string,
  { number }: Chunk,
  clock: WorkerParts['clock'],
): Promise<HeldBatch | undefined> {
  try {
    return await shared.lockChunk(batch, number, clock);
  } catch (error) {
    if (error instanceof PayrunError && error.code === 'batch-locked') return undefined;
    throw error;
  }
}

async function workOn(
  parts: WorkerParts,
  desk: WorkerDesk,
  presence: Presence,
  { batch, chunk, lock }: TakenChunk,
): Promise<void> {
  const told = { batch: batch.name, chunk: chunk.number };
  presence.does(`batch ${batch.name}, chunk ${chunk.number}`);
  parts.onWork({ kind: 'took', ...told });
  try {
    const worked = await workChunk(parts, batch, chunk, lock);
    parts.onWork({ kind: 'done', ...told, ...worked });
    const { stopped } = worked;
    // What stops all of it: the service, the credentials, a limit. One that lacks an answer only stops its own.
    if (stopped && stopped.code !== 'not-all-sent') await desk.putOffBatch(chunk.batch);
    if (worked.left > 0) await desk.putOff(chunk);
    else await desk.forget(chunk);
  } finally {
    lock.release();
    presence.does('nothing');
  }
}

type Presence = ReturnType<typeof keepPresent>;

/** Tells the others every few seconds that this one is there. Where that fails, they will end it: so it ends itself. */
function keepPresent(desk: WorkerDesk, { onWork }: WorkerParts, onLost: (error: Error) => void) {
  let doing = 'nothing';
  let timer: NodeJS.Timeout | undefined;
  const beat = async () => {
    try {
      const count = await desk.beat(doing);
      onWork({ kind: 'beat', doing });
      if (count > 0) onWork({ kind: 'ended-others', count });
      timer = setTimeout(() => void beat(), beatEveryMs);
    } catch (error) {
      onLost(lost(error as Error));
    }
  };
  return {
    begin: beat,
    does(what: string): void {
      doing = what;
    },
    end: () => clearTimeout(timer),
  };
}

function lost(cause: Error): PayrunError {
  return new PayrunError(
    'journal-write-failed',
    `The shared journal is gone (${cause.message}). This worker brought to its end what was under way, and stopped; others carry on.`,
    { cause },
  );
}
