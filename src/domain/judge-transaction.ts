import { type Minor, minorFromReply } from './money.ts';
import { findCurrency } from './reference-data/countries.ts';
import { decimalOf } from './show-money.ts';
import { readableText } from './text/readable-text.ts';

/** What a transaction must agree with to be a payout of ours. */
export interface JudgedPayout {
  readonly reference: string;
  readonly currency: string;
  readonly amountMinor: Minor;
  readonly number: string;
}

/** What a transaction of the service shows, as far as it shows it. */
export interface ShownTransaction {
  readonly transactionId: string;
  readonly type?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly chargeStatus?: string | null | undefined;
  readonly amount?: number | string | null | undefined;
  readonly receiverAmount?: number | string | null | undefined;
  readonly currency?: string | null | undefined;
  readonly receiverCurrency?: string | null | undefined;
  readonly externalReference?: string | null | undefined;
  readonly fullTimestamp?: string | null | undefined;
  readonly phoneNumber?: string | null | undefined;
  readonly beneficiary?: { readonly accountNumber?: string | null | undefined } | null | undefined;
}

export type TransactionStatus = 'successful' | 'pending' | 'failed';

export type Judgement =
  | { readonly kind: 'ours'; readonly status: TransactionStatus }
  /** Carries another reference: the filter of the list was not honoured. */
  | { readonly kind: 'other-reference' }
  /** Carries our reference, yet is not our payout. */
  | { readonly kind: 'differs'; readonly why: string; readonly status: TransactionStatus };

/**
 * Whether a transaction is a payout of ours. What is shown must agree; what is not shown proves nothing either way.
 * A payout moves only on a transaction that passes this. `asked` is the id that it was read by: a service that answers
 * with another one has said nothing about ours.
 */
export function judgeTransaction(
  transaction: ShownTransaction,
  payout: JudgedPayout,
  asked = transaction.transactionId,
): Judgement {
  const { externalReference } = transaction;
  if (isShown(externalReference) && externalReference.toLowerCase() !== payout.reference) {
    return { kind: 'other-reference' };
  }
  const status = statusOfTransaction(transaction);
  const why =
    transaction.transactionId === asked
      ? differenceOf(transaction, payout)
      : 'the service answered with another transaction';
  return why === undefined ? { kind: 'ours', status } : { kind: 'differs', why, status };
}

/** Whether it says whose it is. One that does not can be ours only by its values, and those others may share. */
export function showsReference({ externalReference }: ShownTransaction): boolean {
  return isShown(externalReference);
}

/** Whether it says that it went to the account of a payout, and not only nothing else. */
export function showsAccountOf(
  { beneficiary, phoneNumber }: ShownTransaction,
  { number }: Pick<JudgedPayout, 'number'>,
): boolean {
  return [beneficiary?.accountNumber, phoneNumber].some(
    (shown) => isShown(shown) && digitsOf(shown) === digitsOf(number),
  );
}

/** Whether it may have moved money out. One that does not say what it is may have. */
export function isWithdrawal({ type }: ShownTransaction): boolean {
  return !isShown(type) || /^(withdrew|withdrawal|payout)$/i.test(type);
}

/** When the service made it; undefined where it does not say, or says what cannot be. */
export function madeMs({ fullTimestamp }: ShownTransaction, nowMs: number): number | undefined {
  const atMs = Date.parse(fullTimestamp ?? '');
  return atMs >= earliestMs && atMs <= nowMs ? atMs : undefined;
}

const earliestMs = Date.UTC(2000, 0, 1);

function differenceOf(transaction: ShownTransaction, payout: JudgedPayout): string | undefined {
  if (!isWithdrawal(transaction)) return `it is a ${readableText(transaction.type ?? '')}, not a withdrawal`;
  const currency = transaction.receiverCurrency ?? transaction.currency;
  if (isShown(currency) && currency.toUpperCase() !== payout.currency) {
    return `it is in ${readableText(currency)}, ours is in ${payout.currency}`;
  }
  const amount = transaction.receiverAmount ?? transaction.amount;
  if (amount !== null && amount !== undefined && !isOurAmount(amount, payout.amountMinor, payout.currency)) {
    return `its amount is ${readableText(String(amount))}, ours is ${decimalOf(payout.amountMinor, payout.currency)}`;
  }
  for (const number of [transaction.beneficiary?.accountNumber, transaction.phoneNumber]) {
    if (isShown(number) && !isMasked(number) && digitsOf(number) !== digitsOf(payout.number)) {
      return 'it went to another account';
    }
  }
  return undefined;
}

/** The list shows whole numbers: a fraction of ours may have been cut or rounded there. */
function isOurAmount(shown: number | string, minor: Minor, currency: string): boolean {
  const decimals = findCurrency(currency)?.decimals ?? 0;
  const shownMinor = minorFromReply(shown, decimals);
  if (shownMinor === undefined) return false;
  if (shownMinor === minor) return true;
  const unit = 10n ** BigInt(decimals);
  const difference = shownMinor > minor ? shownMinor - minor : minor - shownMinor;
  return shownMinor % unit === 0n && minor % unit !== 0n && difference < unit;
}

/** Words that we do not know are pending: they prove neither success nor failure. */
function statusOfTransaction({ status, chargeStatus }: ShownTransaction): TransactionStatus {
  const word = (isShown(status) ? status : (chargeStatus ?? '')).toLowerCase();
  if (word === 'successful' || word === 'failed') return word;
  return 'pending';
}

function isShown(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text.trim() !== '';
}

function isMasked(number: string): boolean {
  return /[*xX•.]{2,}/.test(number);
}

function digitsOf(number: string): string {
  return number.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
}
