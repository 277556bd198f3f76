import type { Payout } from '../../domain/payout/payout.ts';
import { type Reason, reason, reasonText } from '../../domain/payout/reasons.ts';
import { isReleased } from '../../domain/payout/release-marks.ts';
import { counted } from '../../domain/text/counted.ts';
import { adoptTransaction } from '../look-up/adopt-transaction.ts';
import { carefulLookUp } from '../look-up/careful-look-up.ts';
import { isAccountUnchanged, isAskedElsewhere } from '../payee/is-account-unchanged.ts';
import type { Breaker } from '../run/breaker.ts';
import { eachPayout } from '../run/each-payout.ts';
import type { RunContext } from '../run/run-context.ts';
import { movedEvent } from '../run/run-events.ts';
import { refusedBecause, sendPayout } from './send-payout.ts';

const firstPauseMs = 500;
const longestPauseMs = 15_000;
/** A delay that was measured once, in milliseconds, says little about the next. */
const leastWaitAfterAnswerMs = 1_000;

/**
 * Payouts that were sent and whose fate is not known. There are three ways out: a look-up finds it; the service calls
 * the reference used and a look-up confirms it; or a look-up made AFTER the quiet period finds nothing, and then the
 * same reference is sent again, a bounded number of times. Everything else waits for a person. One that was answered
 * with 401 or 429, or refused where look-ups lag, goes the same way; only its wait is shorter.
 */
