import { randomUUID } from 'node:crypto';
import { unfinishedStates, waitingStates } from '../domain/payout/payout-state.ts';
import { policyFromDocument } from '../domain/policy.ts';
import type { PayrunError } from '../errors.ts';
import { type BatchRecord, readBatchById } from '../journal/batch-record.ts';
import {
  askIfHanded,
  closeForWorkers,
  hasOtherChunks,
  noteForgotten,
  readTerms,
  type WorkTerms,
} from '../journal/chunks.ts';
import type { HeldBatch } from '../journal/held-batch.ts';
import { createJournal } from '../journal/journal.ts';
import { sharedOf } from '../journal/shared/shared-of.ts';
import { giveUpWith } from '../service/give-up-with.ts';
import type { GroupCommit } from '../storage/group-commit.ts';
import type { ResumeParts } from './resume-batch.ts';
import type { Breakers } from './run/breaker.ts';
import { openRun } from './run/open-run.ts';
import type { WorkerMemory } from './run/run-context.ts';
import { untilLetGo } from './run/until-let-go.ts';
import { runStages } from './run-stages.ts';

type WorkParts = Pick<
  ResumeParts,
  'db' | 'clock' | 'service' | 'settings' | 'operator' | 'onEvent' | 'signal'
>;

export interface WorkedChunks {
  /** Payouts that are neither ended nor held. */
  readonly left: number;
  /** All that is left is to be settled, once nothing is left to be sent. */
  readonly isSettledLater: boolean;
  readonly sends: number;
  readonly stopped: PayrunError | undefined;
}

export interface ChunkWork {
  /** Somebody wants all of the batch. */
  readonly isWanted: () => boolean;
  readonly startedMonotonicMs: number;
  readonly worker: WorkerMemory;
  /** Whether this process was there when a run left its batch to workers. */
  readonly hasSeen: (run: string) => boolean;
  /** Of this worker and this batch. */
  readonly breakers: Breakers;
  /** What was sent may be settled later, together with other chunks. */
  readonly mayWait: boolean;
  /** All chunks of this worker write together. */
  readonly commit: GroupCommit;
}

/**
 * Carries out parts of a batch, just as a run carries out all of one: the same stages, on their payouts alone, under locks of
 * their own. Nothing is waited for that only takes its time: who settles is looked at again later, by whoever is free. What was
 * sent is settled once nothing is left to be sent, as in a run: chunks that were sent together are met together in the
 * service's list.
 */
export async function workChunks(
  parts: WorkParts,
  batch: BatchRecord,
  chunks: readonly number[],
  lock: HeldBatch,
  { isWanted, startedMonotonicMs, worker, hasSeen, breakers, commit, mayWait }: ChunkWork,
): Promise<WorkedChunks> {
  const { db, clock } = parts;
  const journal = createJournal(db, clock, { run: randomUUID(), operator: parts.operator }, commit);
  const terms = readTerms(db, batch.id);
  const settings = {
    ...stricter(parts.settings, terms),
    policy: policyFromDocument(batch.policy),
    settleForMs: 0,
  };
  const acceptedBy = terms && hasSeen(terms.run) ? terms.run : undefined;
  const isHanded = askIfHanded(db, batch.id, chunks);
  const catchUp = async () => sharedOf(db)?.catchUp();
  const over = untilLetGo(parts.signal, () => isWanted() || !isHanded(), catchUp);
  try {
    const { signal } = over;
    const service = giveUpWith(parts.service, signal);
    const opened = await openRun(
      {
        ...parts,
        service,
        signal,
        settings,
        journal,
        startedMonotonicMs,
        lock,
        chunks,
        ...{ worker, breakers, acceptedBy },
      },
      batch,
    );
    if (terms?.lookUpEvery) opened.memory.batch.lookUpEvery = true;
    const context = { ...opened, stopping: over.isDue };
    const { payouts } = context;
    const isSettledLater = async () =>
      mayWait && hasOtherChunks(db, batch.id, chunks) && (await payouts.count(waitingStates)) === 0;
    const { bounds } = readBatchById(db, batch.id);
    const stopped = await runStages(context, {
      reread: false,
      bounds,
      isShared: true,
      isSettledLater,
    });
    if (context.memory.batch.lookUpEvery && !terms?.lookUpEvery)
      await journal.write(() => noteForgotten(db, batch.id));
    // Nobody else is kept from it by that: the batch stays with the workers.
    if (stopped?.code === 'journal-busy') throw stopped;
    // Who lets go has not tried everything: what is wrong those will meet who go on.
    if (stopped && !signal.aborted) {
      const { code, message, exit } = stopped;
      await journal.write(() => closeForWorkers(db, batch.id, { code, message, exit }));
    }
    const left = (await payouts.count(unfinishedStates)) + (await payouts.watchedCount());
    return { left, isSettledLater: await isSettledLater(), sends: context.memory.chunk.sends, stopped };
  } finally {
    over.close();
  }
}

/** What was said when the batch was left to workers, and what this one was told: whichever is the more careful. */
function stricter<Settings extends Pick<WorkTerms, 'quietPeriodMs' | 'resends' | 'lookup' | 'namesMaxAgeMs'>>(
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
