import { strict as assert } from 'node:assert';
import type { Minor } from '../../domain/money/money.ts';
import { currencies, findCurrency } from '../../domain/reference-data/countries.ts';
import type { ExchangeRate } from '../../service/contract/utilities.ts';
import { seededRandom } from '../faults/seeded-random.ts';

/** What a dollar buys, and what a new wallet holds: about half a million dollars' worth. */
export const worth: Readonly<Record<string, { perDollar: number; opening: string }>> = {
  USD: { perDollar: 1, opening: '500000' },
  KES: { perDollar: 129.2, opening: '65000000' },
  UGX: { perDollar: 3650, opening: '1800000000' },
  TZS: { perDollar: 2600, opening: '1300000000' },
  NGN: { perDollar: 1530, opening: '765000000' },
  GHS: { perDollar: 15.4, opening: '7700000' },
  RWF: { perDollar: 1440, opening: '720000000' },
  ZMW: { perDollar: 25.1, opening: '12500000' },
  XOF: { perDollar: 590, opening: '295000000' },
  XAF: { perDollar: 590, opening: '295000000' },
  MWK: { perDollar: 1735, opening: '867000000' },
  BWP: { perDollar: 13.6, opening: '6800000' },
  ZAR: { perDollar: 17.9, opening: '9000000' },
};

const dayMs = 24 * 60 * 60 * 1000;
const windowDays = 30;
const rateScale = 100_000_000n;
const spread = 0.005;

/** Thirty days of a pair, newest first; without a pair, of every currency against the dollar. */
export function historicalRates(nowMs: number, from?: string, to?: string): ExchangeRate[] {
  const pairs =
    from !== undefined && to !== undefined
      ? [[from, to] as const]
      : currencies.filter((each) => each.code !== 'USD').map((each) => ['USD', each.code] as const);
  const today = Math.floor(nowMs / dayMs);
  return pairs.flatMap(([base, quote]) =>
    Array.from({ length: windowDays }, (_, age) => rateOfDay(today - age, base, quote)),
  );
}

/**
 * What the wallet is debited so that the payee gets the amount, at the day's rate. The service buys the wallet's
 * currency at `buy` and rounds up, so a payout is never sold below cost.
 */
export function debitFor(amountMinor: Minor, currency: string, debitCurrency: string, nowMs: number): Minor {
  if (currency === debitCurrency) return amountMinor;
  const { buy } = rateOfDay(Math.floor(nowMs / dayMs), debitCurrency, currency);
  const scaledRate = BigInt(Math.round(buy * Number(rateScale)));
  const dividend = amountMinor * 10n ** BigInt(decimalsOf(debitCurrency)) * rateScale;
  const divisor = 10n ** BigInt(decimalsOf(currency)) * scaledRate;
  return (dividend + divisor - 1n) / divisor;
}

/** What a settlement wallet is credited for money that came in in another currency: rounded down. */
export function creditFor(
  amountMinor: Minor,
  currency: string,
  walletCurrency: string,
  nowMs: number,
): Minor {
  if (currency === walletCurrency) return amountMinor;
  const { buy } = rateOfDay(Math.floor(nowMs / dayMs), currency, walletCurrency);
  const scaledRate = BigInt(Math.round(buy * Number(rateScale)));
  const dividend = amountMinor * 10n ** BigInt(decimalsOf(walletCurrency)) * scaledRate;
  return dividend / (10n ** BigInt(decimalsOf(currency)) * rateScale);
}

export function decimalsOf(code: string): number {
  const currency = findCurrency(code);
  assert(currency, `no such currency: ${code}`);
  return currency.decimals;
}

function rateOfDay(day: number, base: string, quote: string): ExchangeRate {
  const middle = dollarPrice(day, quote) / dollarPrice(day, base);
  return {
    currencyPair: `${base}/${quote}`,
    buy: sixDigits(middle * (1 - spread)),
    sell: sixDigits(middle * (1 + spread)),
    updatedAt: new Date(day * dayMs).toISOString(),
  };
}

/** Wanders one per cent around its usual price, the same on every machine for one day. */
function dollarPrice(day: number, code: string): number {
  const usual = worth[code]?.perDollar;
  assert(usual !== undefined, `no rate for ${code}`);
  return code === 'USD' ? 1 : usual * (1 + (seededRandom(`rate:${code}:${day}`) - 0.5) * 0.02);
}

function sixDigits(value: number): number {
  return Number(value.toPrecision(6));
}
