// One call and no Hash object: a million of those outlive every small garbage collection.
import { hash } from 'node:crypto';
import type { DebitWallet } from './money/debit-wallet.ts';
import type { Minor } from './money/money.ts';
import { canonicalBankCode } from './payee/canonical-bank-code.ts';
import type { Payee, Row } from './row.ts';

/** What makes a payment the same payment within its batch. */
export interface PaymentKey {
  readonly kind: 'paymentId' | 'payee';
  readonly key: string;
}

/** Ours for good: another value here would make every payout a new one, and pay all of them again. */
const namespace = Buffer.from('4431caa4-ccf2-4008-893d-cf85b76c5f62'.replaceAll('-', ''), 'hex');

/**
 * The externalReference of one attempt. It depends on nothing but these four, so that any machine, on any day and in
 * any version, sends the same payout under the same reference. Never on the clock, chance, the line or the amount.
 */
export function referenceOf(batch: string, kind: PaymentKey['kind'], key: string, attempt: number): string {
  return uuidFromName(namespace, JSON.stringify([1, batch, kind, key, attempt]));
}

export function paymentKey(row: Pick<Row, 'paymentId' | 'payee'>): PaymentKey {
  return row.paymentId === undefined
    ? { kind: 'payee', key: payeeKey(row.payee) }
    : { kind: 'paymentId', key: row.paymentId };
}

/**
 * Who is paid. Not the name, the operator or the branch: those may change while the account stays the same; nor the way
 * in which the bank's code is written.
 */
export function payeeKey(payee: Payee): string {
  switch (payee.destination) {
    case 'MoMo':
      return `${payee.country}:momo:${payee.phoneNumber}`;
    case 'Bank Account':
      return bankKey(payee.country, payee.bankCode, payee.accountNumber);
  }
}

/** The key that the payee of a journaled key has now: an earlier list of banks may have told its code otherwise. */
export function canonicalPayeeKey(key: string): string {
  const [, country, bankCode, accountNumber] = bankPayee.exec(key) ?? [];
  if (country === undefined || bankCode === undefined || accountNumber === undefined) return key;
  return bankKey(country, bankCode, accountNumber);
}

/** Account numbers hold no colon, so the last one ends the bank's code whatever that is. */
const bankPayee = /^([A-Z]{2}):bank:(.*):([^:]*)$/s;

function bankKey(country: string, bankCode: string, accountNumber: string): string {
  return `${country}:bank:${canonicalBankCode(country, bankCode)}:${accountNumber}`;
}

export interface Intention {
  readonly payee: Payee;
  readonly amountMinor: Minor;
  readonly currency: string;
  readonly debitWallet: DebitWallet;
}

/** Tells "the same row again" from "a changed row". */
export function fingerprintOf({ payee, ...rest }: Intention): string {
  return fingerprintOfKey(payeeKey(payee), rest);
}

/** The same of a payee by its key, as a journal has it. */
export function fingerprintOfKey(
  payee: string,
  { amountMinor, currency, debitWallet }: Omit<Intention, 'payee'>,
): string {
  const wallet = [debitWallet.currency, debitWallet.country ?? null];
  const canonical = JSON.stringify([1, payee, amountMinor.toString(), currency, ...wallet]);
  return hash('sha256', canonical, 'hex');
}

/** UUID version 5 of RFC 9562, in lower case. */
export function uuidFromName(space: Buffer, name: string): string {
  const named = Buffer.concat([space, Buffer.from(name)]);
  const hex = hash('sha1', named, 'hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
