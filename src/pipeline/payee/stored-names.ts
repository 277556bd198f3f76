import { numberKeys } from '../../domain/payee/number-keys.ts';
import type { ExternalAccount } from '../../service/contract/external-accounts.ts';

/** The names under which accounts of a number are stored at the service, whoever stored them. */
export type StoredNames = (number: string, country: string) => readonly string[];

/**
 * By the number alone, whatever its bank, operator or currency, and in whichever form it was stored: a service that
 * repeats names may look no closer.
 */
export function storedNames(accounts: Iterable<ExternalAccount>): StoredNames {
  const names = new Map<string, Set<string>>();
  for (const { country, payoutMethod } of accounts) {
    const name = payoutMethod?.accountName ?? '';
    for (const key of numberKeys(payoutMethod?.accountNumber ?? '', country ?? '')) {
      const known = names.get(key);
      if (known) known.add(name);
      else names.set(key, new Set([name]));
    }
  }
  return (number, country) => [
    ...new Set(numberKeys(number, country).flatMap((key) => [...(names.get(key) ?? [])])),
  ];
}