export async function resolveUnknownSends(context: RunContext, breaker: Breaker): Promise<void> {
  const { payouts, journal, clock, signal, onEvent } = context;
  let pauseMs = firstPauseMs;
  while (!context.stopping() && (await payouts.count(['submitting'])) > 0) {
    const tooEarly = new Set<number>();
    let troubled = 0;
    await eachPayout(context, ['submitting'], async (payout) => {
      const looked = await resolveUnknown(context, breaker, payout);
      if (looked === 'too-early') tooEarly.add(payout.id);
      else if (looked === 'troubled') troubled += 1;
    });
    const left = tooEarly.size + troubled;
    if (left === 0) continue;
    const quietIn = async (id: number) => quietFor(context, await journal.read(id));
    const waitMs = await leastOf(pauseMs, tooEarly, quietIn);
    onEvent({
      kind: 'waiting',
      why: `${counted(left, 'payout')} sent and not yet found; looking again`,
      forMs: waitMs,
    });
    await clock.sleep(Math.max(10, waitMs), signal);
    // Where a quiet period was over before, nothing was looked for in vain.
    if (waitMs === pauseMs) pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
}

/** What became of one in the waiting room: it has left it, its quiet period is not over, or the service did not tell. */
type Looked = 'resolved' | 'too-early' | 'troubled';

async function resolveUnknown(context: RunContext, breaker: Breaker, payout: Payout): Promise<Looked> {
  const { journal, memory, settings, proofs } = context;
  // Read before the look-up begins: only a look-up that began after the quiet period proves an absence.
  const quiet = (await quietFor(context, payout)) <= 0;
  const seen = await carefulLookUp(context, payout);
  if (seen.kind === 'unavailable') {
    breaker.troubled(seen.outcome.cause);
    return 'troubled';
  }
  if (seen.kind === 'found') {
    await adoptTransaction(context, payout, seen, payout.attempt, 'found by look-up after an unclear send');
    breaker.succeeded();
    return 'resolved';
  }
  if (seen.kind === 'differs') {
    return becomeUnclear(context, payout, reason('reference-of-another', { why: seen.why }));
  }
  if (!quiet) return 'too-early';
  if (seen.kind === 'undecided')
    return becomeUnclear(context, payout, reason('look-up-untold', { why: seen.why }));
  // A person who grants one more send has seen the refusal.
  const lateRefusal = isReleased(payout, 'send') ? undefined : await journal.lastRefusal(payout);
  if (lateRefusal !== undefined) {
    const refusal = refusedBecause(lateRefusal);
    const waited = (await isAnswered(context, payout))
      ? 'once a look-up must have shown it'
      : 'after a further quiet period';
    const why = `${reasonText(refusal)}; not found ${waited}`;
    const changes = { ...refusal, settledMs: context.clock.nowMs() };
    await journal.move({ payout, to: 'refused', why, changes });
    context.onEvent(movedEvent(payout, 'refused', refusal));
    return 'resolved';
  }
  if (memory.chunk.burnt.has(payout.id)) {
    return becomeUnclear(context, payout, reason('reference-burnt'));
  }
  if (payout.unknownSends > settings.resends && !isReleased(payout, 'send')) {
    return becomeUnclear(context, payout, reason('unanswered-sends', { sends: String(payout.unknownSends) }));
  }
  // After an answer (401, 429) an empty list is enough; after none, the environment must be proven as well.
  if (payout.unknownSends > 0 && !proofs.read()) return becomeUnclear(context, payout, reason('unproven'));
  if (!isAccountUnchanged(context, payout) || (await isAskedElsewhere(context, payout))) {
    return becomeUnclear(context, payout, reason('account-gone'));
  }
  await sendPayout(context, breaker, payout, 'sent again: not found after the quiet period');
  await context.writes.done();
  const present = await journal.read(payout.id);
  if (present.state !== 'submitting') return 'resolved';
  // Sent without an answer that decides, it waits once more; where it was not even sent, the service is in trouble.
  return (await quietFor(context, present)) > 0 ? 'too-early' : 'troubled';
}

async function becomeUnclear(context: RunContext, payout: Payout, because: Reason): Promise<Looked> {
  await context.journal.move({ payout, to: 'unclear', changes: because });
  context.onEvent(movedEvent(payout, 'unclear', because));
  return 'resolved';
}

/**
 * What is left of the quiet period of a payout: from the end of its last send, or from the start of this run where an
 * earlier one sent it, by the clock that never goes back.
 */
export async function quietFor(context: RunContext, payout: Payout): Promise<number> {
  const { memory, clock, startedMonotonicMs } = context;
  const sinceMs = memory.chunk.sendEndedMs.get(payout.id) ?? startedMonotonicMs;
  const waitMs = (await isAnswered(context, payout)) ? waitAfterAnswer(context) : quietPeriodOf(context);
  return sinceMs + waitMs - clock.monotonicMs();
}

/** What is left of the time that a look-up may take to show a payout which the service is known to have. */
export function landingFor(context: RunContext, { id }: Pick<Payout, 'id'>): number {
  const { memory, clock, startedMonotonicMs } = context;
  const sinceMs =
    memory.chunk.sendEndedMs.get(id) ?? memory.chunk.lastAccepted?.endedMs ?? startedMonotonicMs;
  return sinceMs + waitAfterAnswer(context) - clock.monotonicMs();
}

/**
 * Every send of the present attempt was answered, and the last with 401 or 429, or with a refusal. A refusal says that
 * much only of what no other run, and none that was forgotten, may have sent.
 */
export async function isAnswered(
  { journal, memory, acceptedBy }: RunContext,
  payout: Payout,
): Promise<boolean> {
  if (payout.unknownSends > 0) return false;
  const end = await journal.lastSendEnd(payout);
  return (
    end === 'answered' ||
    (end === 'refused' && payout.acceptedRun === acceptedBy && !memory.batch.lookUpEvery)
  );
}

/**
 * An answer that was given although the payout was made shows only by look-up, and that may lag: twice the longest delay
 * that was seen is waited for. Where none was, nobody knows how long it may be.
 */
function waitAfterAnswer(context: RunContext): number {
  const proof = context.proofs.read();
  return proof ? Math.max(leastWaitAfterAnswerMs, 2 * proof.delayMs) : quietPeriodOf(context);
}

/** Never shorter than twice the time-out, nor than twice the longest time a look-up took to show an accepted payout. */
export function quietPeriodOf({ settings, proofs }: RunContext): number {
  return Math.max(settings.quietPeriodMs, 2 * settings.timeoutMs, 2 * (proofs.read()?.delayMs ?? 0));
}

/** The shortest of their waits, and no more than the longest: one that ended meanwhile is over at once. */
async function leastOf(
  longestMs: number,
  ids: ReadonlySet<number>,
  leftMs: (id: number) => Promise<number>,
): Promise<number> {
  let leastMs = longestMs;
  for (const id of ids) {
    const left = await leftMs(id);
    leastMs = Math.min(leastMs, Math.max(0, left));
  }
  return leastMs;
}
