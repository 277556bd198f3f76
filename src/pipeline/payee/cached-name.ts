import type { Clock } from '../../clock.ts';
import { isFresh } from '../../domain/is-fresh.ts';
import { isSameName, type ResolvedName, weighAnswer } from '../../domain/names/name-evidence.ts';
import type { Asked } from '../../journal/asked.ts';
import type { ResolvedEntry } from '../../journal/known-names.ts';
import type { KnownPayees } from '../../journal/known-payees.ts';
import type { Service } from '../../service/client.ts';
import type { BackgroundWrites } from '../run/background-writes.ts';
import type { StoredNames } from './listed-accounts.ts';
import { type AccountToResolve, resolveName } from './resolve-name.ts';

/** Where resolved names are kept, and for how long they hold. */
export interface CachedNames {
  readonly book: Pick<Asked<KnownPayees>, 'nameOf' | 'writtenNames'>;
  /** A mere plan keeps nothing. */
  readonly save?: KnownPayees['saveName'] | undefined;
  /** Where what is kept need not be waited for. */
  readonly writes?: BackgroundWrites | undefined;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly maxAgeMs: number;
}

/** Of a plan, whose journal is in this process and answers at once. */
export interface PlannedNames extends CachedNames {
  readonly book: Pick<KnownPayees, 'nameOf' | 'accountOf' | 'writtenNames' | 'knownBeyond' | 'isReleased'>;
}

/** Where nobody says otherwise. */
export const namesHoldMs = 24 * 60 * 60 * 1000;

type NamedAccount = AccountToResolve & { readonly payee: string; readonly country: string };

/**
 * The name that an account resolves to: as it was told lately, else asked, weighed against what is stored with accounts
 * of that number, and kept. Asked of everybody before their account is made or changed. What was told lately and is not
 * enough is asked anew, and stands where the service does not answer.
 */
export async function cachedName(
  service: Pick<Service, 'resolveAccount'>,
  { book, save, writes, clock, maxAgeMs }: CachedNames,
  storedNames: StoredNames,
  account: NamedAccount,
  isEnough: (known: ResolvedEntry) => boolean = () => true,
): Promise<ResolvedEntry | undefined> {
  const known = await book.nameOf(account);
  const told =
    known && known.operator === account.operator && isFresh(known.atMs, clock.nowMs(), maxAgeMs)
      ? known
      : undefined;
  if (told && isEnough(told)) return told;
  const answer = await resolveName(service, account);
  if (answer === undefined) return told;
  const stored = [
    ...(await storedNames(account.number, account.country)),
    ...(await book.writtenNames(account)),
  ];
  const entry = {
    ...weighAnswer(answer, stored, known && earlierAnswer(known, account.operator, answer)),
    operator: account.operator,
    atMs: clock.nowMs(),
  };
  const keep = save && (() => save(account, railOf(account), entry));
  await (keep && writes ? writes.add(keep) : keep?.());
  return entry;
}

/** What a register of names covers: the accounts of one bank, or of one operator, in one currency. */
export function railOf({ destination, currency, bankCode, operator }: AccountToResolve): string {
  return [destination, currency, destination === 'MoMo' ? operator : bankCode].join(' ');
}

/**
 * What was said at another operator can confirm what is said at this one, for the number is the same; but it cannot
 * contradict it. Asked by the number alone, it is the number's holder.
 */
function earlierAnswer(
  { operator: askedAt, before }: ResolvedEntry,
  operator: string,
  answer: ResolvedName,
): ResolvedName | undefined {
  const isSameWallet = askedAt === operator || askedAt === '' || operator === '';
  return isSameWallet || (before && isSameName(before.name, answer.name)) ? before : undefined;
}
