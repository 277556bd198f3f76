import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { cancel } from '../decisions/cancel.ts';
import { type CarriedOut, type Choice, carryOut, type Decision } from '../decisions/carry-out.ts';
import { decidePaid } from '../decisions/decide.ts';
import { listClaimedTransaction, readClaimedTransaction } from '../decisions/read-claimed-transaction.ts';
import { type ReleaseScope, release } from '../decisions/release.ts';
import type { RepeatRule } from '../decisions/repeats.ts';
import { retry } from '../decisions/retry.ts';
import { selectPayouts } from '../decisions/select-payouts.ts';
import { stillPaid } from '../decisions/still-paid.ts';
import type { Environment } from '../domain/environment/environment.ts';
import { unfinishedStates } from '../domain/payout/payout-state.ts';
import type { ShownTransaction } from '../domain/payout/shown-transaction.ts';
import { counted } from '../domain/text/counted.ts';
import { lockBatchIn } from '../journal/batch-lock.ts';
import type { BatchRecord } from '../journal/batch-record.ts';
import { createJournal, type Journal } from '../journal/journal.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { type DecisionQueries, decisionQueries } from '../journal/payouts/decision-queries.ts';
import { payoutQueries } from '../journal/payouts/payout-queries.ts';
import { openResultRows } from '../journal/payouts/result-rows.ts';
import { writeResults } from '../pipeline/8-write-results.ts';
import type { OnEvent } from '../pipeline/run/run-events.ts';
import type { ToSend } from '../report/decision-report.ts';
import type { Service } from '../service/client.ts';

/** Which payouts a decision is about: named ones, or all that it can concern. */
export type Named = readonly string[];

/** What a decision came to, and what it means for the next resume. */
export interface Decided extends CarriedOut {
  readonly batch: string;
  readonly environment: Environment;
  /** What the next resume may send; undefined where the decision lets nothing be sent. */
  readonly toSend: ToSend | undefined;
  /** Whether a resume has something to do for the batch. */
  readonly goesOn: boolean;
}

export interface DecisionParts {
  readonly db: JournalDatabase;
  readonly workspace: string;
  readonly clock: Clock;
  readonly operator: string;
  readonly timeZone: string;
  readonly onEvent: OnEvent;
  /** How the results of a batch are written again, as a person would type it. */
  readonly resultsCommand: ((batch: string) => string) | undefined;
}

/** A person may be watching: a run that is about to end is waited for. */
const lockWaitMs = 30_000;
const silentMs = 1_000;

/** A decision from beginning to end: the batch's lock, one transaction, and the results anew. */
export async function carryThrough(
  parts: DecisionParts,
  batch: BatchRecord,
  make: (run: string) => Decision | Promise<Decision>,
  done: string,
): Promise<Decided> {
  const { db, clock, operator } = parts;
  const lock = await lockSaying(parts, batch.name);
  try {
    // A run of its own, which never sends: whatever goes out after it is looked up first.
    const run = `decision ${randomUUID()}`;
    const journal = createJournal(db, clock, { run, operator });
    const decision = await make(run);
    const carried = await carryOut(db, journal, batch, decision);
    // Where nothing moved as well: a run that was killed has left results that know less than the journal.
    await rewriteResults(parts, batch, journal, carried, done);
    return {
      ...carried,
      batch: batch.name,
      environment: batch.environment,
      toSend: decision.repeats ? unsentOf(db, batch) : undefined,
      goesOn: payoutQueries(db, batch.id).count(unfinishedStates) > 0,
    };
  } finally {
    lock.release();
  }
}

export function releaseDecision(
  named: Named | undefined,
  scope: Exclude<ReleaseScope, 'named'>,
  reason: string,
  repeats: RepeatRule,
): (run: string) => Decision {
  return (run) => ({
    choice: chosen(named) ?? { kind: 'states', states: ['held'] },
    rule: (payout) => release(payout, named ? 'named' : scope, run, reason),
    repeats,
  });
}

