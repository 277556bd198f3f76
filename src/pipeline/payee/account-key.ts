import type { Payout } from '../../domain/payout/payout.ts';
import type { ExternalAccount } from '../../service/contract/external-accounts.ts';

/**
 * What makes an external account a payee's: country, currency, destination and number, and for banks the code. Phone
 * numbers compare without their plus.
 */
export function accountKey({ country, currency, destination, payoutMethod }: ExternalAccount): string {
  const code = destination === 'MoMo' ? '' : (payoutMethod?.code ?? '');
  const number = (payoutMethod?.accountNumber ?? '').replace(/^\+/, '');
  return JSON.stringify([country, currency, destination, code, number]);
}

/** The same of a payee. */
export function payeeAccountKey({
  country,
  currency,
  destination,
  bankCode,
  number,
}: Pick<Payout, 'country' | 'currency' | 'destination' | 'bankCode' | 'number'>): string {
  return JSON.stringify([country, currency, destination, bankCode, number.replace(/^\+/, '')]);
}
