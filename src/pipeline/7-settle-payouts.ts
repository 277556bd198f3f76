import { judgeTransaction } from '../domain/judge-transaction.ts';
import type { Payout } from '../domain/payout.ts';
import { eachPayout } from './each-payout.ts';
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
    onEvent({ kind: 'waiting', why: `${left} payouts are on their way`, forMs: waitMs });
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
  const judged = judgeTransaction(read.value.data, payout);
  if (judged.kind !== 'ours') {
    const why = judged.kind === 'differs' ? judged.why : 'it carries another reference';
    const reason = `transaction ${payout.transactionId} is not this payout: ${why}`;
    if (payout.reason !== reason) await journal.note(payout, { reason });
    onEvent({ kind: 'alarm', message: `payment ${payout.key}: ${reason}` });
    return;
  }
  if (judged.status === 'pending') return;
  const to = judged.status === 'successful' ? 'paid' : 'failed';
  const reason = to === 'failed' ? 'the service says it failed' : '';
  await journal.move({
    payout,
    to,
    why: `the service says ${judged.status}`,
    changes: { settledMs: clock.nowMs(), reason },
  });
  onEvent({ kind: 'moved', key: payout.key, from: payout.state, to, reason });
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
    const judged = judgeTransaction(read.value.data, payout);
    if (judged.kind !== 'ours') return;
    const to = payout.state === 'paid' ? 'returned' : 'paid';
    if (judged.status !== (to === 'returned' ? 'failed' : 'successful')) return;
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
