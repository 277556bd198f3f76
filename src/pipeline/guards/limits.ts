import type { Bound, Bounds } from '../../domain/money/bounds.ts';
import { decimalOf, formatMoney } from '../../domain/money/format-money.ts';
import type { Minor } from '../../domain/money/money.ts';
import type { Total } from '../../journal/draft/draft-queries.ts';
import { type CurrencyTotal, type Plan, toSendNow } from '../plan/plan.ts';
import { type Excess, type Exposure, excesses, touchedBy } from './exposure.ts';
import { walletCurrency } from './funds.ts';
import type { Guard } from './guards.ts';

/** What a person allowed before money moves, by currency. */
export interface Limits {
  /** Equals the file's sound rows, whatever was paid before. */
  readonly confirmTotal: ReadonlyMap<string, Minor>;
  /** Bounds what was sent, less what conclusively failed, plus what would be sent. */
  readonly maxTotal: ReadonlyMap<string, Minor>;
}

export interface LimitFacts {
  readonly plan: Pick<Plan, 'batch' | 'totals' | 'besides' | 'byWallet'>;
  /** Sent before by this batch and not conclusively failed. */
  readonly sent: readonly Total[];
  /** Of those, whose rows are not in the file. */
  readonly sentBesides: readonly Total[];
  /** What waits for a person: beside what is to be sent, and beside the whole file. */
  readonly waiting: { readonly besidesSending: readonly Total[]; readonly besidesFile: readonly Total[] };
  /** What would have been sent when all that waits is out. */
  readonly exposure: ReadonlyMap<string, Exposure>;
  /** What was confirmed before. */
  readonly confirmed: Bounds;
  /** Every currency needs a limit: a live service and nobody at the terminal. */
  readonly needed: boolean;
  /** What is to be sent will be typed at a terminal before it is. */
  readonly isTyped: boolean;
}

/**
 * What bounds the batch from now on. A person who states a total or a limit has seen what it is about, and it takes the
 * place of the one before; a currency that nobody spoke of keeps its own.
 */
export function boundsOf(limits: Limits, facts: LimitFacts): Bounds {
  const { plan, sent, sentBesides, waiting, confirmed, isTyped } = facts;
  const bounds = new Map(confirmed);
  const now = toSendNow(plan);
  const currencies = new Set([...limits.maxTotal.keys(), ...now.keys(), ...plan.totals.map(currencyOf)]);
  for (const currency of currencies) {
    const mostMinor = limits.maxTotal.get(currency);
    const typedMinor = isTyped ? now.get(currency) : undefined;
    const paidMinor =
      limits.confirmTotal.get(currency) !== undefined
        ? fileOf(plan.totals, currency) +
          sum(sentBesides, currency) +
          sum(plan.besides, currency) +
          stillConfirmed(sum(waiting.besidesFile, currency), currency, facts)
        : typedMinor === undefined
          ? undefined
          : typedMinor +
            sum(sent, currency) +
            stillConfirmed(sum(waiting.besidesSending, currency), currency, facts);
    const bound: Bound = { paidMinor, mostMinor };
    if (paidMinor !== undefined || mostMinor !== undefined) bounds.set(currency, bound);
  }
  return bounds;
}

/** Of what waits for a person, as much as was confirmed before and not sent since: a release of it asks nobody again. */
function stillConfirmed(waitingMinor: Minor, currency: string, { confirmed, sent }: LimitFacts): Minor {
  const before = confirmed.get(currency)?.paidMinor ?? 0n;
  const left = before - sum(sent, currency);
  return left <= 0n ? 0n : left < waitingMinor ? left : waitingMinor;
}

/** Refuses totals that nobody has seen, or other ones than were seen. */
export function limitGuards(limits: Limits, bounds: Bounds, facts: LimitFacts): Guard[] {
  const { plan, exposure } = facts;
  const going = touchedBy([...plan.byWallet, ...plan.besides]);
  const exceeded = excesses(bounds, exposure).filter(
    ({ currency }) => limits.maxTotal.has(currency) || going.has(currency),
  );
  return [
    ...plan.totals.flatMap((total) => totalGuards(limits, total, facts.needed && !isSettled(total, facts))),
    ...exceeded.map((excess) => refusal(excessMessage(excess, limits, facts))),
    ...(facts.needed ? debitGuards(limits, facts) : []),
    ...strangers(limits, plan),
  ];
}

