import type { Payout } from './payout.ts';

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
  readonly country?: string | null | undefined;
  readonly destination?: string | null | undefined;
  readonly externalReference?: string | null | undefined;
  readonly fullTimestamp?: string | null | undefined;
  readonly phoneNumber?: string | null | undefined;
  readonly beneficiary?: ShownBeneficiary | null | undefined;
}

interface ShownBeneficiary {
  readonly accountNumber?: string | null | undefined;
  readonly bankCode?: string | null | undefined;
  readonly country?: string | null | undefined;
  readonly destination?: string | null | undefined;
  readonly currency?: string | null | undefined;
}

/** What a transaction must agree with to be a payout of ours. */
export type JudgedPayout = Pick<
  Payout,
  'reference' | 'currency' | 'amountMinor' | 'country' | 'destination' | 'number' | 'bankCode' | 'operator'
>;

export function isShown(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text.trim() !== '';
}
