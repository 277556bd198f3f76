import { decimalOf, formatMoney } from '../money/format-money.ts';
import type { Minor } from '../money/money.ts';
import type { PayrunColumn } from '../row.ts';
import { isGivenUp } from './given-up.ts';
import type { Payout } from './payout.ts';
import { type RowStatus, statusOf } from './payout-state.ts';
import { reason, reasonText } from './reasons.ts';

export const resultFields = [
  'key',
  'attempt',
  'reference',
  'state',
  'code',
  'details',
  'currency',
  'amountMinor',
  'externalAccountId',
  'verdict',
  'resolvedName',
  'released',
  'hold',
  'transactionId',
  'everSent',
  'submittedMs',
  'settledMs',
  'paidTwice',
  'watched',
  'paidMinor',
] as const satisfies readonly (keyof Payout)[];

/** What the results say of a payout. */
export interface ResultPayout extends Pick<Payout, (typeof resultFields)[number]> {
  /** It was the present run that saw it paid. */
  readonly paidNow: boolean;
  /** The service's own words about a payout whose fate is not known; else empty. */
  readonly serviceSaid: string;
  /** Who let it pass what had held it, and why, in words for people; else empty. */
  readonly releases: string;
}

/** A row as the results have it: what came in, and what became of it. */
export interface ResultRow {
  /** Of the newest file that had the row. */
  readonly line: number;
  /** In the order of the united columns of all files of the batch. */
  readonly cells: readonly string[];
  /** Undefined for a row that was never a payment. */
  readonly payout: ResultPayout | undefined;
  /** Why the row in the newest file is no payment, or is not what was sent. */
  readonly problem: string;
  /** Of the same; empty where there is none. */
  readonly problemCode: string;
  /** The row stands in the newest file. */
  readonly present: boolean;
}

/** What is the same for every row of a results file. */
export interface ResultFacts {
  readonly batch: string;
  /** The date that it was for the people who pay. */
  readonly dayOf: (atMs: number) => string;
  /** The journal's last event, as `eventText` writes it: by it a file can be told to be this journal's. */
  readonly event: string;
}

/** Our own columns of a row. */
export function payrunCells(
  row: ResultRow,
  { batch, dayOf, event }: ResultFacts,
): Record<PayrunColumn, string> {
  const { payout } = row;
  const isPaid = payout?.state === 'paid';
  return {
    payrun_batch: batch,
    payrun_key: payout?.key ?? `line:${row.line}`,
    payrun_status: statusOfRow(row),
    payrun_code: codeOf(row),
    payrun_reason: reasonOf(row),
    payrun_paid_twice: payout?.paidTwice ?? '',
    payrun_paid: isPaid ? decimalOf(paidMinorOf(payout), payout.currency) : '',
    payrun_paid_on: isPaid && payout.settledMs !== null ? dayOf(payout.settledMs) : '',
    payrun_reference: payout?.reference ?? '',
    payrun_transaction: payout?.transactionId ?? '',
    payrun_account: payout?.externalAccountId ?? '',
    payrun_verdict: payout?.verdict ?? '',
    payrun_resolved_name: payout?.resolvedName ?? '',
    payrun_attempt: payout ? String(payout.attempt) : '',
    payrun_submitted_at: timeOf(payout?.submittedMs),
    payrun_settled_at: timeOf(payout?.settledMs),
    payrun_event: event,
  };
}

export function statusOfRow({ payout }: ResultRow): RowStatus {
  return payout ? statusOf(payout.state, payout.everSent) : 'invalid';
}

/** Held only because a person took the row out of the file. */
export function isTakenOut({ payout, present }: ResultRow): boolean {
  return payout?.state === 'held' && payout.hold === 'file' && !present;
}

/**
 * Whether a person can mend the row in the retry file. Not one that the person took out of the file: its mere standing
 * in another file would bring it back, and send it.
 */
export function mustBeFixed(row: ResultRow): boolean {
  switch (statusOfRow(row)) {
    case 'invalid':
      return row.present;
    case 'held':
      return !isTakenOut(row);
    case 'refused':
      // It may still be paid as it stands: no correction of its row can change that.
      return row.payout === undefined || !isGivenUp(row.payout);
    case 'failed':
    case 'returned':
      return true;
    case 'paid':
    case 'pending':
    case 'unknown':
    case 'not_sent':
    case 'cancelled':
      return false;
  }
}

/** Of the reason; a payment that was made twice is called that, whatever else there is to say of it. */
function codeOf({ payout, problemCode }: ResultRow): string {
  if (!payout) return problemCode;
  if (payout.paidTwice !== '') return 'paid-twice';
  if (isWatched(payout)) return 'watched';
  return isPaidOtherwise(payout) ? 'amount-differs' : payout.code;
}

/** Where the newest file says something else than what was sent, both are said. */
function reasonOf(row: ResultRow): string {
  const { payout, problem, present } = row;
  if (!payout) return present ? problem : `${problem} The row is no longer in the file.`;
  const notTaken = present && problem !== '';
  const said: string[] = [];
  if (payout.paidTwice !== '') said.push(paidTwiceText(payout.paidTwice.split(' ')));
  // A payout is held as gone from the file also where its row still stands there and cannot be taken.
  const isSaid = payout.code === 'paid-twice' || (notTaken && payout.hold === 'file');
  if (payout.code !== '' && !isSaid) said.push(reasonText(payout));
  if (payout.releases !== '') said.push(payout.releases);
  if (payout.serviceSaid !== '') said.push(`the service said: ${payout.serviceSaid}`);
  if (isWatched(payout)) said.push(watchedText(payout.watched));
  if (isPaidOtherwise(payout)) said.push(amountText(payout, paidMinorOf(payout)));
  if (notTaken) said.push(`the row as it stands in the file now was not taken: ${problem}`);
  if (!present && !isTakenOut(row)) said.push('the row is no longer in the file');
  return said.join('; ');
}

/** What is said of it first, in every report. */
export function paidTwiceText(transactions: readonly string[]): string {
  return reasonText(reason('paid-twice', { transactions: transactions.join(', ') }));
}

/** Paid, while another transaction of it may still pay as well. */
export function isWatched({ state, watched }: Pick<Payout, 'state' | 'watched'>): boolean {
  return state === 'paid' && watched !== '';
}

type PaidAmount = Pick<Payout, 'state' | 'currency' | 'amountMinor' | 'paidMinor'>;

/** What the service shows to have paid; the amount, where it shows none. */
export function paidMinorOf({ amountMinor, paidMinor }: Pick<Payout, 'amountMinor' | 'paidMinor'>): Minor {
  return paidMinor ?? amountMinor;
}

function isPaidOtherwise({ state, paidMinor }: PaidAmount): boolean {
  return state === 'paid' && paidMinor !== null;
}

export function amountText(
  { currency, amountMinor }: Pick<Payout, 'currency' | 'amountMinor'>,
  shownMinor: Minor,
): string {
  const [shown, amount] = [formatMoney(shownMinor, currency), formatMoney(amountMinor, currency)];
  return reasonText(reason('amount-differs', { shown, amount }));
}

export function watchedText(transactions: string): string {
  return reasonText(reason('watched', { transactions: transactions.split(' ').join(', ') }));
}

/** To the second, in UTC. */
function timeOf(atMs: number | null | undefined): string {
  return atMs === null || atMs === undefined ? '' : `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}
