import type { ExternalAccount } from '../service/contract/external-accounts.ts';

/** The names under which accounts of a number are stored at the service, whoever stored them. */
export type StoredNames = (number: string) => readonly string[];

/** By the number alone, whatever its bank, operator or currency: a service that repeats names may look no closer. */
export function storedNames(accounts: Iterable<ExternalAccount>): StoredNames {
  const names = new Map<string, string[]>();
  for (const { payoutMethod } of accounts) {
    const number = plain(payoutMethod?.accountNumber ?? '');
    const known = names.get(number);
    const name = payoutMethod?.accountName ?? '';
    if (known) known.push(name);
    else names.set(number, [name]);
  }
  return (number) => names.get(plain(number)) ?? [];
}

function plain(number: string): string {
  return number.replace(/^\+/, '');
}
