import { isGivenUp } from '../../domain/payout/given-up.ts';
import type { OurJudgement } from '../../domain/payout/judge-transaction.ts';
import { differingMinor, type Payout } from '../../domain/payout/payout.ts';
import { waitingStates } from '../../domain/payout/payout-state.ts';
import { noReason, type Reason, reason, reasonText } from '../../domain/payout/reasons.ts';
import { watchedText } from '../../domain/payout/result-row.ts';
import type { PayoutChanges } from '../../journal/journal.ts';
import { adoptTransaction } from '../look-up/adopt-transaction.ts';
import { allThatPaid, mayBePaidTwice, paidTwice, watchedBeside } from '../look-up/all-attempts.ts';
import { carefulLookUp } from '../look-up/careful-look-up.ts';
import { eachOfPages, eachPayout } from '../run/each-payout.ts';
import type { RunContext } from '../run/run-context.ts';
import {
  doubtAbout,
  type EndedTransaction,
  finalState,
  identityOf,
  nameOnce,
  paidOtherwise,
} from './final-state.ts';
import { createIdSet, type IdSet } from './id-set.ts';
import { judgeSettling } from './judge-settling.ts';
import { rereadGivenUp } from './reread-given-up.ts';
import { stillPaidByPages } from './settle-by-pages.ts';

/**
 * Reads ended payouts again: a paid one that reads failed was returned; a failed one that reads successful was paid
 * after all, and a refused one that is found was sent after all. So is one that a person called unpaid. That is said loudly.
 *
 * Where people wait for their money, what a list still shows to be paid, ten at a call, is passed over. It is given back, to
 * be read singly once nobody waits: a list may lag behind.
 */
export async function recheckSettled(context: RunContext, paidSinceMs: number): Promise<IdSet> {
  const isDue = ({ settledMs }: Payout) => (settledMs ?? 0) >= paidSinceMs;
  const { payouts } = context;
  const isAnyWaiting = (await payouts.count(waitingStates)) > 0;
  const listed = isAnyWaiting ? await stillPaidByPages(context, isDue) : createIdSet();
  await eachPayout(context, ['paid', 'failed'], async (payout) => {
    if (isDue(payout) && !listed.has(payout.id)) await rereadPayout(context, payout);
  });
  let asked = 0;
  await eachPayout(context, ['refused'], async (payout) => {
    // However long ago: its transaction was never seen to end.
    if (isGivenUp(payout)) return rereadGivenUp(context, payout);
    if (!payout.everSent || !isDue(payout) || asked >= mostRefused) return;
    asked += 1;
    await rereadRefused(context, payout);
  });
  return listed;
}

/** Those that only a list has shown to be paid; until so many reads in a row got no answer. */
export async function recheckListed(
  context: RunContext,
  listed: IdSet,
  mostUntold = Number.POSITIVE_INFINITY,
): Promise<void> {
  let untold = 0;
  await eachPayout(context, ['paid'], async (payout) => {
    if (!listed.has(payout.id) || untold >= mostUntold) return;
    untold = (await rereadPayout(context, payout)) ? 0 : untold + 1;
  });
}

/** Each is a look-up of its own, which finds nothing wherever a service tells the truth. */
const mostRefused = 2_000;

/** A refusal was believed because no look-up showed the payout. One that does now is worth more. */
async function rereadRefused(context: RunContext, payout: Payout): Promise<void> {
  const seen = await carefulLookUp(context, payout);
  if (seen.kind === 'differs')
    return nameOnce(context, payout, reasonText(reason('reference-of-another', { why: seen.why })));
  if (seen.kind !== 'found') return;
  const why = 'refused, yet the service holds it';
  const planned = await context.journal.move({ payout, to: 'planned', why, changes: noReason });
  await adoptTransaction(context, planned, seen, payout.attempt, why);
  const message = `payment ${payout.key} was refused, yet the service holds it as transaction ${seen.transactionId}`;
  context.onEvent({ kind: 'alarm', message });
}

/** Reads those again that are paid while another transaction of theirs is open: it may pay at any time. */
export async function recheckWatched(context: RunContext): Promise<void> {
  await eachOfPages(context, context.payouts.watchedPage, async (payout) => {
    await rereadPayout(context, payout);
  });
}

/** False where the service does not tell. */
async function rereadPayout(context: RunContext, payout: Payout): Promise<boolean> {
  if (payout.transactionId === '') return true;
  const judged = await judgeSettling(context, payout);
  if (judged?.kind === 'ours') await takeReread(context, payout, judged);
  return judged !== undefined;
}

async function takeReread(context: RunContext, payout: Payout, judged: OurJudgement): Promise<void> {
  if (judged.contradiction) {
    const details = { transaction: payout.transactionId, ...judged.contradiction };
    return nameOnce(context, payout, reasonText(reason('status-contradicts', details)));
  }
  if (judged.status === 'pending') return;
  const { status, shownMinor } = judged;
  if (payout.state === 'failed') await rereadFailed(context, payout, { status, shownMinor });
  else if (status === 'failed') await rereadReturned(context, payout);
  else {
    const paidMinor = differingMinor(payout, shownMinor);
    if (shownMinor !== undefined && paidMinor !== payout.paidMinor)
      await context.journal.note(payout, { paidMinor });
    await watchOthers(context, payout);
  }
}

