import type { Clock } from '../clock.ts';
import type { PayeeBook, ResolvedEntry } from '../journal/payee-book.ts';
import type { Service } from '../service/client.ts';
import { type AccountToResolve, resolveName } from './resolve-name.ts';

/** Where resolved names are kept, and for how long they hold. */
export interface KeptNames {
  readonly book: Pick<PayeeBook, 'nameOf' | 'saveName'>;
  readonly clock: Clock;
  readonly maxAgeMs: number;
}

/**
 * The name that an account resolves to: as it was told lately, else asked and kept. What a person was shown before the
 * confirmation is what decides after it: a service may well answer with our own name once it has stored the account.
 */
export async function keptName(
  service: Pick<Service, 'resolveAccount'>,
  { book, clock, maxAgeMs }: KeptNames,
  account: AccountToResolve & { readonly payee: string; readonly country: string },
): Promise<ResolvedEntry | undefined> {
  const known = book.nameOf(account);
  if (known && clock.nowMs() - known.atMs <= maxAgeMs) return known;
  const resolved = await resolveName(service, account);
  if (resolved === undefined) return undefined;
  await book.saveName(account, resolved.kind, resolved.name);
  return { ...resolved, atMs: clock.nowMs() };
}
