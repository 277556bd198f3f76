import { type OurJudgement, showsWhere } from '../../domain/payout/judge-transaction.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import type { ListedTransaction } from '../../service/contract/transactions.ts';
import { mayBePaidTwice } from '../look-up/all-attempts.ts';
import { rowsOf } from '../look-up/look-up.ts';
import type { RunContext } from '../run/run-context.ts';
import { concludeSettling } from './conclude-settling.ts';
import { createIdSet, type IdSet } from './id-set.ts';
import { judgedOnce } from './judge-settling.ts';
import { readByPages } from './read-by-pages.ts';

/**
 * Settles by the transactions list what it shows beyond doubt, and gives those that it shows to be on their way. Whatever
 * it does not decide is read singly.
 */
export async function settleByPages(context: RunContext): Promise<IdSet> {
  const pending = createIdSet();
  await readByPages(context, {
    state: 'submitted',
    take: async (payout, shown) => {
      const judged = await judgedByRow(context, payout, shown);
      if (judged?.status === 'pending') pending.add(payout.id);
      else if (judged && showsAllPaid(judged, payout)) await concludeSettling(context, payout, judged);
    },
  });
  return pending;
}

/** Of those that are paid and wanted, the ones that the list still shows just so. */
export async function stillPaidByPages(
  context: RunContext,
  isWanted: (payout: Payout) => boolean,
): Promise<IdSet> {
  const paid = createIdSet();
  await readByPages(context, {
    state: 'paid',
    isWanted,
    take: async (payout, shown) => {
      const judged = await judgedByRow(context, payout, shown);
      if (!judged || !showsAllPaid(judged, payout) || payout.paidMinor !== null) return;
      if (!(await mayBePaidTwice(context, payout))) paid.add(payout.id);
    },
  });
  return paid;
}

/** By the same test as a single read. A row that shows less, or more than one answer, is not enough. */
async function judgedByRow(
  context: RunContext,
  payout: Payout,
  shown: readonly ListedTransaction[],
): Promise<OurJudgement | undefined> {
  const [row, second] = rowsOf(shown, payout.transactionId);
  if (!row || second || payout.code !== '') return undefined;
  const judged = await judgedOnce(context, row, [], payout);
  if (judged.kind !== 'ours' || judged.contradiction || !showsWhere(row, payout)) return undefined;
  return judged;
}

/** The list cuts fractions off: only the whole amount says how much went out. */
function showsAllPaid({ status, shownMinor }: OurJudgement, payout: Payout): boolean {
  return status === 'successful' && shownMinor === payout.amountMinor;
}
