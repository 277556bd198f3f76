import { type Judgement, judgeTransaction } from '../domain/judge-transaction.ts';
import { type Payout, paidTwiceMark } from '../domain/payout.ts';
import { referenceOf } from '../domain/reference.ts';
import type { SingleTransaction } from '../service/contract/transactions.ts';
import { eachPayout } from './each-payout.ts';
import { allThatPaid, mayBePaidTwice, type Paying, paidTwiceReason } from './paid-twice.ts';
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
  const { to, reason, transactionId, attempt } = ended;
  await journal.move({
    payout,
    to,
    why: `the service says ${to === 'paid' ? 'successful' : 'failed'} (${transactionId})`,
    changes: {
      settledMs: payout.settledMs ?? clock.nowMs(),
      reason,
      ...identityOf(context, payout, { transactionId, attempt }),
    },
  });
  if (reason.startsWith(paidTwiceMark)) onEvent({ kind: 'alarm', message: reason });
  onEvent({ kind: 'moved', key: payout.key, from: payout.state, to, reason });
}

interface Ended extends Paying {
  readonly to: 'paid' | 'failed';
  readonly reason: string;
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
  const own = { transactionId: payout.transactionId, attempt: payout.attempt };
  if (status === 'successful' && !mayBePaidTwice(payout)) return { to: 'paid', reason: '', ...own };
  const seen = await allThatPaid(context, payout);
  if (!seen) return undefined;
  const others = seen.paid.filter(({ transactionId }) => transactionId !== payout.transactionId);
  const paid = status === 'successful' ? [own, ...others] : others;
  const [first] = paid;
  if (first) return { to: 'paid', reason: reasonOf(payout, paid), ...first };
  const { present } = seen;
  if (present.kind === 'found' && present.status !== 'failed') return undefined;
  // A service that cannot be searched never shows what else was sent.
  if (present.kind === 'undecided' && mayBePaidTwice(payout)) return undefined;
  if (present.kind === 'differs' && !present.withdrawalsFailed) {
    const reason = `its transaction failed, yet another stands under its reference: ${present.why}`;
    if (payout.reason !== reason) {
      await context.journal.note(payout, { reason });
      context.onEvent({ kind: 'alarm', message: `payment ${payout.key}: ${reason}` });
    }
    return undefined;
  }
  return { to: 'failed', reason: 'the service says it failed', ...own };
}

function reasonOf(payout: Payout, paid: readonly Paying[]): string {
  const ids = paid.map(({ transactionId }) => transactionId);
  return ids.length > 1 ? paidTwiceReason(payout, ids) : '';
}

/** What paid it may stand under the reference of another attempt: then that is the payout's. */
function identityOf({ batch }: RunContext, payout: Payout, { transactionId, attempt }: Paying) {
  if (attempt === payout.attempt) return { transactionId };
  return { transactionId, attempt, reference: referenceOf(batch.name, batch.keyKind, payout.key, attempt) };
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
      if (payout.state === 'paid') await watchOthers(context, payout);
      return;
    }
    if (to === 'returned' && (await isPaidByAnother(context, payout))) return;
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

/** What failed or was never answered may turn successful all the same, after another has paid: then it was paid twice. */
async function watchOthers(context: RunContext, payout: Payout): Promise<void> {
  if (!mayBePaidTwice(payout) || payout.reason.startsWith(paidTwiceMark)) return;
  const seen = await allThatPaid(context, payout);
  const paid = [...new Set([payout.transactionId, ...(seen?.paid ?? []).map((each) => each.transactionId)])];
  if (paid.length === 1) return;
  const reason = paidTwiceReason(payout, paid);
  await context.journal.note(payout, { reason });
  context.onEvent({ kind: 'alarm', message: reason });
}

/** One of several that paid came back, another has not: it is paid, and by that one. True as well while nobody can tell. */
async function isPaidByAnother(context: RunContext, payout: Payout): Promise<boolean> {
  if (!mayBePaidTwice(payout)) return false;
  const seen = await allThatPaid(context, payout);
  if (!seen) return true;
  const left = seen.paid.find(({ transactionId }) => transactionId !== payout.transactionId);
  if (!left) return false;
  await context.journal.note(payout, identityOf(context, payout, left));
  const message = `payment ${payout.key}: transaction ${payout.transactionId} came back; ${left.transactionId} has paid it`;
  context.onEvent({ kind: 'alarm', message });
  return true;
}
