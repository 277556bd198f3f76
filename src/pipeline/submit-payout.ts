import { strict as assert } from 'node:assert';
import { debitWallet } from '../domain/debit-wallet.ts';
import { jsonNumberFromMinor } from '../domain/money.ts';
import { type Payout, payeeOf } from '../domain/payout.ts';
import { fingerprintOf, referenceOf } from '../domain/reference.ts';
import { findCurrency } from '../domain/reference-data/countries.ts';
import { isReleased } from '../domain/release-marks.ts';
import { exitCode, PayrunError } from '../errors.ts';
import type { NotOk } from '../service/call-outcome.ts';
import type { PayoutRequest } from '../service/contract/payouts.ts';
import { adopt } from './adopt-transaction.ts';
import type { Breaker } from './breaker.ts';
import { carefulLookUp, hasFailed, lookUpAttempts } from './careful-look-up.ts';
import { type LookUp, readAccepted } from './look-up.ts';
import type { RunContext } from './run-context.ts';

const mostAnsweredSends = 20;

/** Stage 6 for one payout that is ready: looked up where that is due, then sent. */
export async function submitPayout(context: RunContext, breaker: Breaker, payout: Payout): Promise<void> {
  if (!(await otherAttemptsFailed(context, payout))) return;
  if (needsLookUp(context, payout)) {
    const { seen, attempt } = await lookUpAttempts(context, payout);
    if (seen.kind === 'found') {
      await adopt(context, payout, seen, attempt, 'the service already holds it');
      return;
    }
    const trusted = seen.kind === 'undecided' && isReleased(payout, 'repeat');
    if (seen.kind !== 'not-found' && !trusted) {
      await waitForPerson(context, payout, seen, breaker);
      return;
    }
  }
  await sendPayout(context, breaker, payout, 'first send');
}

/** Only the run that accepted a payout may send it first without a look-up. */
function needsLookUp({ settings, memory, run }: RunContext, payout: Payout): boolean {
  return settings.lookup === 'always' || memory.lookUpEvery || payout.acceptedRun !== run || payout.everSent;
}

/** Before an attempt is sent, every other one must still be failed: a late success would make it the second. */
async function otherAttemptsFailed(context: RunContext, payout: Payout): Promise<boolean> {
  for (let attempt = 1; attempt <= payout.lastAttempt; attempt += 1) {
    if (attempt === payout.attempt) continue;
    const reference = referenceOf(context.batch.name, context.batch.keyKind, payout.key, attempt);
    const seen = await lookUpAccepted(context, { ...payout, attempt, reference });
    if (hasFailed(seen)) continue;
    if (seen.kind === 'unavailable') return false;
    if (seen.kind === 'found' && !payout.everSent) {
      const why = `attempt ${attempt} (${seen.transactionId}) is ${seen.status} after all`;
      await adopt(context, payout, seen, attempt, why);
      context.onEvent({ kind: 'alarm', message: `payment ${payout.key}: ${why}; nothing more is sent` });
      return false;
    }
    // A refused or burnt attempt left nothing behind: an empty list is what it should show.
    if (seen.kind === 'not-found') continue;
    const why =
      seen.kind === 'found'
        ? `attempt ${attempt} (${seen.transactionId}) is ${seen.status} now`
        : seen.kind === 'differs'
          ? `attempt ${attempt}, sent before the row was changed, is not failed any more${namesOf(seen.successful)}`
          : `attempt ${attempt} could not be told: ${seen.why}`;
    await context.journal.move({ payout, to: 'held', why, changes: { hold: 'repeat', reason: why } });
    return false;
  }
  return true;
}

function namesOf(transactions: readonly string[]): string {
  return transactions.length === 0 ? '' : ` (${transactions.join(', ')})`;
}

/**
 * Another attempt. A list that does not show it says nothing where the service once named its transaction: that one
 * is then read by itself.
 */