/** Nothing of it goes out, and what was confirmed before still bounds what may: nobody has to allow anything. */
function isSettled({ currency }: CurrencyTotal, { plan, confirmed }: LimitFacts): boolean {
  return confirmed.has(currency) && !toSendNow(plan).has(currency);
}

function totalGuards(limits: Limits, { currency, fileMinor }: CurrencyTotal, needed: boolean): Guard[] {
  const confirmed = limits.confirmTotal.get(currency);
  if (confirmed !== undefined && confirmed !== fileMinor) {
    return [
      refusal(
        `--confirm-total says ${formatMoney(confirmed, currency)}, the file adds up to ${formatMoney(fileMinor, currency)}.`,
      ),
    ];
  }
  if (!needed || confirmed !== undefined || limits.maxTotal.has(currency)) return [];
  return [
    refusal(
      `Nobody has confirmed ${formatMoney(fileMinor, currency)}: add --confirm-total ${currency}=${decimalOf(fileMinor, currency)} or --max-total ${currency}=….`,
    ),
  ];
}

function excessMessage(excess: Excess, { maxTotal }: Limits, { plan, sent }: LimitFacts): string {
  const { currency, boundMinor, wouldBeMinor, estimated } = excess;
  if (wouldBeMinor === undefined) return unrated(currency);
  const wouldBe = `${estimated ? 'about ' : ''}${formatMoney(wouldBeMinor, currency)}`;
  const bound = formatMoney(boundMinor, currency);
  const besides = plan.besides.length > 0 ? ' and what else of the batch waits to be sent' : '';
  return maxTotal.has(currency)
    ? `--max-total allows ${bound}; with ${sent.length > 0 ? 'what was sent before' : 'this file'}${besides} it would be ${wouldBe}.`
    : `Batch ${plan.batch} was confirmed up to ${bound}; with this file${besides} it would be ${wouldBe}. To allow that, add --max-total ${currency}=${decimalOf(wouldBeMinor, currency)}.`;
}

/** What is debited in another currency than the one paid is an estimate, so that only a limit can confirm it. */
function debitGuards({ maxTotal }: Limits, { plan, exposure }: LimitFacts): Guard[] {
  const debited = [...plan.byWallet, ...plan.besides]
    .filter(({ name, currency }) => walletCurrency(name) !== currency)
    .map(({ name }) => walletCurrency(name));
  return [...new Set(debited)]
    .filter((currency) => !maxTotal.has(currency))
    .map((currency) => {
      const estimate = exposure.get(currency)?.debitedMinor;
      return refusal(
        estimate === undefined
          ? unrated(currency)
          : `About ${formatMoney(estimate, currency)} would be debited for payments in other currencies and nobody has limited it: add --max-total ${currency}=….`,
      );
    });
}

function unrated(currency: string): string {
  return `The service gives no rate for ${currency}, so what would be debited cannot be held against a limit.`;
}

/** A limit for a currency that the file does not touch is a slip: perhaps of the file, perhaps of the command. */
function strangers({ confirmTotal }: Limits, { totals, byWallet }: LimitFacts['plan']): Guard[] {
  const touched = new Set([...totals.map(currencyOf), ...touchedBy(byWallet)]);
  return [...confirmTotal.keys()]
    .filter((currency) => !touched.has(currency))
    .map((currency) => refusal(`--confirm-total names ${currency}, and nothing in the file is paid in it.`));
}

function currencyOf({ currency }: CurrencyTotal): string {
  return currency;
}

function fileOf(totals: readonly CurrencyTotal[], currency: string): Minor {
  return totals.find((total) => total.currency === currency)?.fileMinor ?? 0n;
}

function sum(totals: readonly Total[], currency: string): Minor {
  return totals.reduce(
    (minor, total) => (total.currency === currency ? minor + total.amountMinor : minor),
    0n,
  );
}

function refusal(message: string): Guard {
  return { code: 'limit', message };
}