export function cancelDecision(
  { transactionsOf }: Pick<DecisionQueries, 'transactionsOf'>,
  named: Named | undefined,
  reason: string,
): () => Decision {
  return () => ({
    choice: chosen(named) ?? { kind: 'states', states: ['planned', 'ready', 'held'] },
    rule: (payout) => cancel(payout, reason, transactionsOf(payout)),
    repeats: undefined,
  });
}

export function retryDecision(
  batch: BatchRecord,
  named: Named | undefined,
  reason: string,
  repeats: RepeatRule,
): (run: string) => Decision {
  return (run) => ({
    choice: chosen(named) ?? { kind: 'states', states: ['failed', 'refused'] },
    rule: (payout) => retry(payout, batch, run, reason),
    repeats,
  });
}

/** What a person says is believed only as far as the service shows it. */
export function paidDecision(
  { db, clock }: DecisionParts,
  batch: BatchRecord,
  payment: string,
  transactionId: string,
  reason: string,
  connected: () => Promise<{ readonly service: Service }>,
): () => Promise<Decision> {
  const questions = decisionQueries(db, batch);
  return async () => {
    // A mistyped ID is said before the service is asked.
    const chosen = selectPayouts(questions, [payment]);
    const { service } = await connected();
    const transaction = await readClaimedTransaction(service, transactionId);
    const rows = new Map<number, readonly ShownTransaction[]>();
    for (const { id, reference } of chosen)
      rows.set(id, await listClaimedTransaction(service, reference, transaction.transactionId));
    return {
      choice: { kind: 'named', ids: [payment] },
      rule: (payout) => {
        const owner = questions.ownerOfTransaction(transaction.transactionId, payout);
        return decidePaid(payout, transaction, owner, clock.nowMs(), reason, rows.get(payout.id));
      },
      repeats: undefined,
    };
  };
}

/** By the word of a person alone: nothing moves by it. */
export function stillPaidDecision(payment: string, reason: string): () => Decision {
  return () => ({
    choice: { kind: 'named', ids: [payment] },
    rule: (payout) => stillPaid(payout, reason),
    repeats: undefined,
  });
}

function chosen(named: Named | undefined): Choice | undefined {
  return named && { kind: 'named', ids: named };
}

async function lockSaying(parts: DecisionParts, batch: string) {
  const saying = setTimeout(() => {
    const message = `Another payrun is working on batch ${batch}; waiting up to ${lockWaitMs / 1000} s. To stop it, press Ctrl-C there.`;
    parts.onEvent({ kind: 'notice', message, answers: true });
  }, silentMs);
  try {
    return await lockBatchIn(parts, batch, parts.clock, lockWaitMs);
  } finally {
    clearTimeout(saying);
  }
}

async function rewriteResults(
  { db, timeZone, onEvent, resultsCommand }: DecisionParts,
  batch: BatchRecord,
  journal: Journal,
  { moved }: CarriedOut,
  done: string,
): Promise<void> {
  try {
    const rows = openResultRows(db, batch.id, journal.writer.run);
    await writeResults({ rows, journal, timeZone, onEvent });
  } catch (error) {
    const again = resultsCommand ? ` Write the results again with: ${resultsCommand(batch.name)}` : '';
    const message = `${counted(moved, 'payout')} ${done}: that stands.${again}`;
    if (moved > 0) onEvent({ kind: 'notice', message, answers: true });
    throw error;
  }
}

/** With what an earlier run left unsent: a person must not be surprised by the sum. */
function unsentOf(db: JournalDatabase, batch: BatchRecord): ToSend {
  const amounts = new Map<string, bigint>();
  let payouts = 0;
  for (const { state, currency, count, amountMinor } of payoutQueries(db, batch.id).statuses()) {
    if (state !== 'planned' && state !== 'ready' && state !== 'submitting') continue;
    payouts += count;
    amounts.set(currency, (amounts.get(currency) ?? 0n) + amountMinor);
  }
  return { payouts, amounts };
}
