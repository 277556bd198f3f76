import type { Clock } from '../../clock.ts';
import type { HeldBatch } from '../../journal/held-batch.ts';
import type { Journal } from '../../journal/journal.ts';
import type { JournalDatabase } from '../../journal/journal-database.ts';
import { openKnownPayees } from '../../journal/known-payees.ts';
import { openLookUpProof } from '../../journal/look-up-proof.ts';
import { closeInterruptedSends } from '../../journal/payouts/close-interrupted-sends.ts';
import { payoutQueries } from '../../journal/payouts/payout-queries.ts';
import { askFreshly } from '../../journal/shared/ask-freshly.ts';
import { sharedOf } from '../../journal/shared/shared-of.ts';
import { takeWebhookHints } from '../../journal/webhook-hints.ts';
import type { Service } from '../../service/client.ts';
import { watchDelays } from '../look-up/look-up-delays.ts';
import { createBackgroundWrites } from './background-writes.ts';
import { type Breakers, createBreakers } from './breaker.ts';
import { newRunMemory, type RunContext, type RunSettings, type WorkerMemory } from './run-context.ts';
import { type OnEvent, withoutNumbers } from './run-events.ts';

export interface RunParts {
  readonly db: JournalDatabase;
  readonly journal: Journal;
  readonly service: Service;
  readonly clock: Clock;
  readonly settings: RunSettings;
  readonly onEvent: OnEvent;
  /** Aborted by the first interrupt or the deadline: no new payouts are taken. */
  readonly signal: AbortSignal;
  readonly startedMonotonicMs: number;
  readonly lock: Pick<HeldBatch, 'lend' | 'mayHaveForgotten' | 'looked'>;
  /** Of a batch that workers carry out: the parts of it that this one does. */
  readonly chunks?: readonly number[] | undefined;
  /** See `RunContext`; this run where nothing is said. */
  readonly acceptedBy?: string | undefined;
  /** Of a process that works on one part after the other. */
  readonly worker?: WorkerMemory | undefined;
  /** What a worker has counted in earlier chunks of the batch. */
  readonly breakers?: Breakers | undefined;
}

/** Everything the stages need for one batch. What an earlier run left under way is marked as such first. */
export async function openRun(parts: RunParts, batch: RunContext['batch']): Promise<RunContext> {
  const { db, journal, clock, chunks } = parts;
  await closeInterruptedSends(db, journal, clock, batch.id, chunks);
  const { signal } = parts;
  const shared = sharedOf(db);
  const proofs = openLookUpProof(db, journal, batch.environment);
  const payees = openKnownPayees(db, journal, batch.environment);
  return {
    run: journal.writer.run,
    acceptedBy: parts.acceptedBy ?? journal.writer.run,
    chunks,
    batch,
    settings: parts.settings,
    journal: {
      ...journal,
      beginSend: (payout, why, holds) =>
        journal.beginSend(payout, why, () =>
          holds({
            account: payees.accountOf(payout),
            // Seldom asked.
            get name() {
              return payees.nameOf(payout);
            },
          }),
        ),
    },
    payouts: askFreshly(shared, payoutQueries(db, batch.id, chunks), ['transactionTaken']),
    payees: askFreshly(shared, payees, [
      'accountOf',
      'ownerOf',
      'nameOf',
      'writtenNames',
      'knownBeyond',
      'isReleased',
    ]),
    proofs,
    delays: watchDelays(journal, proofs, clock),
    takeHints: takeWebhookHints(db, journal, batch.id),
    service: parts.service,
    clock,
    startedMonotonicMs: parts.startedMonotonicMs,
    onEvent: (event) => parts.onEvent(withoutNumbers(event)),
    stopping: () => signal.aborted,
    signal,
    waitUnlocked: (wait) => parts.lock.lend(wait),
    writes: createBackgroundWrites(journal),
    memory: newRunMemory(
      parts.lock.mayHaveForgotten,
      parts.breakers ?? createBreakers(parts.settings.concurrency),
      parts.worker,
    ),
    looked: parts.lock.looked,
  };
}
