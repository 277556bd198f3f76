import { debitWallet } from '../money/debit-wallet.ts';
import type { Minor } from '../money/money.ts';
import type { NameCount } from '../names/name-evidence.ts';
import type { Intention } from '../reference.ts';
import type { Payee } from '../row.ts';
import type { PayoutState } from './payout-state.ts';
import type { Reason } from './reasons.ts';

/** Why a payout waits for a person. A release passes just this one check. */
export type Hold = 'name' | 'limit' | 'payee' | 'file' | 'repeat';

/** A row once accepted: what is to be paid, and how far it has come. */
export interface Payout extends Reason {
  readonly id: number;
  readonly batch: number;
  readonly key: string;
  readonly attempt: number;
  /** The highest there ever was: the present one is lower where an earlier one has paid after all. */
  readonly lastAttempt: number;
  readonly reference: string;
  readonly state: PayoutState;
  readonly fingerprint: string;
  readonly payee: string;
  readonly accountName: string;
  readonly foldedName: string;
  readonly country: string;
  readonly currency: string;
  readonly amountMinor: Minor;
  readonly destination: 'MoMo' | 'Bank Account';
  readonly number: string;
  /** Empty for a phone. */
  readonly bankCode: string;
  /** Empty for a bank account, and where nobody knows it. */
  readonly operator: string;
  readonly branchCode: string;
  readonly debitCurrency: string;
  readonly debitCountry: string;
  readonly narration: string;
  readonly acceptedRun: string;
  readonly acceptedMs: number;
  readonly externalAccountId: string;
  readonly verdict: NameCount | '';
  readonly resolvedName: string;
  readonly resolvedMs: number | null;
  readonly released: string;
  readonly hold: Hold | '';
  readonly transactionId: string;
  readonly everSent: boolean;
  readonly unknownSends: number;
  readonly submittedMs: number | null;
  readonly settledMs: number | null;
  /** The transactions that paid it, with blanks between, where there is more than one. It stays until the journal goes. */
  readonly paidTwice: string;
  /** Other transactions of it that were seen and have not failed, with blanks between: while one is open, it may yet be paid twice. */
  readonly watched: string;
  /** What the service shows to have paid, where that is not the amount: it may have cut or rounded it, or only show it so. */
  readonly paidMinor: Minor | null;
}

/** Where a payout's money goes, as identity is made of it. */
export function payeeOf(payout: Payout): Payee {
  const { country, number, operator, bankCode, branchCode } = payout;
  const rail = { country, branchCode: branchCode || undefined };
  return payout.destination === 'MoMo'
    ? { destination: 'MoMo', ...rail, phoneNumber: number, operator: operator || undefined }
    : { destination: 'Bank Account', ...rail, bankCode, accountNumber: number };
}

/** What it is to pay, as its fingerprint is made of it. */
export function intentionOf(payout: Payout): Intention {
  const { amountMinor, currency } = payout;
  return { payee: payeeOf(payout), amountMinor, currency, debitWallet: debitWallet(payout) };
}

/** What the journal keeps of the amount that the service shows: nothing where it is the payout's, or none is shown. */
export function differingMinor(
  { amountMinor }: Pick<Payout, 'amountMinor'>,
  shownMinor: Minor | undefined,
): Minor | null {
  return shownMinor === undefined || shownMinor === amountMinor ? null : shownMinor;
}
