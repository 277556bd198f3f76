import { environmentKey } from '../domain/environment/environment.ts';
import { PayrunError } from '../errors.ts';
import { type BatchRecord, readBatchById } from '../journal/batch-record.ts';
import { type ChunkToDo, chunksToDo, readTerms, type WorkTerms } from '../journal/chunks.ts';
import type { HeldBatch } from '../journal/held-batch.ts';
import type { SharedJournal } from '../journal/shared/shared-of.ts';
import type { WorkerDesk } from '../journal/shared/worker-desk.ts';
import type { ResumeParts } from '../pipeline/resume-batch.ts';
import type { Presence } from './keep-present.ts';

/** So many are settled together: they were sent at about the same time, and are met together in the service's list. */
const mostToSettle = 16;
const steps = ['send', 'settle', 'look'] as const;

interface TakeParts extends Pick<ResumeParts, 'db' | 'clock' | 'environment'> {
  readonly shared: SharedJournal;
  readonly desk: Pick<WorkerDesk, 'waiting'>;
  readonly presence: Pick<Presence, 'look' | 'isWanted'>;
}

export interface TakenChunks {
  readonly batch: BatchRecord;
  readonly chunks: readonly number[];
  readonly lock: HeldBatch;
  /** On what they were left to workers, as it is now. */
  readonly terms: WorkTerms | undefined;
  /** What is sent of them may be settled later, together with others. */
  readonly mayWait: boolean;
}

/**
 * The first chunk of which something is to be sent that nobody has and that is worth it now; once nobody sends of a batch any
 * more, those of which only the settling is left; then one that waits for a person, who may take days, so that it keeps
 * nobody from anything. Undefined where there is nothing to do.
 */
export async function takeChunks(
  parts: TakeParts,
  mayBeOf: (batch: number) => boolean,
): Promise<TakenChunks | undefined> {
  const { db, shared, desk, presence } = parts;
  await shared.catchUp();
  await presence.look();
  const isWaiting = await desk.waiting();
  const own = environmentKey(parts.environment);
  for (const [id, chunks] of byBatch(chunksToDo(db))) {
    if (!mayBeOf(id)) continue;
    const batch = readBatchById(db, id);
    if (presence.isWanted(batch.name) || environmentKey(batch.environment) !== own) continue;
    const worthIt = chunks.filter((chunk) => !isWaiting(chunk));
    const [unsent, sent, unclear] = steps.map((step) => worthIt.filter((chunk) => chunk.step === step));
    const toSend = await takeFirst(parts, batch, unsent, 1);
    if (toSend) return { ...toSend, mayWait: true };
    // While others are at it, what they send now is met together with the rest.
    const toSettle = unsent?.length === 0 ? await takeFirst(parts, batch, sent, mostToSettle) : undefined;
    const taken = toSettle ?? (await takeFirst(parts, batch, unclear, 1));
    if (taken) return { ...taken, mayWait: false };
  }
  return undefined;
}

/** They come in the order of batches. */
function* byBatch(chunks: Iterable<ChunkToDo>): Generator<[number, readonly ChunkToDo[]]> {
  let together: ChunkToDo[] = [];
  for (const chunk of chunks) {
    const [first] = together;
    if (first && first.batch !== chunk.batch) {
      yield [first.batch, together];
      together = [];
    }
    together.push(chunk);
  }
  const [first] = together;
  if (first) yield [first.batch, together];
}

async function takeFirst(
  { db, shared, clock }: TakeParts,
  { id, name }: BatchRecord,
  wanted: readonly ChunkToDo[] = [],
  most: number,
): Promise<Omit<TakenChunks, 'mayWait'> | undefined> {
  const locks = new Map<number, HeldBatch>();
  for (const { number } of wanted) {
    const lock = await lockUnlessHeld(shared, name, number, clock);
    if (lock) locks.set(number, lock);
    if (locks.size === most) break;
  }
  if (locks.size === 0) return undefined;
  // As it is now: a person may have changed it until the locks were ours.
  const batch = readBatchById(db, id);
  return { batch, chunks: [...locks.keys()], lock: together([...locks.values()]), terms: readTerms(db, id) };
}

async function lockUnlessHeld(
  shared: SharedJournal,
  batch: string,
  number: number,
  clock: TakeParts['clock'],
): Promise<HeldBatch | undefined> {
  try {
    return await shared.lockChunk(batch, number, clock);
  } catch (error) {
    if (error instanceof PayrunError && error.code === 'batch-locked') return undefined;
    throw error;
  }
}

function together(locks: readonly HeldBatch[]): HeldBatch {
  return {
    graceMs: Math.max(...locks.map(({ graceMs }) => graceMs)),
    mayHaveForgotten: locks.some(({ mayHaveForgotten }) => mayHaveForgotten),
    async looked() {
      for (const lock of locks) await lock.looked();
    },
    release() {
      for (const lock of locks) lock.release();
    },
    lend(wait) {
      const lendFrom = (place: number): Promise<void> =>
        locks[place]?.lend(() => lendFrom(place + 1)) ?? wait();
      return lendFrom(0);
    },
  };
}
