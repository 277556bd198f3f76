import type { Minor } from '../money/money.ts';
import { isOpenDoubt } from './doubted.ts';
import { isDecidedUnpaid } from './given-up.ts';
import { perStatus, type RowStatus, statusOf } from './payout-state.ts';
import {
  isTakenOut,
  isWatched,
  mustBeFixed,
  paidMinorOf,
  type ResultRow,
  statusOfRow,
} from './result-row.ts';

/** What the payouts of a batch add up to, in one currency. */
export interface BatchTotals {
  /** Of the rows that stand in the newest file. */
  readonly fileRows: number;
  readonly fileMinor: Minor;
  readonly paidNowRows: number;
  readonly paidNowMinor: Minor;
  readonly paidBeforeRows: number;
  readonly paidBeforeMinor: Minor;
  /** By how much the service shows less than the amounts of what is paid, and by how much more. */
  readonly paidLessMinor: Minor;
  readonly paidMoreMinor: Minor;
  /** Neither paid nor cancelled nor taken out of the file. */
  readonly leftMinor: Minor;
  /** Of the payouts in each status; together they are what stands in the file and what is gone from it. Invalid rows have no amount. */
  readonly statusMinor: Readonly<Record<RowStatus, Minor>>;
  readonly statusRows: Readonly<Record<RowStatus, number>>;
  /** Of the refused, what a person said was not paid. */
  readonly decidedRows: number;
  readonly decidedMinor: Minor;
  /** Of payouts whose rows do not stand in the newest file any more. */
  readonly goneRows: number;
  readonly goneMinor: Minor;
}

export interface ResultSums {
  /** Of all rows ever taken in. */
  readonly statuses: Readonly<Record<RowStatus, number>>;
  /** Counted among the invalid, though the newest file does not have them any more: nothing is left to do about them. */
  readonly invalidGone: number;
  /** How many rows the retry file holds. */
  readonly rowsToFix: number;
  /** Rows of the newest file that say something else than what was sent for them, and so were not taken. */
  readonly rowsNotTaken: number;
  /** Of the refused, those that a person, and not the service, said were not paid. */
  readonly decided: number;
  /** Paid, while another transaction of theirs is still open. */
  readonly watched: number;
  /** Paid, while the service has said something else of them since, and no person has decided that they are. */
  readonly doubted: number;
  /** When those were paid that earlier runs saw paid: the first and the last of them. */
  readonly paidBefore: { readonly firstMs: number; readonly lastMs: number } | undefined;
  /** By currency. */
  readonly totals: Readonly<Record<string, BatchTotals>>;
}

/** Counts and adds up rows while they are written, so that the sums are those of the file and not of a moment later. */
export class ResultTally {
  readonly #statuses = perStatus(0);
  readonly #totals = new Map<string, TotalsUnderWay>();
  #invalidGone = 0;
  #rowsToFix = 0;
  #rowsNotTaken = 0;
  #decided = 0;
  #watched = 0;
  #doubted = 0;
  #paidBefore: ResultSums['paidBefore'];

  add(row: ResultRow): void {
    this.#statuses[statusOfRow(row)] += 1;
    if (mustBeFixed(row)) this.#rowsToFix += 1;
    const { payout, present, problem } = row;
    if (payout && present && problem !== '') this.#rowsNotTaken += 1;
    if (!payout) {
      if (!present) this.#invalidGone += 1;
      return;
    }
    if (isWatched(payout)) this.#watched += 1;
    if (isOpenDoubt(payout)) this.#doubted += 1;
    const sums = this.#sumsOf(payout.currency);
    const { amountMinor, state } = payout;
    if (isDecidedUnpaid(payout)) {
      this.#decided += 1;
      sums.decidedRows += 1;
      sums.decidedMinor += amountMinor;
    }
    const status = statusOf(state, payout.everSent);
    sums.statusMinor[status] += amountMinor;
    sums.statusRows[status] += 1;
    sums[present ? 'fileRows' : 'goneRows'] += 1;
    sums[present ? 'fileMinor' : 'goneMinor'] += amountMinor;
    const paidMinor = paidMinorOf(payout);
    if (state === 'paid' && paidMinor < amountMinor) sums.paidLessMinor += amountMinor - paidMinor;
    if (state === 'paid' && paidMinor > amountMinor) sums.paidMoreMinor += paidMinor - amountMinor;
    if (state === 'paid' && payout.paidNow) {
      sums.paidNowRows += 1;
      sums.paidNowMinor += paidMinor;
    } else if (state === 'paid') {
      sums.paidBeforeRows += 1;
      sums.paidBeforeMinor += paidMinor;
      this.#addPaidBefore(payout.settledMs);
    } else if (state !== 'cancelled' && !isTakenOut(row)) sums.leftMinor += amountMinor;
  }

  get sums(): ResultSums {
    return {
      statuses: { ...this.#statuses },
      invalidGone: this.#invalidGone,
      rowsToFix: this.#rowsToFix,
      rowsNotTaken: this.#rowsNotTaken,
      decided: this.#decided,
      watched: this.#watched,
      doubted: this.#doubted,
      paidBefore: this.#paidBefore,
      totals: Object.fromEntries([...this.#totals].sort(([one], [other]) => (one < other ? -1 : 1))),
    };
  }

  #addPaidBefore(atMs: number | null): void {
    if (atMs === null) return;
    const { firstMs, lastMs } = this.#paidBefore ?? { firstMs: atMs, lastMs: atMs };
    this.#paidBefore = { firstMs: Math.min(firstMs, atMs), lastMs: Math.max(lastMs, atMs) };
  }

  #sumsOf(currency: string): TotalsUnderWay {
    const sums = this.#totals.get(currency) ?? nothingYet();
    this.#totals.set(currency, sums);
    return sums;
  }
}

type TotalsUnderWay = {
  -readonly [Sum in Exclude<keyof BatchTotals, 'statusMinor' | 'statusRows'>]: BatchTotals[Sum];
} & {
  readonly statusMinor: Record<RowStatus, Minor>;
  readonly statusRows: Record<RowStatus, number>;
};

function nothingYet(): TotalsUnderWay {
  return {
    fileRows: 0,
    fileMinor: 0n,
    paidNowRows: 0,
    paidNowMinor: 0n,
    paidBeforeRows: 0,
    paidBeforeMinor: 0n,
    paidLessMinor: 0n,
    paidMoreMinor: 0n,
    leftMinor: 0n,
    goneRows: 0,
    goneMinor: 0n,
    decidedRows: 0,
    decidedMinor: 0n,
    statusMinor: perStatus(0n),
    statusRows: perStatus(0),
  };
}
