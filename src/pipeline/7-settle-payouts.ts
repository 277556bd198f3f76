import { type Judgement, judgeTransaction } from '../domain/judge-transaction.ts';
import { type Payout, paidTwiceMark } from '../domain/payout.ts';
import type { SingleTransaction } from '../service/contract/transactions.ts';
import { eachPayout } from './each-payout.ts';
import { allThatPaid, paidTwiceReason } from './paid-twice.ts';
import type { RunContext } from './run-context.ts';

const firstPauseMs = 500;
const longestPauseMs = 30_000;
const hintPollMs = 500;

/** Stage 7: submitted payouts are read, with growing pauses, until they have ended or the time for it is over. */
export async function settlePayouts(context: RunContext): Promise<void> {
  const { payouts, settings, clock, onEvent } = context;
  const untilMs = clock.monotonicMs() + settings.settleForMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    await eachPayout(payouts, ['submitted'], settings.concurrency, context.stopping, (payout) =>
      settlePayout(context, payout),
    );
    const left = payouts.count(['submitted']);
    const leftMs = untilMs - clock.monotonicMs();
    if (left === 0 || leftMs <= 0 || context.stopping()) return;
    const waitMs = Math.min(pauseMs, leftMs);
    onEvent({
      kind: 'waiting',
      why: left === 1 ? '1 payout is on its way' : `${left} payouts are on their way`,
      forMs: waitMs,
    });
    const onlySettles = payouts.count(['planned', 'ready', 'submitting']) === 0;
    const wait = () => waitForHint(context, waitMs);
    await (onlySettles ? context.waitUnlocked(wait) : wait());
  }
}

/** Waits, but no longer than until a webhook has left a hint. */
async function waitForHint({ clock, signal, takeHints }: RunContext, waitMs: number): Promise<void> {
  const untilMs = clock.monotonicMs() + waitMs;
  for (;;) {
    const leftMs = untilMs - clock.monotonicMs();
    if (leftMs <= 0 || signal.aborted || (await takeHints()) > 0) return;
    await clock.sleep(Math.min(leftMs, hintPollMs), signal);
  }
}

/** A payout moves only on a transaction that is shown to be ours. */
export async function settlePayout(context: RunContext, payout: Payout): Promise<void> {
  const { service, journal, clock, onEvent } = context;
  const read = await service.readTransaction({ params: { transactionId: payout.transactionId } });
  if (read.kind !== 'ok') return;
  const judged = judgeSettling(context, read.value.data, payout);
  if (judged.kind !== 'ours') {
    const why = judged.kind === 'differs' ? judged.why : 'it carries another reference';
    const reason = `transaction ${payout.transactionId} is not this payout: ${why}`;
    if (payout.reason !== reason) await journal.note(payout, { reason });
    onEvent({ kind: 'alarm', message: `payment ${payout.key}: ${reason}` });
    return;
  }
  if (judged.status === 'pending') return;
  const ended = await endOf(context, payout, judged.status);
  if (!ended) return;
  const { to, reason, transactionId } = ended;
  await journal.move({
    payout,
    to,
    why: `the service says ${to === 'paid' ? 'successful' : 'failed'} (${transactionId})`,
    changes: { settledMs: payout.settledMs ?? clock.nowMs(), reason, transactionId },
  });
  if (reason.startsWith(paidTwiceMark)) onEvent({ kind: 'alarm', message: reason });
  onEvent({ kind: 'moved', key: payout.key, from: payout.state, to, reason });
}

interface Ended {
  readonly to: 'paid' | 'failed';
  readonly reason: string;
  readonly transactionId: string;
}

/**
 * How a payout has ended whose transaction has. One transaction does not speak for the reference: failed is only what
 * failed under all of them, and where more than one send or attempt was made, more than one may have paid. Undefined
 * while that cannot be told: it is asked again.
 */
async function endOf(
  context: RunContext,
  payout: Payout,
  status: 'successful' | 'failed',
): Promise<Ended | undefined> {
  const { transactionId } = payout;
  const manySends = payout.unknownSends > 0 || payout.attempt > 1 || payout.reason.startsWith(paidTwiceMark);
  if (status === 'successful' && !manySends) return { to: 'paid', reason: '', transactionId };
  const seen = await allThatPaid(context, payout);
  if (!seen) return undefined;
  const paid = [...new Set(status === 'successful' ? [transactionId, ...seen.paid] : seen.paid)];
  if (paid.length > 1)
    return { to: 'paid', reason: paidTwiceReason(payout, paid), transactionId: paid[0] ?? '' };
  if (paid.length === 1) return { to: 'paid', reason: '', transactionId: paid[0] ?? '' };
  const { present } = seen;
  if (present.kind === 'found' && present.status !== 'failed') return undefined;
  if (present.kind === 'differs' && !present.allFailed) {
    const reason = `its transaction failed, yet another stands under its reference: ${present.why}`;
    if (payout.reason !== reason) await context.journal.note(payout, { reason });
    context.onEvent({ kind: 'alarm', message: `payment ${payout.key}: ${reason}` });
    return undefined;
  }
  return { to: 'failed', reason: 'the service says it failed', transactionId };
}

/**
 * One transaction pays one payout. A service that names the same one for two is believed about neither, unless it shows
 * whose reference it carries.
 */
function judgeSettling({ payouts }: RunContext, shown: SingleTransaction, payout: Payout): Judgement {
  const judged = judgeTransaction(shown, payout, payout.transactionId);
  const showsReference = (shown.externalReference ?? '').trim() !== '';
  if (judged.kind !== 'ours' || showsReference || !payouts.transactionTaken(payout.transactionId, payout.id))
    return judged;
  return { kind: 'differs', why: 'it is known as another payout’s', status: judged.status };
}

/**
 * Reads ended payouts again: a paid one that reads failed was returned; a failed one that reads successful was paid
 * after all, and that is said loudly.
 */
export async function rereadEnded(context: RunContext, paidSinceMs: number): Promise<void> {
  const { payouts, settings, service, journal, clock, onEvent } = context;
  await eachPayout(payouts, ['paid', 'failed'], settings.concurrency, context.stopping, async (payout) => {
    if ((payout.settledMs ?? 0) < paidSinceMs || payout.transactionId === '') return;
    const read = await service.readTransaction({ params: { transactionId: payout.transactionId } });
    if (read.kind !== 'ok') return;
    const judged = judgeSettling(context, read.value.data, payout);
    if (judged.kind !== 'ours') return;
    const to = payout.state === 'paid' ? 'returned' : 'paid';
    if (judged.status !== (to === 'returned' ? 'failed' : 'successful')) {
      if (payout.state === 'paid') await watchEarlierAttempts(context, payout);
      return;
    }
    const reason = to === 'returned' ? 'it was paid and came back' : '';
    await journal.move({
      payout,
      to,
      why: `a later read says ${judged.status}`,
      changes: { settledMs: clock.nowMs(), reason },
    });
    onEvent({ kind: 'alarm', message: `payment ${payout.key} was ${payout.state} and is ${to} now` });
  });
}

/** An attempt that failed and was followed by another may turn successful all the same: then it was paid twice. */
async function watchEarlierAttempts(context: RunContext, payout: Payout): Promise<void> {
  if (payout.attempt === 1 || payout.reason.startsWith(paidTwiceMark)) return;
  const seen = await allThatPaid(context, payout);
  const paid = [...new Set([payout.transactionId, ...(seen?.paid ?? [])])];
  if (paid.length === 1) return;
  const reason = paidTwiceReason(payout, paid);
  await context.journal.note(payout, { reason });
  context.onEvent({ kind: 'alarm', message: reason });
}