async function lookUpAccepted(context: RunContext, payout: Payout): Promise<LookUp> {
  const seen = await carefulLookUp(context, payout);
  const transactionId = context.journal.transactionOf(payout, payout.reference);
  if (seen.kind !== 'not-found' || transactionId === undefined) return seen;
  return readAccepted(context.service, payout, transactionId);
}

/** A look-up that does not decide: nothing is sent. */
async function waitForPerson(
  context: RunContext,
  payout: Payout,
  seen: Exclude<LookUp, { kind: 'found' | 'not-found' }>,
  breaker: Breaker,
): Promise<void> {
  if (seen.kind === 'unavailable') {
    breaker.troubled(seen.outcome.sentence);
    return;
  }
  const reason =
    seen.kind === 'differs' ? `another transaction stands under its reference: ${seen.why}` : seen.why;
  await context.journal.move({ payout, to: 'held', why: reason, changes: { hold: 'repeat', reason } });
}

/**
 * Sends once, and once more after each answer that did nothing (401, 429) and a look-up that found nothing. Whatever
 * else happens is left for the waiting room.
 */
export async function sendPayout(
  context: RunContext,
  breaker: Breaker,
  ready: Payout,
  why: string,
): Promise<void> {
  let payout = ready;
  for (let send = 0; send < mostAnsweredSends; send += 1) {
    const answered = await sendOnce(context, breaker, payout, why);
    if (!answered) return;
    payout = answered;
    const seen = await carefulLookUp(context, payout);
    if (seen.kind === 'found') {
      await adopt(context, payout, seen, payout.attempt, 'found after an answer that refused it');
      return;
    }
    if (seen.kind !== 'not-found' || context.stopping()) return;
  }
}

/** Undefined when this payout's sending is over for now; the payout when it was answered and may be sent again. */
async function sendOnce(
  context: RunContext,
  breaker: Breaker,
  ready: Payout,
  why: string,
): Promise<Payout | undefined> {
  const { journal, service, memory, clock } = context;
  const body = requestOf(context, ready);
  // The intent is on disk before the first byte leaves. If it cannot be written, nothing is sent.
  const { payout, send } = await journal.beginSend(ready, why);
  memory.sends += 1;
  const outcome = await service.createPayout({ body });
  const endedMs = clock.monotonicMs();
  memory.sendEndedMs.set(payout.id, endedMs);
  if (outcome.kind === 'ok') {
    breaker.succeeded();
    memory.lastAccepted = { payout: payout.id, atMs: endedMs };
    const { transactionId } = outcome.value;
    const { state } = await journal.acceptSend(payout, send, transactionId);
    if (state === 'submitted') {
      context.onEvent({ kind: 'moved', key: payout.key, from: 'submitting', to: 'submitted', reason: '' });
    } else {
      const message = `payment ${payout.key}: the service answered with transaction ${transactionId}, which is another payment's; it will be looked up`;
      context.onEvent({ kind: 'alarm', message });
    }
    return undefined;
  }
  return notOk(context, breaker, payout, send, outcome);
}

async function notOk(
  context: RunContext,
  breaker: Breaker,
  payout: Payout,
  send: number,
  outcome: NotOk,
): Promise<Payout | undefined> {
  const { journal, memory } = context;
  switch (outcome.kind) {
    case 'refused': {
      const reason = `${outcome.errorCode}: ${outcome.message ?? ''}`;
      const ended = await journal.endSend(payout, send, 'refused', reason);
      await settleRefusal(context, ended, reason);
      breaker.refused(outcome.errorCode, outcome.message ?? '');
      return undefined;
    }
    case 'try_later': {
      if (!outcome.sent) {
        const back = payout.unknownSends === 0 ? { to: 'ready' as const, why: outcome.sentence } : undefined;
        const ended = await journal.endSend(payout, send, 'not-sent', outcome.sentence);
        if (back && !ended.everSent) await journal.move({ payout: ended, ...back });
        breaker.troubled(outcome.sentence);
        return undefined;
      }
      const ended = await journal.endSend(payout, send, 'answered', outcome.sentence);
      if (outcome.reason === 'unauthorised') refuseSecondToken(memory, payout);
      return ended;
    }
    case 'unknown': {
      if (outcome.reason === 'reference-used') memory.burnt.add(payout.id);
      await journal.endSend(payout, send, 'unknown', outcome.sentence);
      context.onEvent({
        kind: 'notice',
        message: `payment ${payout.key}: ${outcome.sentence}; it will be looked up`,
      });
      if (outcome.reason !== 'reference-used') breaker.troubled(outcome.sentence);
      return undefined;
    }
  }
}

