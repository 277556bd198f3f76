import type { Payout } from '../../domain/payout/payout.ts';
import { noReason, type Reason, reason } from '../../domain/payout/reasons.ts';
import type { SendEnd } from '../../domain/payout/send-ends.ts';
import type { LookUpProof } from '../../journal/look-up-proof.ts';
import type { NotOk } from '../../service/call-outcome.ts';
import type { Turn } from '../../service/sender.ts';
import { adoptTransaction } from '../look-up/adopt-transaction.ts';
import { carefulLookUp } from '../look-up/careful-look-up.ts';
import { accountIsStillIts } from '../payee/is-account-unchanged.ts';
import { type Breaker, credentialsRefused } from '../run/breaker.ts';
import type { RunContext } from '../run/run-context.ts';
import { movedEvent } from '../run/run-events.ts';
import { beginNow } from './begin-now.ts';
import { otherAttemptsFailed } from './other-attempts.ts';
import { payoutRequest } from './payout-request.ts';

/**
 * Sends once. Whatever does not decide is left for the waiting room, an answer that asks for another send (401, 429)
 * among it: such an answer need not be true, and what it denies may take its time to show.
 */
export async function sendPayout(
  context: RunContext,
  breaker: Breaker,
  ready: Payout,
  why: string,
): Promise<void> {
  if (!(await otherAttemptsFailed(context, breaker, ready))) return;
  await breaker.begin();
  try {
    await sendNow(context, breaker, ready, why);
  } finally {
    breaker.ended();
  }
}

async function sendNow(context: RunContext, breaker: Breaker, ready: Payout, why: string): Promise<void> {
  // Whatever takes long is had first: between the intent and the first byte nothing is waited for.
  const turn = await context.service.takeTurn(context.signal);
  if (turn.kind !== 'ok') return context.stopping() ? undefined : breaker.troubled(turn.cause);
  try {
    if (!context.stopping()) await sendInTurn(context, breaker, ready, { why, turn: turn.value });
  } finally {
    turn.value.giveBack?.();
  }
}

async function sendInTurn(
  context: RunContext,
  breaker: Breaker,
  ready: Payout,
  { why, turn }: { readonly why: string; readonly turn: Turn },
): Promise<void> {
  const { journal, service, memory, delays, clock } = context;
  const body = payoutRequest(context, ready);
  const begunAgo = beginNow(clock);
  // The intent is on disk before the first byte leaves. If it cannot be written, nothing is sent.
  const begun = await journal.beginSend(ready, why, (known) => accountIsStillIts(known, ready));
  if (!begun) return accountWasChanged(context, ready);
  const { payout, send } = begun;
  memory.chunk.sends += 1;
  const begunMs = clock.monotonicMs();
  const begunBeforeMs = memory.chunk.sendBegunMs.get(payout.id);
  memory.chunk.sendBegunMs.set(payout.id, begunMs);
  delays.begin(payout);
  const outcome = await service.createPayout({ body }, { turn, begunAgo });
  const endedMs = clock.monotonicMs();
  // One that never left neither began nor ended: the last that did is what waits are counted from.
  if (outcome.kind === 'ok' || outcome.sent) memory.chunk.sendEndedMs.set(payout.id, endedMs);
  else if (begunBeforeMs === undefined) memory.chunk.sendBegunMs.delete(payout.id);
  else memory.chunk.sendBegunMs.set(payout.id, begunBeforeMs);
  if (outcome.kind !== 'ok') return notOk(context, breaker, payout, send, outcome);
  breaker.succeeded();
  memory.chunk.lastAccepted = { payout: payout.id, begunMs, endedMs };
  await context.writes.add(() => accept(context, payout, send, outcome.value.transactionId));
}

async function accept(
  { journal, memory, onEvent }: RunContext,
  payout: Payout,
  send: number,
  transactionId: string,
): Promise<void> {
  const { key } = payout;
  const { state } = await journal.acceptSend(payout, send, transactionId);
  if (state === 'submitted') {
    // Nothing waits for it any more: a batch may have a million of them.
    memory.chunk.sendBegunMs.delete(payout.id);
    memory.chunk.sendEndedMs.delete(payout.id);
    onEvent(movedEvent(payout, 'submitted', noReason, 'submitting'));
  } else {
    const message = `payment ${key}: the service answered with transaction ${transactionId}, which is another payment's; it will be looked up`;
    onEvent({ kind: 'alarm', message });
  }
}

