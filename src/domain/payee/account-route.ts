import type { Payout } from '../payout/payout.ts';

/** Whoever has an account at the service, in one currency. */
export type RoutedPayee = Pick<
  Payout,
  'payee' | 'currency' | 'destination' | 'country' | 'bankCode' | 'number'
>;

/**
 * The account at the service that a payment goes to. Unlike the payee's identity it has the bank's code just as it is
 * sent: 068 and 68 are one payee, but the service may know only one of them, and answers for the one it was asked.
 */
export function accountRoute(to: Omit<RoutedPayee, 'currency'>): string {
  return to.destination === 'MoMo' ? to.payee : `${to.country}:bank:${to.bankCode}:${to.number}`;
}

/** Whose account it is: of one payee, in one currency. */
export function accountHolder(payee: RoutedPayee): string {
  return `${accountRoute(payee)} ${payee.currency}`;
}
