import { strict as assert } from 'node:assert';
import { hostname } from 'node:os';
import { PayrunError } from '../errors.ts';
import { type Chunk, isEnded, readTerms, runsThatHanded, sendsMark } from '../journal/chunks.ts';
import { journalCommit } from '../journal/journal.ts';
import { createQueue } from '../journal/shared/one-at-a-time.ts';
import { type SharedJournal, sharedOf } from '../journal/shared/shared-of.ts';
import type { WorkerDesk } from '../journal/shared/worker-desk.ts';
import type { ResumeParts } from '../pipeline/resume-batch.ts';
import { type Breakers, createBreakers } from '../pipeline/run/breaker.ts';
import { newWorkerMemory, type WorkerMemory } from '../pipeline/run/run-context.ts';
import { type ChunkWork, workChunks } from '../pipeline/work-chunks.ts';
import { callsAtOnce } from '../service/calls-at-once.ts';
import { createChunksInHand } from './chunks-in-hand.ts';
import { keepPresent, type Presence } from './keep-present.ts';
import { type TakenChunks, takeChunks } from './take-chunks.ts';
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
/** While one waits for the last of a stage, or for the journal, another has calls to make. All together make no more than one would. */
const atOnce = 2;
/** Who has one leaves the next so long to others, who may have none: each of them looks every second. */
const leftToOthersMs = 1_500;

/**
 * Works on whatever batches of this account were left to workers, two chunks at a time, until it is told to stop: then it
 * brings to its end what is under way. Any number of these may run, and any of them may die.
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
  const breakers = new Map<string, Breakers>();
  const inHand = createChunksInHand({ presence, keepRate: parts.keepRate });
  const taking = createQueue();
  let tookMs = Number.NEGATIVE_INFINITY;
  const working = {
    ...parts,
    signal,
    memory,
    hasSeen,
    service: callsAtOnce(parts.service, parts.settings.concurrency),
    commit: journalCommit(db, clock),
  };

  /** One after the other: which batch it is of decides what else may be taken. */
  async function takeNext(of: SharedJournal): Promise<TakenChunks | undefined> {
    const letGo = await taking.enter();
    try {
      if (!inHand.isEmpty() && clock.monotonicMs() - tookMs < leftToOthersMs) return undefined;
      const taken = await takeChunks({ ...parts, shared: of, presence }, inHand.goesWith);
      if (!taken) return undefined;
      tookMs = clock.monotonicMs();
      await inHand.take(taken.batch, taken.chunks, taken.terms?.ratePerSecond);
      return taken;
    } finally {
      letGo();
    }
  }

  /** Whether there was something to do. A journal that others hold for long is no end of this worker: it comes back to it. */
  async function workOnce(of: SharedJournal): Promise<boolean> {
    try {
      const taken = await takeNext(of);
      if (!taken) return false;
      try {
        await workOn(working, presence, breakers, taken);
      } finally {
        await inHand.letGo(taken.chunks);
      }
      return true;
    } catch (error) {
      if (!(error instanceof PayrunError) || error.code !== 'journal-busy') throw error;
      const message = 'Others held the shared journal for too long. What is left is tried again.';
      parts.onEvent({ kind: 'notice', message });
      return false;
    }
  }

  async function workOnAndOn(of: SharedJournal): Promise<void> {
    try {
      while (!signal.aborted) {
        if (!(await workOnce(of))) await clock.sleep(lookEveryMs, signal);
      }
    } catch (error) {
      // The other brings to its end what it has under way.
      stopped.abort(error);
    }
  }

  try {
    await desk.enter(`${hostname()}:${process.pid}`, shared.session, parts.ratePerSecond);
    await presence.begin();
    parts.onWork({ kind: 'ready' });
    await Promise.all(Array.from({ length: atOnce }, () => workOnAndOn(shared)));
    if (stopped.signal.aborted) throw stopped.signal.reason;
  } finally {
    presence.end();
    memory.kept?.list.letGo();
  }
}

async function workOn(
  parts: WorkerParts & { readonly memory: WorkerMemory } & Pick<ChunkWork, 'hasSeen' | 'commit'>,
  presence: Presence,
  breakers: Map<string, Breakers>,
  { batch, chunks, lock, terms, mayWait }: TakenChunks,
): Promise<void> {
  const { desk, settings } = parts;
  // Whoever hands it over again begins anew; until then one that has tripped stops everybody, whichever chunk he has.
  const handed = `${batch.id} ${terms?.run}`;
  const counted = breakers.get(handed) ?? createBreakers(settings.concurrency);
  breakers.set(handed, counted);
  const told = { batch: batch.name, chunks };
  const of = (number: number): Chunk => ({ batch: batch.id, number });
  // Whoever hands it over may have numbered its chunks anew.
  const since = chunks.map((number) =>
    presence.since(`${terms?.run} ${batch.id} ${number}`, sendsMark(parts.db, of(number)), lock.graceMs),
  );
  parts.onWork({ kind: 'took', ...told });
  try {
    const worked = await workChunks(parts, batch, chunks, lock, {
      isWanted: () => presence.isWanted(batch.name),
      startedMonotonicMs: Math.max(...since),
      worker: parts.memory,
      hasSeen: parts.hasSeen,
      breakers: counted,
      commit: parts.commit,
      mayWait,
    });
    // Somebody wanted all of it in that moment, and it stays with the workers: they try once more.
    if (worked.stopped && readTerms(parts.db, batch.id)?.isTakenBack !== true) breakers.delete(handed);
    parts.onWork({ kind: 'done', ...told, ...worked });
    for (const chunk of chunks.map(of)) {
      if (worked.isSettledLater || isEnded(parts.db, chunk)) await desk.forget(chunk);
      else await desk.putOff(chunk);
    }
  } finally {
    lock.release();
  }
}
