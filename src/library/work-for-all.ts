import { strict as assert } from 'node:assert';
import { hostname } from 'node:os';
import { environmentKey } from '../domain/environment/environment.ts';
import { PayrunError } from '../errors.ts';
import { type BatchRecord, readBatchById } from '../journal/batch-record.ts';
import { type Chunk, chunksToDo, readTerms, runsThatHanded, sendsMark } from '../journal/chunks.ts';
import type { HeldBatch } from '../journal/held-batch.ts';
import { type SharedJournal, sharedOf } from '../journal/shared/shared-of.ts';
import type { WorkerDesk } from '../journal/shared/worker-desk.ts';
import type { ResumeParts } from '../pipeline/resume-batch.ts';
import { type Breakers, createBreakers } from '../pipeline/run/breaker.ts';
import { newWorkerMemory, type WorkerMemory } from '../pipeline/run/run-context.ts';
import { type ChunkWork, workChunk } from '../pipeline/work-chunk.ts';
import { keepPresent, type Presence } from './keep-present.ts';
import type { WorkTold } from './work-told.ts';

type Parts = Pick<
  ResumeParts,
  'db' | 'clock' | 'service' | 'environment' | 'settings' | 'operator' | 'onEvent' | 'signal'
>;

export interface WorkerParts extends Parts {
  readonly desk: WorkerDesk;
  /** That all workers keep to together. */
  readonly ratePerSecond: number | undefined;
  /** From now on, beside its own: that of the batch which it works on. */
  readonly keepRate: (ratePerSecond: number | undefined) => void;
  readonly onWork: (told: WorkTold) => void;
}

const lookEveryMs = 1_000;

/**
 * Works on whatever batches of this account were left to workers, a chunk at a time, until it is told to stop: then it brings
 * to its end what is under way. Any number of these may run, and any of them may die.
 */
export async function workForAll(parts: WorkerParts): Promise<void> {
  const { db, clock, desk } = parts;
  const shared = sharedOf(db);
  assert(shared, 'workers share a journal');
  const stopped = new AbortController();
  const signal = AbortSignal.any([parts.signal, stopped.signal]);
  const memory = newWorkerMemory();
  const handedBefore = runsThatHanded(db);
  const hasSeen = (run: string) => !handedBefore.has(run);
  const presence = keepPresent(desk, parts, (error) => stopped.abort(error));
  const breakers = new Map<number, Breakers>();

  /** Whether there was something to do. A journal that others hold for long is no end of this worker: it comes back to it. */
  async function workOnce(of: SharedJournal): Promise<boolean> {
    try {
      const taken = await takeChunk(parts, of, desk, presence);
      if (taken) await workOn({ ...parts, signal, memory, hasSeen }, presence, breakers, taken);
      return taken !== undefined;
    } catch (error) {
      if (!(error instanceof PayrunError) || error.code !== 'journal-busy') throw error;
      const message = 'Others held the shared journal for too long. What is left is tried again.';
      parts.onEvent({ kind: 'notice', message });
      return false;
    }
  }

  try {
    await desk.enter(`${hostname()}:${process.pid}`, shared.session, parts.ratePerSecond);
    await presence.begin();
    parts.onWork({ kind: 'ready' });
    while (!signal.aborted) {
      if (!(await workOnce(shared))) await clock.sleep(lookEveryMs, signal);
    }
    if (stopped.signal.aborted) throw stopped.signal.reason;
  } finally {
    presence.end();
    memory.kept?.list.letGo();
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
  presence: Presence,
): Promise<TakenChunk | undefined> {
  await shared.catchUp();
  await presence.look();
  const isWaiting = await desk.waiting();
  const own = environmentKey(environment);
  const foreign = new Set<number>();
  for (const chunk of chunksToDo(db)) {
    if (foreign.has(chunk.batch) || isWaiting(chunk)) continue;
    const batch = readBatchById(db, chunk.batch);
    if (presence.isWanted(batch.name)) continue;
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
  parts: WorkerParts & { readonly memory: WorkerMemory } & Pick<ChunkWork, 'hasSeen'>,
  presence: Presence,
  breakers: Map<number, Breakers>,
  { batch, chunk, lock }: TakenChunk,
): Promise<void> {
  const { desk, settings } = parts;
  const counted = breakers.get(batch.id) ?? createBreakers(settings.concurrency);
  breakers.set(batch.id, counted);
  const told = { batch: batch.name, chunk: chunk.number };
  const terms = readTerms(parts.db, batch.id);
  parts.keepRate(terms?.ratePerSecond);
  await presence.does(`batch ${batch.name}, chunk ${chunk.number}`, terms?.ratePerSecond);
  parts.onWork({ kind: 'took', ...told });
  try {
    const worked = await workChunk(parts, batch, chunk, lock, {
      isWanted: () => presence.isWanted(batch.name),
      // Whoever hands it over may have numbered its chunks anew.
      startedMonotonicMs: presence.since(
        `${terms?.run} ${chunk.batch} ${chunk.number}`,
        sendsMark(parts.db, chunk),
        lock.graceMs,
      ),
      worker: parts.memory,
      hasSeen: parts.hasSeen,
      breakers: counted,
    });
    // Whoever hands it over again begins anew.
    if (worked.stopped) breakers.delete(batch.id);
    parts.onWork({ kind: 'done', ...told, ...worked });
    if (worked.left > 0) await desk.putOff(chunk);
    else await desk.forget(chunk);
  } finally {
    lock.release();
    parts.keepRate(undefined);
    await presence.does('nothing');
  }
}
