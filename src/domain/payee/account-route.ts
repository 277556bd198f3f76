import type { Payout } from '../payout/payout.ts';

/**
 * The account at the service that a payment goes to. Unlike the payee's identity it has the bank's code just as it is
 * sent: 068 and 68 are one payee, but the service may know only one of them, and answers for the one it was asked.
 */
export function accountRoute({
  payee,
  destination,
  country,
  bankCode,
  number,
}: Pick<Payout, 'payee' | 'destination' | 'country' | 'bankCode' | 'number'>): string {
  return destination === 'MoMo' ? payee : `${country}:bank:${bankCode}:${number}`;
}
