import {
  type Judgement,
  judgeTransaction,
  type OurJudgement,
  showsWhere,
} from '../../domain/payout/judge-transaction.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import type { ShownTransaction } from '../../domain/payout/shown-transaction.ts';
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

/** What pages of the list show of payouts that are paid. */
export interface PaidByPages {
  /** Just so, with all that there is to know. */
  readonly listed: IdSet;
  /** Nothing against it, though less than that. */
  readonly agreeing: IdSet;
  /** Paid, of those two. */
  readonly shownPaid: IdSet;
  /** Otherwise: these were taken at once. */
  readonly taken: IdSet;
}

/** Looks those that are paid and wanted up by pages; one that a page shows otherwise is taken at once, with its rows. */
export async function paidByPages(
  context: RunContext,
  isWanted: (payout: Payout) => boolean,
  take: (payout: Payout, rows: readonly ShownTransaction[]) => Promise<void>,
): Promise<PaidByPages> {
  const [listed, agreeing] = [createIdSet(), createIdSet()];
  const [shownPaid, taken] = [createIdSet(), createIdSet()];
  await readByPages(context, {
    state: 'paid',
    isWanted,
    take: async (payout, shown) => {
      const judged = await judgedByRow(context, payout, shown);
      const isJustSo = judged && showsAllPaid(judged, payout) && payout.paidMinor === null;
      const rows = rowsOf(shown, payout.transactionId);
      const byRows = rows.map((row) => judgeTransaction(row, payout));
      const isAgreed = byRows.every(agreesWithPaid);
      if (isAgreed && byRows.some((row) => row.kind === 'ours' && row.status === 'successful'))
        shownPaid.add(payout.id);
      if (isJustSo && !(await mayBePaidTwice(context, payout))) return listed.add(payout.id);
      if (isAgreed) return agreeing.add(payout.id);
      taken.add(payout.id);
      await take(payout, rows);
    },
  });
  return { listed, agreeing, shownPaid, taken };
}

/** A list may be late to say that it succeeded; that it failed, or is another's, is no delay. */
function agreesWithPaid(judged: Judgement): boolean {
  return judged.kind === 'ours' && !judged.contradiction && judged.status !== 'failed';
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
