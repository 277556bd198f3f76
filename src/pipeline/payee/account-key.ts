import type { Payout } from '../../domain/payout/payout.ts';
import type { ExternalAccount } from '../../service/contract/external-accounts.ts';

type KeyedPayee = Pick<Payout, 'country' | 'currency' | 'destination' | 'bankCode' | 'number'>;

/**
 * What makes an external account a payee's: country, currency, destination and number, and for banks the code. Phone
 * numbers compare without their plus.
 */
export function accountKey({ country, currency, destination, payoutMethod }: ExternalAccount): string {
  const code = destination === 'MoMo' ? '' : (payoutMethod?.code ?? '');
  const number = withoutPlus(payoutMethod?.accountNumber ?? '');
  return JSON.stringify([country, currency, destination, code, number]);
}

/** The same of a payee. */
export function payeeAccountKey({ country, currency, destination, bankCode, number }: KeyedPayee): string {
  return JSON.stringify([country, currency, destination, bankCode, withoutPlus(number)]);
}

/** Whether both have the same key, without making either: it is asked several times of every payout. */
export function isAccountOf(account: ExternalAccount, payee: KeyedPayee): boolean {
  const { country, currency, destination, payoutMethod } = account;
  return (
    withoutPlus(payoutMethod?.accountNumber ?? '') === withoutPlus(payee.number) &&
    (destination === 'MoMo' ? '' : (payoutMethod?.code ?? '')) === payee.bankCode &&
    country === payee.country &&
    currency === payee.currency &&
    destination === payee.destination
  );
}

function withoutPlus(number: string): string {
  return number.startsWith('+') ? number.slice(1) : number;
}