/** Another batch has taken the account elsewhere: nothing is sent to it. */
async function accountWasChanged({ journal, onEvent }: RunContext, payout: Payout): Promise<void> {
  const isSent = payout.state === 'submitting';
  const because = isSent
    ? reason('account-gone')
    : reason('account-changed', { account: payout.externalAccountId });
  const to = isSent ? 'unclear' : 'held';
  await journal.move({ payout, to, changes: isSent ? because : { hold: 'payee', ...because } });
  onEvent(movedEvent(payout, to, because));
}

async function notOk(
  context: RunContext,
  breaker: Breaker,
  payout: Payout,
  send: number,
  outcome: NotOk,
): Promise<void> {
  const { journal, memory } = context;
  switch (outcome.kind) {
    case 'refused': {
      const ended = await journal.endSend(payout, send, endOf('refused', outcome));
      await settleRefusal(context, ended, refusedBecause(endOf('refused', outcome)));
      breaker.refused(outcome.errorCode, outcome.message ?? '');
      return;
    }
    case 'try_later': {
      if (!outcome.sent) {
        context.delays.neverLeft(payout);
        const back = payout.unknownSends === 0 ? { to: 'ready' as const, why: outcome.cause } : undefined;
        const ended = await journal.endSend(payout, send, endOf('not-sent', outcome));
        if (back && !ended.everSent) await journal.move({ payout: ended, ...back });
        // That was our time, not the service's: what is ready is checked and sent in the next round.
        if (outcome.reason === 'too-late') breaker.tooLate();
        else breaker.troubled(outcome.cause);
        return;
      }
      await journal.endSend(payout, send, endOf('answered', outcome));
      // One payout that meets 401 under two tokens: the credentials are refused, not the token.
      const isUnauthorised = outcome.reason === 'unauthorised';
      if (isUnauthorised && countOne(memory.chunk.unauthorised, payout.id) > 1)
        throw credentialsRefused(outcome);
      breaker.answered(outcome, countOne(memory.chunk.answered, payout.id));
      return;
    }
    case 'unknown': {
      if (outcome.reason === 'reference-used') memory.chunk.burnt.add(payout.id);
      await journal.endSend(payout, send, endOf('unknown', outcome));
      context.onEvent({
        kind: 'notice',
        message: `payment ${payout.key}: ${outcome.cause}; it will be looked up`,
      });
      // Row after row with a used reference is no service that is down: something is wrong with the batch.
      if (outcome.reason === 'reference-used')
        breaker.refused(outcome.errorCode ?? '', outcome.message ?? '');
      else breaker.troubled(outcome.cause);
      return;
    }
  }
}

function countOne(counts: Map<number, number>, payout: number): number {
  const count = (counts.get(payout) ?? 0) + 1;
  counts.set(payout, count);
  return count;
}

/**
 * No payout becomes refused before a look-up found nothing; after an unknown, only one after a further quiet period. The
 * unknown may be another journal's, or one that this journal has forgotten. A refusal need not be true either: where
 * look-ups show late, one that is made at once proves nothing.
 */
async function settleRefusal(context: RunContext, payout: Payout, refusal: Reason): Promise<void> {
  const { memory, acceptedBy } = context;
  // The journaled refusal is believed by the waiting room, after a further quiet period.
  if (payout.unknownSends > 0 || memory.batch.lookUpEvery || payout.acceptedRun !== acceptedBy) return;
  if (showsLate(context.proofs.read())) return;
  const seen = await carefulLookUp(context, payout);
  if (seen.kind === 'found')
    await adoptTransaction(context, payout, seen, payout.attempt, 'refused, yet the service holds it');
  else if (seen.kind === 'not-found') {
    const changes = { ...refusal, settledMs: context.clock.nowMs() };
    await context.journal.move({ payout, to: 'refused', changes });
    context.onEvent(movedEvent(payout, 'refused', refusal, 'submitting'));
  }
}

/** Known to lag, or so slow that nobody can tell. */
function showsLate(proof: LookUpProof | undefined): boolean {
  return proof !== undefined && (proof.lags === true || proof.delayMs > promptMs);
}

/** What a send and a look-up take at a service that is far away. */
const promptMs = 500;

/** How a send ended, for the journal: what decides is the code, the service's own words are evidence. */
function endOf(outcome: SendEnd['outcome'], { reason: code, errorCode, message }: NotOk): SendEnd {
  return { outcome, code, errorCode, words: message };
}

export function refusedBecause({ errorCode = '', words = '' }: SendEnd): Reason {
  return reason('refused', { errorCode, words });
}
