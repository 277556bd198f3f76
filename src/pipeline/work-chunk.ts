import { randomUUID } from 'node:crypto';
import { unfinishedStates } from '../domain/payout/payout-state.ts';
import { policyFromDocument } from '../domain/policy.ts';
import type { PayrunError } from '../errors.ts';
import { type BatchRecord, readBatchById } from '../journal/batch-record.ts';
import {
  askIfHanded,
  type Chunk,
  closeForWorkers,
  noteForgotten,
  readTerms,
  type WorkTerms,
} from '../journal/chunks.ts';
import type { HeldBatch } from '../journal/held-batch.ts';
import { createJournal } from '../journal/journal.ts';
import type { ResumeParts } from './resume-batch.ts';
import { openRun } from './run/open-run.ts';
import type { WorkerMemory } from './run/run-context.ts';
import { runStages } from './run-stages.ts';

type WorkParts = Pick<
  ResumeParts,
  'db' | 'clock' | 'service' | 'settings' | 'operator' | 'onEvent' | 'signal'
>;

export interface WorkedChunk {
  /** Payouts that are neither ended nor held. */
  readonly left: number;
  readonly sends: number;
  readonly stopped: PayrunError | undefined;
}

export interface ChunkWork {
  readonly isWanted: () => boolean;
  readonly startedMonotonicMs: number;
  readonly worker: WorkerMemory;
  /** Whether this process was there when a run left its batch to workers. */
  readonly hasSeen: (run: string) => boolean;
}

/**
 * Carries out a part of a batch, just as a run carries out all of one: the same stages, on its payouts alone, under a lock of
 * its own. Nothing is waited for that only takes its time: who settles is looked at again later, by whoever is free.
 */
export async function workChunk(
  parts: WorkParts,
  batch: BatchRecord,
  chunk: Chunk,
  lock: HeldBatch,
  { isWanted, startedMonotonicMs, worker, hasSeen }: ChunkWork,
): Promise<WorkedChunk> {
  const { db, clock, signal } = parts;
  const journal = createJournal(db, clock, { run: randomUUID(), operator: parts.operator });
  const terms = readTerms(db, chunk.batch);
  const settings = {
    ...stricter(parts.settings, terms),
    policy: policyFromDocument(batch.policy),
    settleForMs: 0,
  };
  const acceptedBy = terms && hasSeen(terms.run) ? terms.run : undefined;
  const opened = await openRun(
    { ...parts, settings, journal, startedMonotonicMs, lock, worker, acceptedBy, chunk: chunk.number },
    batch,
  );
  const isHanded = askIfHanded(db, chunk);
  if (terms?.lookUpEvery) opened.memory.batch.lookUpEvery = true;
  const context = { ...opened, stopping: () => signal.aborted || isWanted() || !isHanded() };
  const { bounds } = readBatchById(db, batch.id);
  const stopped = await runStages(context, { reread: false, bounds });
  if (context.memory.batch.lookUpEvery && !terms?.lookUpEvery)
    await journal.write(() => noteForgotten(db, chunk.batch));
  if (stopped) {
    const { code, message, exit } = stopped;
    await journal.write(() => closeForWorkers(db, chunk.batch, { code, message, exit }));
  }
  const left = (await context.payouts.count(unfinishedStates)) + (await context.payouts.watchedCount());
  return { left, sends: context.memory.chunk.sends, stopped };
}

/** What was said when the batch was left to workers, and what this one was told: whichever is the more careful. */
function stricter<Settings extends Omit<WorkTerms, 'run' | 'lookUpEvery' | 'stopped'>>(
  own: Settings,
  terms: WorkTerms | undefined,
): Settings {
  if (!terms) return own;
  return {
    ...own,
    quietPeriodMs: Math.max(own.quietPeriodMs, terms.quietPeriodMs),
    resends: Math.min(own.resends, terms.resends),
    lookup: terms.lookup === 'always' ? 'always' : own.lookup,
    namesMaxAgeMs: Math.min(own.namesMaxAgeMs, terms.namesMaxAgeMs),
  };
}