/**
 * No payout becomes refused before a look-up found nothing; after an unknown, only one after a further quiet period. The
 * unknown may be another journal's, or one that this journal has forgotten.
 */
async function settleRefusal(context: RunContext, payout: Payout, reason: string): Promise<void> {
  // The journaled refusal is believed by the waiting room, after a further quiet period.
  if (payout.unknownSends > 0 || context.memory.lookUpEvery || payout.acceptedRun !== context.run) return;
  const seen = await carefulLookUp(context, payout);
  if (seen.kind === 'found')
    await adopt(context, payout, seen, payout.attempt, 'refused, yet the service holds it');
  else if (seen.kind === 'not-found') {
    await context.journal.move({
      payout,
      to: 'refused',
      why: reason,
      changes: { reason, settledMs: context.clock.nowMs() },
    });
    context.onEvent({ kind: 'moved', key: payout.key, from: 'submitting', to: 'refused', reason });
  }
}

/** One payout that meets 401 under two tokens: the credentials are refused, not the token. */
function refuseSecondToken(memory: RunContext['memory'], payout: Payout): void {
  const times = (memory.unauthorised.get(payout.id) ?? 0) + 1;
  memory.unauthorised.set(payout.id, times);
  if (times < 2) return;
  throw new PayrunError(
    'credentials-refused',
    exitCode.stoppedEarly,
    'The service refused two fresh tokens. Check PAYRUN_API_KEY and PAYRUN_PUBLIC_KEY, then run the same command again.',
  );
}

/**
 * The request, made from the journaled values and checked against the journaled identity: what goes out is what was
 * validated, shown and confirmed.
 */
function requestOf({ batch }: RunContext, payout: Payout): PayoutRequest {
  const { currency, country, destination, amountMinor } = payout;
  const debit = {
    ...(payout.debitCurrency === '' ? {} : { debitCurrency: payout.debitCurrency }),
    ...(payout.debitCountry === '' ? {} : { debitCountry: payout.debitCountry }),
  };
  const wallet = debitWallet({
    country,
    currency,
    debitCurrency: debit.debitCurrency,
    debitCountry: debit.debitCountry,
  });
  const reference = referenceOf(batch.name, batch.keyKind, payout.key, payout.attempt);
  const fingerprint = fingerprintOf({ payee: payeeOf(payout), amountMinor, currency, debitWallet: wallet });
  if (reference !== payout.reference || fingerprint !== payout.fingerprint) throw tampered(payout);
  assert(payout.externalAccountId !== '', `payment ${payout.key} has no external account`);
  return {
    amount: jsonNumberFromMinor(amountMinor, findCurrency(currency)?.decimals ?? 0),
    currency,
    country,
    destination,
    externalReference: reference,
    externalAccountId: payout.externalAccountId,
    ...debit,
  };
}

/** The values about to go out are not those that were validated, shown and confirmed. */
function tampered({ key }: Payout): PayrunError {
  return new PayrunError(
    'journal-damaged',
    exitCode.stoppedEarly,
    `Payment ${key} stands in the journal with other values than were accepted: the journal is damaged, or somebody has changed it. It was not sent. Look with: payrun audit`,
  );
}
