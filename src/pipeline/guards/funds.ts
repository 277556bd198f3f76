import { formatMoney } from '../../domain/money/format-money.ts';
import { type Minor, minorFromReply } from '../../domain/money/money.ts';
import { findCurrency } from '../../domain/reference-data/countries.ts';
import type { Total } from '../../journal/draft/draft-queries.ts';
import type { Service } from '../../service/client.ts';
import type { UserProfile } from '../../service/contract/user.ts';
import { serviceError } from '../run/service-error.ts';
import type { Guard } from './guards.ts';

/** What one wallet holds and what it is asked for, in its own currency. */
export interface WalletFunds {
  readonly wallet: string;
  readonly currency: string;
  /** Undefined where the profile shows no such wallet. */
  readonly balanceMinor: Minor | undefined;
  /** Undefined where the service publishes no rate to reckon with. */
  readonly neededMinor: Minor | undefined;
  /** Of that, what other batches are about to take. */
  readonly elsewhereMinor: Minor;
  readonly reserveMinor: Minor;
  /** The service converts at its own rate when it pays; ours is the newest it publishes. */
  readonly estimated: boolean;
}

/** What is to be taken from a wallet, by this batch or by another. */
export interface Need extends Total {
  readonly isElsewhere?: boolean;
}

const rateScale = 100_000_000n;

/** Holds what is left to send against the wallets. Accepted payouts are in the balance already. */
export async function checkFunds(
  service: Pick<Service, 'listRates'>,
  profile: UserProfile,
  needs: readonly Need[],
  reserves: ReadonlyMap<string, Minor>,
): Promise<WalletFunds[]> {
  const wallets = new Map<string, WalletFunds>();
  for (const need of needs) {
    const [currency = '', country] = need.name.split(':');
    const known = wallets.get(need.name);
    const debitMinor = await debitOf(service, need);
    wallets.set(need.name, {
      wallet: need.name,
      currency,
      balanceMinor: walletBalance(profile, currency, country),
      neededMinor: plus(known ? known.neededMinor : 0n, debitMinor),
      elsewhereMinor: (known?.elsewhereMinor ?? 0n) + (need.isElsewhere ? (debitMinor ?? 0n) : 0n),
      reserveMinor: reserves.get(currency) ?? 0n,
      estimated: (known?.estimated ?? false) || currency !== need.currency,
    });
  }
  return [...wallets.values()];
}

/** What its wallet is asked for, in the wallet's currency; about, where that is another one. Undefined without a rate. */
export async function debitOf(
  service: Pick<Service, 'listRates'>,
  { name, currency, amountMinor }: Total,
): Promise<Minor | undefined> {
  const debitCurrency = walletCurrency(name);
  if (debitCurrency === currency) return amountMinor;
  const rate = await newestRate(service, debitCurrency, currency);
  return rate === undefined ? undefined : converted(amountMinor, currency, debitCurrency, rate);
}

/** Of a wallet by its name: `USD` of `USD:KE`. */
export function walletCurrency(name: string): string {
  return name.split(':')[0] ?? '';
}

export function fundsGuards(wallets: readonly WalletFunds[]): Guard[] {
  return wallets.flatMap((funds) => {
    const message = shortage(funds);
    return message === undefined ? [] : [{ code: 'funds' as const, message }];
  });
}

function shortage(funds: WalletFunds): string | undefined {
  const { wallet, currency, balanceMinor, neededMinor, elsewhereMinor, reserveMinor, estimated } = funds;
  const show = (minor: Minor) => formatMoney(minor, currency);
  const asked =
    neededMinor === undefined
      ? 'are to be paid from it'
      : `need ${estimated ? 'about ' : ''}${show(neededMinor)}`;
  if (balanceMinor === undefined)
    return `The service shows no ${wallet} wallet, and these payments ${asked}.`;
  const wanted = (neededMinor ?? 0n) + reserveMinor;
  if (balanceMinor >= wanted) return undefined;
  const others = elsewhereMinor > 0n ? `, ${show(elsewhereMinor)} of it for other batches that wait,` : '';
  const reserve = reserveMinor > 0n ? ` and a reserve of ${show(reserveMinor)} is to stay` : '';
  return `The ${wallet} wallet holds ${show(balanceMinor)}; these payments ${asked}${others}${reserve}: ${show(wanted - balanceMinor)} are missing.`;
}

function plus(one: Minor | undefined, other: Minor | undefined): Minor | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}

/** `<CUR>Wallet`, or its scope for a currency that exists in several countries. */
function walletBalance(
  profile: UserProfile,
  currency: string,
  country: string | undefined,
): Minor | undefined {
  const entry = (profile as Record<string, unknown>)[`${currency}Wallet`] as
    | { balance?: number | string; scopes?: { country: string; balance: number | string }[] }
    | undefined;
  const scope = country === undefined ? undefined : entry?.scopes?.find((each) => each.country === country);
  const balance = scope?.balance ?? (country === undefined || !entry?.scopes ? entry?.balance : undefined);
  if (typeof balance !== 'number' && typeof balance !== 'string') return undefined;
  const decimals = findCurrency(currency)?.decimals ?? 0;
  // A balance may carry more decimals than can be paid: the rest does not count.
  const cut = String(balance)
    .replace(new RegExp(`(\\.\\d{${decimals}})\\d+$`), '$1')
    .replace(/\.$/, '');
  return minorFromReply(cut, decimals);
}

async function newestRate(
  service: Pick<Service, 'listRates'>,
  from: string,
  to: string,
): Promise<bigint | undefined> {
  const outcome = await service.listRates({ query: { from, to } });
  if (outcome.kind !== 'ok') throw serviceError(outcome, 'The exchange rates could not be read');
  const newest = outcome.value.data.reduce<{ buy: number; updatedAt: string } | undefined>(
    (best, rate) => (best && best.updatedAt >= rate.updatedAt ? best : rate),
    undefined,
  );
  return newest && newest.buy > 0 ? BigInt(Math.round(newest.buy * Number(rateScale))) : undefined;
}

function converted(amountMinor: Minor, currency: string, debitCurrency: string, scaledRate: bigint): Minor {
  const dividend = amountMinor * 10n ** BigInt(findCurrency(debitCurrency)?.decimals ?? 0) * rateScale;
  const divisor = 10n ** BigInt(findCurrency(currency)?.decimals ?? 0) * scaledRate;
  return (dividend + divisor - 1n) / divisor;
}
