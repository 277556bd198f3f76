import type { Payout } from '../domain/payout/payout.ts';
import type { PayoutState } from '../domain/payout/payout-state.ts';
import { noReason } from '../domain/payout/reasons.ts';
import { counted } from '../domain/text/counted.ts';
import { adoptTransaction } from './look-up/adopt-transaction.ts';
import { watchedBeside } from './look-up/all-attempts.ts';
import { carefulLookUp, lookUpAttempts } from './look-up/careful-look-up.ts';
import type { LookUp } from './look-up/look-up.ts';
import { type Breaker, createBreaker } from './run/breaker.ts';
import { eachOf, eachPayout } from './run/each-payout.ts';
import type { RunContext } from './run/run-context.ts';
import { sendingEvent } from './run/run-events.ts';
import { serviceError } from './run/service-error.ts';
import { holdPossibleDuplicate } from './send/hold-possible-duplicate.ts';
import { isAnswered, quietPeriodOf, resolveUnknownSends } from './send/resolve-unknown-sends.ts';
import { submitPayout } from './send/submit-payout.ts';

const wholeLookUp = 2_000;
const sampleSize = 500;
const sampleFirst = 200;
/** Of those looked up, so many also past an attempt that is not found; half of them the first to be sent. */
const furtherSample = 20;
const firstProofPauseMs = 100;
const longestProofPauseMs = 5_000;

/**
 * Stage 6: everything that is ready is sent, and everything that was sent is brought to an answer, as far as the
 * evidence goes. The order matters: what an earlier run left unclear is looked at first, then whether the journal has
 * forgotten anything, then one payout alone where the service has not yet proven that it can be searched.
 */
export async function submitPayouts(context: RunContext): Promise<void> {
  const breaker = createBreaker(context.settings.concurrency);
  await revisitUnclear(context);
  if (!context.memory.askedForForgotten) await lookForForgottenSends(context);
  const send = await countedSends(context, breaker);
  await proveEnvironment(context, send);
  await eachPayout(context, ['ready'], send);
  await proveByLastAccepted(context);
  await resolveUnknownSends(context, breaker);
}

async function countedSends(
  context: RunContext,
  breaker: Breaker,
): Promise<(payout: Payout) => Promise<void>> {
  const of = await context.payouts.count(['ready']);
  let done = 0;
  if (of > 0) context.onEvent(sendingEvent(of, await context.payouts.totals(['ready'])));
  return async (payout) => {
    await submitPayout(context, breaker, payout);
    done += 1;
    context.onEvent({ kind: 'stage', stage: 'submit', done, of });
  };
}

/** What was unclear may have turned up since; what only lacked the proof goes on now that it is there. */
async function revisitUnclear(context: RunContext): Promise<void> {
  const { journal, proofs } = context;
  await eachPayout(context, ['unclear'], async (payout) => {
    const seen = await carefulLookUp(context, payout);
    if (seen.kind === 'found')
      await adoptTransaction(context, payout, seen, payout.attempt, 'found by look-up');
    else if (seen.kind === 'not-found' && payout.code === 'unproven' && proofs.read()) {
      await journal.move({
        payout,
        to: 'submitting',
        why: 'look-ups are proven now',
        changes: noReason,
      });
    }
  });
}

/**
 * What this journal never sent may have been sent all the same: the journal may have been lost, or restored from an old
 * copy. One payout found at the service means that it has forgotten; from then on every payout is looked up just before
 * its send, and none is sent before what may still be on its way had time to land.
 */
async function lookForForgottenSends(context: RunContext): Promise<void> {
  const { memory, clock, onEvent, signal, startedMonotonicMs } = context;
  const asked = await perhapsForgotten(context);
  const further = spreadOver(asked, furtherSample);
  let forgotten = 0;
  let undecided = 0;
  let done = 0;
  await eachOf(context, asked, async (payout) => {
    onEvent({ kind: 'stage', stage: 'look-up', done: done++, of: asked.length });
    const { seen, attempt } = await lookUpAttempts(context, payout, {
      further: forgotten > 0 || further.has(payout),
    });
    if (seen.kind === 'unavailable') throw serviceError(seen.outcome, 'Payouts could not be looked up');
    if (seen.kind === 'undecided') {
      const isHeld = seen.alike !== undefined && (await holdPossibleDuplicate(context, payout, seen.alike));
      if (!isHeld) undecided += 1;
    }
    if (seen.kind === 'found' || seen.kind === 'differs') forgotten += 1;
    // Whatever it waits for here, it has been sent: held would be a lie.
    if (seen.kind === 'found' && unsent.has(payout.state)) {
      await adoptTransaction(context, payout, seen, attempt, 'the service already holds it');
    }
  });
  if (undecided > 0) {
    const message = `The service cannot be asked what it already holds of ${counted(undecided, 'payout')}: if this journal was lost or restored, only the service's refusal of a used reference keeps them from being paid twice.`;
    onEvent({ kind: 'alarm', message });
  }
  memory.askedForForgotten = !context.stopping();
  if (forgotten === 0) return;
  memory.lookUpEvery = true;
  const message = `The service already holds ${forgotten} of the payouts of batch ${context.batch.name} that this journal never sent: it has forgotten, or another machine sent them. Every payout will be looked up before it is sent.`;
  onEvent({ kind: 'alarm', message });
  const waitMs = startedMonotonicMs + quietPeriodOf(context) - clock.monotonicMs();
  if (waitMs > 0) {
    onEvent({
      kind: 'waiting',
      why: 'what another run may still have on its way must land first',
      forMs: waitMs,
    });
    await clock.sleep(waitMs, signal);
  }
}