/** It, or another attempt of it, may have been paid after all. */
async function rereadFailed(
  context: RunContext,
  payout: Payout,
  transaction: EndedTransaction,
): Promise<void> {
  const ended = await finalState(context, payout, transaction);
  if (ended?.to === 'failed' && payout.code === 'status-contradicts')
    await context.journal.note(payout, ended.because);
  if (ended?.to !== 'paid') return;
  const { because, watched, transactionId } = ended;
  const twice = reasonText(because);
  const why = `a later read says successful (${transactionId})${twice === '' ? '' : `; ${twice}`}`;
  await moveLoudly(context, payout, 'paid', why, {
    ...because,
    watched,
    ...identityOf(context, payout, ended),
  });
  if (twice !== '') context.onEvent({ kind: 'alarm', message: `payment ${payout.key}: ${twice}` });
}

async function rereadReturned(context: RunContext, payout: Payout): Promise<void> {
  const because = await reasonOfReturn(context, payout);
  if (because)
    await moveLoudly(context, payout, 'returned', 'a later read says failed', {
      ...because,
      watched: '',
      paidMinor: null,
    });
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

/**
 * What is open, failed or was never answered may turn successful all the same, after another has paid: then it was paid
 * twice. One that was open and has failed is nothing to be alarmed about: the watch is over.
 */
async function watchOthers(context: RunContext, payout: Payout): Promise<void> {
  if (payout.paidTwice !== '' && payout.watched === '') return;
  if (!(await mayBePaidTwice(context, payout))) return;
  const seen = await allThatPaid(context, payout);
  if (!seen) return;
  const paid = [...new Set([payout.transactionId, ...seen.paid.map((each) => each.transactionId)])];
  const watched = watchedBeside(payout.transactionId, seen.open);
  const known = payout.paidTwice === '' ? 1 : payout.paidTwice.split(' ').length;
  if (paid.length > known) {
    const twice = paidTwice(paid);
    await noteLoudly(context, payout, { ...twice, watched }, `payment ${payout.key}: ${reasonText(twice)}`);
  } else if (watched !== payout.watched) await noteWatch(context, payout, watched);
}

async function noteWatch(context: RunContext, payout: Payout, watched: string): Promise<void> {
  const { journal, batch } = context;
  if (watched !== '') {
    await noteLoudly(context, payout, { watched }, `payment ${payout.key}: paid; ${watchedText(watched)}`);
    return;
  }
  await journal.note(payout, { watched });
  const message = `payment ${payout.key}: no other transaction of it is open any more`;
  await journal.logBatch(batch.id, 'batch', 'batch', message);
}

/**
 * Why a paid one is returned; undefined where it is not. One of several that paid came back and another has not: it is
 * paid, and by that one. While nobody can tell it stays as it is.
 */
async function reasonOfReturn(context: RunContext, payout: Payout): Promise<Reason | undefined> {
  const seen = await allThatPaid(context, payout);
  if (!seen) return undefined;
  const doubt = doubtAbout(seen.present);
  if (doubt !== undefined) {
    nameOnce(context, payout, reasonText(doubt));
    return undefined;
  }
  // Read once more it has not failed: it is asked again.
  const isOwn = (transactionId: string) => transactionId === payout.transactionId;
  if (seen.open.some(isOwn) || seen.paid.some((each) => isOwn(each.transactionId))) return undefined;
  const others = seen.paid;
  const left = others.find(({ asItIs }) => asItIs);
  const came = `transaction ${payout.transactionId} came back`;
  if (left) {
    const identity = identityOf(context, payout, left);
    const watched = watchedBeside(left.transactionId, seen.open);
    await noteLoudly(
      context,
      payout,
      { ...identity, watched },
      `payment ${payout.key}: ${came}; ${identity.transactionId} has paid it`,
    );
    return undefined;
  }
  if (others[0]) return reason('returned-yet-paid', paidOtherwise(others[0]));
  const watched = watchedBeside(payout.transactionId, seen.open);
  if (watched === '') return reason('returned');
  // Called returned, it could be retried, while the other one may still pay it.
  if (watched !== payout.watched) await noteWatch(context, payout, watched);
  nameOnce(context, payout, `${came}; ${watchedText(watched)}`);
  return undefined;
}

/** What is learned of a payout that does not move. It stands in the log all the same: money hangs on it. */
async function noteLoudly(
  { journal, batch, onEvent }: RunContext,
  payout: Payout,
  changes: PayoutChanges,
  message: string,
): Promise<void> {
  await journal.note(payout, changes);
  await journal.logBatch(batch.id, 'batch', 'batch', message);
  onEvent({ kind: 'alarm', message });
}
