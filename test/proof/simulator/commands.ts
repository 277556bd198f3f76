import { randomUUID } from 'node:crypto';
import { cancel } from '../../../src/decisions/cancel.ts';
import { carryOut, type Decision } from '../../../src/decisions/carry-out.ts';
import { decidePaid } from '../../../src/decisions/decide.ts';
import { readClaimedTransaction } from '../../../src/decisions/read-claimed-transaction.ts';
import { release } from '../../../src/decisions/release.ts';
import { retry } from '../../../src/decisions/retry.ts';
import type { Policy } from '../../../src/domain/policy.ts';
import { PayrunError } from '../../../src/errors.ts';
import { lockBatch } from '../../../src/journal/batch-lock.ts';
import { type BatchRecord, batchesToResume, readBatch } from '../../../src/journal/batch-record.ts';
import { createJournal } from '../../../src/journal/journal.ts';
import { knownBatch } from '../../../src/journal/known-batch.ts';
import { decisionQueries } from '../../../src/journal/payouts/decision-queries.ts';
import { openResultRows } from '../../../src/journal/payouts/result-rows.ts';
import { notPaidDecision } from '../../../src/library/not-paid-decision.ts';
import { writeResults } from '../../../src/pipeline/8-write-results.ts';
import { rebindBatch } from '../../../src/pipeline/environment/rebind-batch.ts';
import type { RunSummary } from '../../../src/pipeline/finish-run.ts';
import { readProfile } from '../../../src/pipeline/plan/inspect-service.ts';
import { resumeBatch } from '../../../src/pipeline/resume-batch.ts';
import type { RunSettings } from '../../../src/pipeline/run/run-context.ts';
import type { OnEvent } from '../../../src/pipeline/run/run-events.ts';
import { type RunResult, runBatch } from '../../../src/pipeline/run-batch.ts';
import { plainRun } from '../../support/plain-run.ts';
import type { ProcessParts } from './machine.ts';

const operator = 'simulated';
const timeZone = 'Africa/Nairobi';
const lockWaitMs = 30_000;

export interface RunWishes {
  readonly settings: RunSettings;
  readonly batch: string | undefined;
  readonly sameBatch: boolean;
  readonly signal: AbortSignal;
  readonly onEvent: OnEvent;
}

/** `payrun run FILE`, as the command line calls it, without its printing. */
export function run(parts: ProcessParts, file: string, wishes: RunWishes): Promise<RunResult> {
  const { settings } = wishes;
  return runBatch({ ...parts, ...parts.configured }, file, {
    ...plainRun,
    ...wishes,
    timeZone: () => timeZone,
    nowMs: parts.clock.nowMs(),
    policy: settings.policy,
    concurrency: settings.concurrency,
    operator,
    confirm: async () => true,
  });
}

/** `payrun resume [BATCH]`: one, or all that are unfinished, less those of another account. */
export async function resume(
  parts: ProcessParts,
  batch: string | undefined,
  wishes: Pick<RunWishes, 'settings' | 'signal' | 'onEvent'>,
): Promise<RunSummary[]> {
  const named = batch === undefined ? undefined : readBatch(parts.db, batch);
  const batches = batch === undefined ? batchesToResume(parts.db, parts.clock.nowMs()) : named ? [named] : [];
  const summaries: RunSummary[] = [];
  if (batches.length === 0) return summaries;
  const { environment } = await readProfile(parts.service, parts.configured);
  for (const each of batches) {
    if (wishes.signal.aborted) break;
    try {
      summaries.push(await resumeBatch({ ...parts, ...wishes, environment, operator, timeZone }, each));
    } catch (error) {
      if (batch !== undefined || !(error instanceof PayrunError) || error.code !== 'wrong-environment')
        throw error;
    }
  }
  return summaries;
}

/** `payrun rebind BATCH`: undefined where the journal has no such batch. */
export async function rebind(
  parts: ProcessParts,
  batch: string,
): Promise<Awaited<ReturnType<typeof rebindBatch>>['kind'] | undefined> {
  if (!readBatch(parts.db, batch)) return undefined;
  const { environment } = await readProfile(parts.service, parts.configured);
  return (await rebindBatch({ ...parts, environment, operator, concurrency: 4 }, batch, 'the same account'))
    .kind;
}

/** What a person says, and about which payment. */
export type Say =
  | { readonly verb: 'retry' | 'release' | 'cancel' | 'not-paid'; readonly key: string }
  | { readonly verb: 'paid'; readonly key: string; readonly transactionId: string };

/** `payrun retry`, `release`, `cancel` and `decide` with `--payment`: the lock, one transaction, the results anew. */
export async function decide(parts: ProcessParts, name: string, say: Say): Promise<number> {
  const { db, clock, workspace } = parts;
  const batch = knownBatch(db, name);
  const lock = await lockBatch(workspace, name, clock, lockWaitMs);
  try {
    const runId = `decision ${randomUUID()}`;
    const journal = createJournal(db, clock, { run: runId, operator });
    const decision = await decisionOf(parts, batch, say, runId);
    const { moved } = await carryOut(db, journal, batch, decision);
    await writeResults({ rows: openResultRows(db, batch.id, runId), journal, timeZone, onEvent: () => {} });
    return moved;
  } finally {
    lock.release();
  }
}

async function decisionOf(
  { db, clock, service }: ProcessParts,
  batch: BatchRecord,
  say: Say,
  runId: string,
): Promise<Decision> {
  const choice = { kind: 'named', ids: [say.key] } as const;
  const questions = decisionQueries(db, batch);
  const repeats = { sinceMs: clock.nowMs() - plainRun.repeatWindowMs, allowed: 0, timeZone };
  switch (say.verb) {
    case 'retry':
      return { choice, rule: (payout) => retry(payout, batch, runId, 'again'), repeats };
    case 'release':
      return { choice, rule: (payout) => release(payout, 'named', runId, 'seen'), repeats };
    case 'cancel':
      return {
        choice,
        rule: (payout) => cancel(payout, 'not wanted', questions.transactionsOf(payout)),
        repeats: undefined,
      };
    case 'not-paid':
      return notPaidDecision(
        {
          db,
          clock,
          operator,
          onEvent: () => {},
          service,
          account: async () => service,
          pendingForMs: 7 * 24 * 3_600_000,
          confirm: async () => true,
        },
        batch,
        say.key,
        'asked the service',
      )();
    case 'paid': {
      const transaction = await readClaimedTransaction(service, say.transactionId);
      return {
        choice,
        rule: (payout) => {
          const owner = questions.ownerOfTransaction(transaction.transactionId, payout);
          return decidePaid(payout, transaction, owner, clock.nowMs(), 'asked the service');
        },
        repeats: undefined,
      };
    }
  }
}

/** Names that are not the account's wait for a person; every other decision is the story's. */
export const policy: Policy = {
  skipInvalid: false,
  onClose: 'hold',
  onMismatch: 'hold',
  onUnchecked: 'hold',
  limitPayout: new Map(),
};