const unsent: ReadonlySet<PayoutState> = new Set(['planned', 'ready', 'held']);

/**
 * A batch that this journal never sent anything of is looked up whole, a larger one by a sample. Of one that it did,
 * those that come next: had a run sent them that it does not remember, it would have begun with these.
 */
async function perhapsForgotten({ payouts, run }: RunContext): Promise<readonly Payout[]> {
  if (await payouts.anySent()) return payouts.unsentOfOthers(run, sampleFirst);
  const total = await payouts.count(['planned', 'ready', 'held']);
  return total <= wholeLookUp ? payouts.sample(total, total) : payouts.sample(sampleFirst, sampleSize);
}

/**
 * Who paid rows of the batch under a later attempt alone, attempt 1 never sent, has paid the first of them or many. To
 * ask that of every row of every new batch would treble its look-ups. Once one is found, every row is asked so.
 */
function spreadOver(asked: readonly Payout[], most: number): ReadonlySet<Payout> {
  const first = asked.slice(0, most / 2);
  const rest = asked.slice(first.length);
  const step = Math.max(1, Math.ceil(rest.length / (most / 2)));
  return new Set([...first, ...rest.filter((_, place) => place % step === 0)]);
}

/**
 * Where no accepted payout was ever found by look-up, payouts go one at a time until one was accepted and found, or a
 * quiet period has passed: a service that cannot be searched must not first be told so by four hundred lost replies.
 */
async function proveEnvironment(context: RunContext, send: (payout: Payout) => Promise<void>): Promise<void> {
  const { payouts, proofs, clock, journal, writes } = context;
  const untilMs = clock.monotonicMs() + quietPeriodOf(context);
  let lastId = 0;
  while (!proofs.read() && clock.monotonicMs() < untilMs && !context.stopping()) {
    const [payout] = await payouts.page(['ready'], lastId, 1);
    if (!payout) return;
    lastId = payout.id;
    await send(payout);
    await writes.done();
    const present = await journal.read(payout.id);
    // What was turned away shows nothing about look-ups: the next one may.
    const isSent = present.state === 'submitting' && !(await isAnswered(context, present));
    if (isSent || present.state === 'submitted') {
      await waitUntilFound(context, present, untilMs);
    }
  }
}

/**
 * The one that went alone may itself be the one that was lost. Any that was accepted after it shows as well whether
 * look-ups work, and without that nothing unanswered could ever be sent again.
 */
async function proveByLastAccepted(context: RunContext): Promise<void> {
  const { payouts, proofs, journal, memory } = context;
  const accepted = memory.lastAccepted;
  if (proofs.read() || !accepted || (await payouts.count(['submitting'])) === 0) return;
  const untilMs = accepted.endedMs + quietPeriodOf(context);
  await waitUntilFound(context, await journal.read(accepted.payout), untilMs);
}

/**
 * How long a look-up takes counts from the beginning of the send. The service may have had the payout long before its
 * answer came, or was given up: from there on a slow answer would hide the delay, and a lying one would be believed.
 */
async function waitUntilFound(context: RunContext, payout: Payout, untilMs: number): Promise<void> {
  const { clock, proofs, signal, memory } = context;
  const sentMs = memory.sendBegunMs.get(payout.id) ?? memory.lastAccepted?.begunMs ?? clock.monotonicMs();
  for (let pauseMs = firstProofPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestProofPauseMs)) {
    const seen = await carefulLookUp(context, payout);
    if (seen.kind === 'found') {
      await proofs.save({ delayMs: Math.ceil(clock.monotonicMs() - sentMs) });
      if (payout.state === 'submitting')
        await adoptTransaction(context, payout, seen, payout.attempt, 'found by look-up');
      else await rememberOthers(context, payout, seen);
      return;
    }
    if (clock.monotonicMs() >= untilMs || context.stopping()) return;
    await clock.sleep(pauseMs, signal);
  }
}

/** A look-up that lists more than the one transaction that the service named: what else it lists may pay as well. */
async function rememberOthers(
  { journal }: RunContext,
  payout: Payout,
  { successful, open }: Extract<LookUp, { kind: 'found' }>,
): Promise<void> {
  const watched = watchedBeside(payout.transactionId, [
    ...successful.map(({ transactionId }) => transactionId),
    ...open,
  ]);
  if (watched !== '') await journal.note(payout, { watched });
}
