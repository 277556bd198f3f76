import { decimalOf } from '../money/format-money.ts';
import { type Minor, minorFromReply } from '../money/money.ts';
import { findCurrency } from '../reference-data/countries.ts';
import { readableText } from '../text/readable-text.ts';
import { digitsOf, payeeDifference } from './payee-difference.ts';
import { isShown, type JudgedPayout, type ShownTransaction } from './shown-transaction.ts';

export type TransactionStatus = 'successful' | 'pending' | 'failed';

/** Two words for the status of one transaction, of which at least one is final and which do not mean the same. */
export interface Contradiction {
  readonly status: string;
  readonly chargeStatus: string;
}

export type Judgement =
  | {
      readonly kind: 'ours';
      /** A contradiction is pending: it proves neither success nor failure. */
      readonly status: TransactionStatus;
      readonly contradiction?: Contradiction;
      /** What the payee got, as the service shows it; undefined where it shows no amount. */
      readonly shownMinor: Minor | undefined;
    }
  /** Carries another reference: the filter of the list was not honoured. */
  | { readonly kind: 'other-reference' }
  /** Carries our reference, yet is not our payout. */
  | { readonly kind: 'differs'; readonly why: string; readonly status: TransactionStatus };

export type OurJudgement = Extract<Judgement, { kind: 'ours' }>;

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
  if (transaction.transactionId !== asked) {
    return { kind: 'differs', why: 'the service answered with another transaction', status: 'pending' };
  }
  const contradiction = contradictionOf(transaction);
  const status = contradiction ? 'pending' : statusOfTransaction(transaction);
  const why = differenceOf(transaction, payout);
  if (why !== undefined) return { kind: 'differs', why, status };
  const shownMinor = shownMinorOf(transaction, payout.currency);
  return { kind: 'ours', status, ...(contradiction && { contradiction }), shownMinor };
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

/** Whether it says how much went to which account: then nobody else need be asked where a payout went. */
export function showsWhere(transaction: ShownTransaction, payout: JudgedPayout): boolean {
  const { amount, receiverAmount, beneficiary } = transaction;
  if ((receiverAmount ?? amount ?? undefined) === undefined || !showsAccountOf(transaction, payout))
    return false;
  return payout.destination === 'MoMo' || isShown(beneficiary?.bankCode);
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
  const { receiverCurrency, currency, beneficiary } = transaction;
  for (const shown of [isShown(receiverCurrency) ? receiverCurrency : currency, beneficiary?.currency]) {
    if (isShown(shown) && shown.trim().toUpperCase() !== payout.currency) {
      return `it is in ${readableText(shown)}, ours is in ${payout.currency}`;
    }
  }
  const amount = transaction.receiverAmount ?? transaction.amount;
  if (amount !== null && amount !== undefined && !isOurAmount(amount, payout.amountMinor, payout.currency)) {
    return `its amount is ${readableText(String(amount))}, ours is ${decimalOf(payout.amountMinor, payout.currency)}`;
  }
  return payeeDifference(transaction, payout);
}

/** A whole number for a fraction is ours, cut or rounded: the list shows no others. */
function isOurAmount(shown: number | string, minor: Minor, currency: string): boolean {
  const decimals = findCurrency(currency)?.decimals ?? 0;
  const shownMinor = minorFromReply(shown, decimals);
  if (shownMinor === undefined) return false;
  if (shownMinor === minor) return true;
  const unit = 10n ** BigInt(decimals);
  const difference = shownMinor > minor ? shownMinor - minor : minor - shownMinor;
  return shownMinor % unit === 0n && minor % unit !== 0n && difference < unit;
}

function shownMinorOf({ receiverAmount, amount }: ShownTransaction, currency: string): Minor | undefined {
  const shown = receiverAmount ?? amount;
  if (shown === null || shown === undefined) return undefined;
  return minorFromReply(shown, findCurrency(currency)?.decimals ?? 0);
}

/** One word decides where the other is not shown, or says the same. */
function statusOfTransaction({ status, chargeStatus }: ShownTransaction): TransactionStatus {
  return meaningOf(isShown(status) ? status : chargeStatus);
}

/** Which of the two would be right nobody can tell, and a guess would pay somebody twice or not at all. */
function contradictionOf({ status, chargeStatus }: ShownTransaction): Contradiction | undefined {
  if (!isShown(status) || !isShown(chargeStatus)) return undefined;
  if (meaningOf(status) === meaningOf(chargeStatus)) return undefined;
  return { status: readableText(status), chargeStatus: readableText(chargeStatus) };
}

/** Words that we do not know are pending: they prove neither success nor failure. */
function meaningOf(word: string | null | undefined): TransactionStatus {
  const meant = (word ?? '').trim().toLowerCase();
  return meant === 'successful' || meant === 'failed' ? meant : 'pending';
}
