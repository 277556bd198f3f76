import type { Payout } from './payout.ts';

/** What a transaction of the service shows, as far as it shows it. */
export interface ShownTransaction
  extends Shown<'type' | 'status' | 'chargeStatus' | 'externalReference' | 'fullTimestamp'>,
    Shown<'currency' | 'receiverCurrency' | 'country' | 'destination' | 'phoneNumber'>,
    Shown<'amount' | 'receiverAmount', number | string>,
    Shown<'beneficiary', ShownBeneficiary> {
  readonly transactionId: string;
}

type ShownBeneficiary = Shown<'accountNumber' | 'bankCode' | 'country' | 'destination' | 'currency'>;

type Shown<Name extends string, Value = string> = { readonly [Each in Name]?: Value | null | undefined };

/** What a transaction must agree with to be a payout of ours. */
export type JudgedPayout = Pick<
  Payout,
  'reference' | 'currency' | 'amountMinor' | 'country' | 'destination' | 'number' | 'bankCode' | 'operator'
>;

export function isShown(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text.trim() !== '';
}
