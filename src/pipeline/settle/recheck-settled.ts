import { isDoubted } from '../../domain/payout/doubted.ts';
import { isGivenUp } from '../../domain/payout/given-up.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { waitingStates } from '../../domain/payout/payout-state.ts';
import { noReason, reason, reasonText } from '../../domain/payout/reasons.ts';
import { adoptTransaction } from '../look-up/adopt-transaction.ts';
import { carefulLookUp } from '../look-up/careful-look-up.ts';
import { eachOfPages, eachPayout } from '../run/each-payout.ts';
import type { RunContext } from '../run/run-context.ts';
import { contradictionIn, finalState, identityOf, nameOnce } from './final-state.ts';
import { createIdSet, type IdSet } from './id-set.ts';
import { askList, judgeSettling } from './judge-settling.ts';
import { moveLoudly } from './move-loudly.ts';
import { rereadGivenUp } from './reread-given-up.ts';
import { type AskedRows, rereadPaid } from './reread-paid.ts';
import { paidByPages } from './settle-by-pages.ts';

/**
 * Reads ended payouts again: a paid one that reads failed was returned; a failed one that reads successful was paid
 * after all, and a refused one that is found was sent after all. So is one that a person called unpaid. That is said loudly,
 * and so is a service that contradicts itself about one that is paid: the list is asked as well, ten at a call.
 *
 * Where people wait for their money, what the list still shows to be paid is passed over. It is given back, to be read
 * singly once nobody waits: a list may lag behind.
 */
export async function recheckSettled(context: RunContext, paidSinceMs: number): Promise<IdSet> {
  const isRecent = ({ settledMs }: Payout) => (settledMs ?? 0) >= paidSinceMs;
  // However long ago: it is doubted until the service shows it as it was, or a person has decided.
  const isDue = (payout: Payout) => isRecent(payout) || isDoubted(payout);
  const { payouts } = context;
  const isAnyWaiting = (await payouts.count(waitingStates)) > 0;
  const { listed, agreeing, shownPaid, taken } = await paidByPages(
    context,
    isRecent,
    async (payout, rows) => {
      // Who wishes to stop waits for no more of these reads.
      if (context.stopping()) return;
      await rereadPaid(context, payout, { askRows: async () => rows, isShownPaid: false });
    },
  );
  const later = isAnyWaiting ? listed : createIdSet();
  const askSome = asksSome(context);
  await eachPayout(context, ['paid', 'failed'], async (payout) => {
    const { id } = payout;
    if (!isDue(payout) || later.has(id) || taken.has(id)) return;
    if (payout.state === 'failed') await rereadFailed(context, payout);
    else {
      // One that was named is asked for by itself: pages may have met it before what speaks against it.
      const isEnough = (listed.has(id) || agreeing.has(id)) && payout.code === '';
      const askRows = isEnough ? nothingElse : askSome;
      await rereadPaid(context, payout, { askRows, isShownPaid: shownPaid.has(id) });
    }
  });
  let asked = 0;
  await eachPayout(context, ['refused'], async (payout) => {
    // However long ago: its transaction was never seen to end.
    if (isGivenUp(payout)) return rereadGivenUp(context, payout);
    if (!payout.everSent || !isDue(payout) || asked >= mostRefused) return;
    asked += 1;
    await rereadRefused(context, payout);
  });
  return later;
}

/** A page has shown nothing against it. */
const nothingElse: AskedRows = async () => [];

/** Those that no page shows: in a long list they stand below what others were paid since, or out of their order. */
const mostAsked = 500;

function asksSome(context: RunContext): AskedRows {
  let left = mostAsked;
  let isAnswered = true;
  return async (payout) => {
    // One that was named before stays so until the list says otherwise.
    if (!isAnswered || (left <= 0 && payout.code === '')) return undefined;
    left -= 1;
    const rows = await askList(context, payout);
    isAnswered = rows !== undefined;
    return rows;
  };
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
    const isTold = await rereadPaid(context, payout, { askRows: nothingElse, isShownPaid: true });
    untold = isTold ? 0 : untold + 1;
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
    await rereadPaid(context, payout, { askRows: async () => undefined, isShownPaid: false });
  });
}

/** It, or another attempt of it, may have been paid after all. */
async function rereadFailed(context: RunContext, payout: Payout): Promise<void> {
  if (payout.transactionId === '') return;
  const judged = await judgeSettling(context, payout);
  const wrong = judged && contradictionIn(payout, judged);
  if (wrong) return nameOnce(context, payout, reasonText(wrong));
  if (judged?.kind !== 'ours' || judged.status === 'pending') return;
  const { status, shownMinor } = judged;
  const ended = await finalState(context, payout, { status, shownMinor });
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
