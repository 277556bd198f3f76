import type { Payout } from '../domain/payout/payout.ts';
import { eachPayout } from './run/each-payout.ts';
import type { RunContext } from './run/run-context.ts';
import { concludeSettling } from './settle/conclude-settling.ts';
import { judgeSettling } from './settle/judge-settling.ts';
import { recheckWatched } from './settle/recheck-settled.ts';
import { settleByPages } from './settle/settle-by-pages.ts';

const firstPauseMs = 500;
const longestPauseMs = 30_000;
const hintPollMs = 500;
/** A list may lag behind the single read: in one round of so many nobody relies on its saying pending. */
const singlyEvery = 3;

/**
 * Stage 7: submitted payouts are read, with growing pauses, until they have ended or the time for it is over; and so are
 * paid ones of which another transaction is still open.
 */
export async function settlePayouts(context: RunContext): Promise<void> {
  const { payouts, settings, clock, onEvent } = context;
  const untilMs = clock.monotonicMs() + settings.settleForMs;
  let pauseMs = firstPauseMs;
  const of = await payouts.count(['submitted']);
  if (of > 0) onEvent({ kind: 'stage', stage: 'settle', done: 0, of });
  for (let round = 1; ; round += 1) {
    const pending = await settleByPages(context);
    // Who looks once only cannot wait for a later round.
    const isListTrusted = settings.settleForMs > 0 && round % singlyEvery !== 0;
    await eachPayout(context, ['submitted'], async (payout) => {
      if (!isListTrusted || !pending.has(payout.id)) await settlePayout(context, payout);
    });
    await recheckWatched(context);
    const left = (await payouts.count(['submitted'])) + (await payouts.watchedCount());
    const leftMs = untilMs - clock.monotonicMs();
    if (left === 0 || leftMs <= 0 || context.stopping()) return;
    const waitMs = Math.min(pauseMs, leftMs);
    onEvent({
      kind: 'waiting',
      why: left === 1 ? '1 payout is on its way' : `${left} payouts are on their way`,
      forMs: waitMs,
    });
    const onlySettles = (await payouts.count(['planned', 'ready', 'submitting'])) === 0;
    const wait = () => waitForHint(context, waitMs);
    await (onlySettles ? context.waitUnlocked(wait) : wait());
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
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

async function settlePayout(context: RunContext, payout: Payout): Promise<void> {
  const judged = await judgeSettling(context, payout);
  if (judged) await concludeSettling(context, payout, judged);
}
