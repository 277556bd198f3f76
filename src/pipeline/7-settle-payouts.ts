import type { Payout } from '../domain/payout/payout.ts';
import { reason, reasonText } from '../domain/payout/reasons.ts';
import { watchedText } from '../domain/payout/result-row.ts';
import { eachPayout } from './run/each-payout.ts';
import type { RunContext } from './run/run-context.ts';
import { told } from './run/run-events.ts';
import { finalState, identityOf, stayNamed, stayUnnamed } from './settle/final-state.ts';
import { judgeSettling } from './settle/judge-settling.ts';
import { recheckWatched } from './settle/recheck-settled.ts';

const firstPauseMs = 500;
const longestPauseMs = 30_000;
const hintPollMs = 500;

/**
 * Stage 7: submitted payouts are read, with growing pauses, until they have ended or the time for it is over; and so are
 * paid ones of which another transaction is still open.
 */
export async function settlePayouts(context: RunContext): Promise<void> {
  const { payouts, settings, clock, onEvent } = context;
  const untilMs = clock.monotonicMs() + settings.settleForMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    await eachPayout(context, ['submitted'], (payout) => settlePayout(context, payout));
    await recheckWatched(context);
    const left = payouts.count(['submitted']) + payouts.watchedCount();
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
  const { journal, clock, onEvent } = context;
  const judged = await judgeSettling(context, payout);
  if (!judged) return;
  if (judged.kind !== 'ours') {
    const why = judged.kind === 'differs' ? judged.why : 'it carries another reference';
    return stayNamed(context, payout, reason('not-this-payout', { transaction: payout.transactionId, why }));
  }
  if (judged.contradiction) {
    const details = { transaction: payout.transactionId, ...judged.contradiction };
    return stayNamed(context, payout, reason('status-contradicts', details));
  }
  if (judged.status === 'pending') return stayUnnamed(context, payout);
  const { status, shownMinor } = judged;
  const ended = await finalState(context, payout, { status, shownMinor });
  if (!ended) return;
  const { to, because, watched, transactionId } = ended;
  const twice = because.code === 'paid-twice' ? reasonText(because) : '';
  const settledMs = payout.settledMs ?? clock.nowMs();
  const changes = { settledMs, ...because, watched, ...identityOf(context, payout, ended) };
  const said = to === 'paid' ? 'successful' : 'failed';
  const why = `the service says ${said} (${transactionId})${twice === '' ? '' : `; ${twice}`}`;
  const tell = () => {
    const { key, state: from } = payout;
    if (twice !== '') onEvent({ kind: 'alarm', message: `payment ${key}: ${twice}` });
    if (watched !== '') onEvent({ kind: 'alarm', message: `payment ${key}: paid; ${watchedText(watched)}` });
    onEvent({ kind: 'moved', key, from, to, ...told(because) });
  };
  await context.writes.add(journal.move({ payout, to, why, changes }).then(tell));
}
