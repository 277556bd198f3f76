import { type Payout, paidTwiceMark } from '../domain/payout.ts';
import type { PayoutChanges } from '../journal/journal.ts';
import { eachPayout } from './each-payout.ts';
import { endOfPayout, identityOf, paidOtherwise } from './end-of-payout.ts';
import { judgeSettling } from './judge-settling.ts';
import { allThatPaid, mayBePaidTwice, paidTwiceReason } from './paid-twice.ts';
import type { RunContext } from './run-context.ts';

/**
 * Reads ended payouts again: a paid one that reads failed was returned; a failed one that reads successful was paid
 * after all, and that is said loudly.
 */
export async function rereadEnded(context: RunContext, paidSinceMs: number): Promise<void> {
  const { payouts, settings, service } = context;
  await eachPayout(payouts, ['paid', 'failed'], settings.concurrency, context.stopping, async (payout) => {
    if ((payout.settledMs ?? 0) < paidSinceMs || payout.transactionId === '') return;
    const read = await service.readTransaction({ params: { transactionId: payout.transactionId } });
    if (read.kind !== 'ok') return;
    const judged = judgeSettling(context, read.value.data, payout);
    if (judged.kind !== 'ours' || judged.status === 'pending') return;
    if (payout.state === 'failed') await rereadFailed(context, payout, judged.status);
    else if (judged.status === 'failed') await rereadReturned(context, payout);
    else await watchOthers(context, payout);
  });
}

/** It, or another attempt of it, may have been paid after all. */
async function rereadFailed(
  context: RunContext,
  payout: Payout,
  status: 'successful' | 'failed',
): Promise<void> {
  if (status === 'failed' && !mayBePaidTwice(payout)) return;
  const ended = await endOfPayout(context, payout, status);
  if (ended?.to !== 'paid') return;
  const { reason, transactionId } = ended;
  const twice = reason === '' ? '' : `; ${reason}`;
  await moveLoudly(context, payout, 'paid', `a later read says successful (${transactionId})${twice}`, {
    reason,
    ...identityOf(context, payout, ended),
  });
  if (reason !== '') context.onEvent({ kind: 'alarm', message: reason });
}

async function rereadReturned(context: RunContext, payout: Payout): Promise<void> {
  const reason = await reasonOfReturn(context, payout);
  if (reason !== undefined) {
    await moveLoudly(context, payout, 'returned', 'a later read says failed', { reason });
  }
}

async function moveLoudly(
  { journal, clock, onEvent }: RunContext,
  payout: Payout,
  to: 'paid' | 'returned',
  why: string,
  changes: PayoutChanges,
): Promise<void> {
  await journal.move({ payout, to, why, changes: { settledMs: clock.nowMs(), ...changes } });
  onEvent({ kind: 'alarm', message: `payment ${payout.key} was ${payout.state} and is ${to} now` });
}

/** What failed or was never answered may turn successful all the same, after another has paid: then it was paid twice. */
async function watchOthers(context: RunContext, payout: Payout): Promise<void> {
  if (!mayBePaidTwice(payout) || payout.reason.startsWith(paidTwiceMark)) return;
  const seen = await allThatPaid(context, payout);
  const paid = [...new Set([payout.transactionId, ...(seen?.paid ?? []).map((each) => each.transactionId)])];
  if (paid.length > 1) await noteLoudly(context, payout, { reason: paidTwiceReason(payout, paid) });
}

/**
 * Why a paid one is returned; undefined where it is not. One of several that paid came back and another has not: it is
 * paid, and by that one. While nobody can tell it stays as it is.
 */
async function reasonOfReturn(context: RunContext, payout: Payout): Promise<string | undefined> {
  const reason = 'it was paid and came back';
  if (!mayBePaidTwice(payout)) return reason;
  const seen = await allThatPaid(context, payout);
  if (!seen) return undefined;
  const others = seen.paid.filter(({ transactionId }) => transactionId !== payout.transactionId);
  const left = others.find(({ asItIs }) => asItIs);
  if (!left) return others[0] ? `${reason}; ${paidOtherwise(others[0])}` : reason;
  await noteLoudly(context, payout, identityOf(context, payout, left));
  return undefined;
}

/** What is learned of a payout that does not move. It stands in the log all the same: money hangs on it. */
async function noteLoudly(
  { journal, batch, onEvent }: RunContext,
  payout: Payout,
  changes: { readonly reason: string } | ReturnType<typeof identityOf>,
): Promise<void> {
  const message =
    'reason' in changes
      ? changes.reason
      : `payment ${payout.key}: transaction ${payout.transactionId} came back; ${changes.transactionId} has paid it`;
  await journal.note(payout, changes);
  await journal.logBatch(batch.id, 'batch', 'batch', message);
  onEvent({ kind: 'alarm', message });
}
