import { findCurrency } from '../domain/countries.ts';
import { type Minor, minorFromReply } from '../domain/money.ts';
import { showMoney } from '../domain/show-money.ts';
import type { Total } from '../journal/draft-questions.ts';
import type { NotOk } from '../service/call-outcome.ts';
import type { Service } from '../service/client.ts';
import type { UserProfile } from '../service/contract/user.ts';
import type { Guard } from './guards.ts';

/** What one wallet holds and what it is asked for, in its own currency. */
export interface WalletFunds {
  readonly wallet: string;
  readonly currency: string;
  /** Undefined where the profile shows no such wallet. */
  readonly balanceMinor: Minor | undefined;
  readonly neededMinor: Minor;
  readonly reserveMinor: Minor;
  /** The service converts at its own rate when it pays; ours is the newest it publishes. */
  readonly estimated: boolean;
}

const rateScale = 100_000_000n;

/** Holds what is left to send against the wallets. Accepted payouts are in the balance already. */
export async function checkFunds(
  service: Pick<Service, 'listRates'>,
  profile: UserProfile,
  needs: readonly Total[],
  reserves: ReadonlyMap<string, Minor>,
): Promise<WalletFunds[] | NotOk> {
  const wallets = new Map<string, WalletFunds>();
  for (const need of needs) {
    const [currency = '', country] = need.name.split(':');
    const rate = currency === need.currency ? undefined : await newestRate(service, currency, need.currency);
    if (typeof rate === 'object') return rate;
    const debitMinor =
      rate === undefined ? need.amountMinor : converted(need.amountMinor, need.currency, currency, rate);
    const known = wallets.get(need.name);
    wallets.set(need.name, {
      wallet: need.name,
      currency,
      balanceMinor: walletBalance(profile, currency, country),
      neededMinor: (known?.neededMinor ?? 0n) + debitMinor,
      reserveMinor: reserves.get(currency) ?? 0n,
      estimated: (known?.estimated ?? false) || rate !== undefined,
    });
  }
  return [...wallets.values()];
}

export function fundsGuards(wallets: readonly WalletFunds[]): Guard[] {
  return wallets.flatMap(({ wallet, currency, balanceMinor, neededMinor, reserveMinor, estimated }) => {
    const wanted = neededMinor + reserveMinor;
    if (balanceMinor !== undefined && balanceMinor >= wanted) return [];
    const needs = `these payments need ${estimated ? 'about ' : ''}${showMoney(neededMinor, currency)}${reserveMinor > 0n ? ` and a reserve of ${showMoney(reserveMinor, currency)}` : ''}`;
    const message =
      balanceMinor === undefined
        ? `The service shows no ${wallet} wallet, and ${needs}.`
        : `The ${wallet} wallet holds ${showMoney(balanceMinor, currency)}; ${needs}: ${showMoney(wanted - balanceMinor, currency)} are missing.`;
    return [{ code: 'funds', message }];
  });
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
): Promise<bigint | NotOk | undefined> {
  const outcome = await service.listRates({ query: { from, to } });
  if (outcome.kind !== 'ok') return outcome;
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
