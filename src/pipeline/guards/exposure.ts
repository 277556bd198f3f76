import type { Bounds } from '../../domain/money/bounds.ts';
import type { Minor } from '../../domain/money/money.ts';
import type { Total } from '../../journal/draft/draft-queries.ts';
import type { Service } from '../../service/client.ts';
import { debitOf, walletCurrency } from './funds.ts';

/** What a batch has sent and is about to send in one currency. */
export interface Exposure {
  readonly paidMinor: Minor;
  /** About debited for what is paid in other currencies; undefined where the service publishes no rate. */
  readonly debitedMinor: Minor | undefined;
}

export interface Excess {
  readonly currency: string;
  readonly boundMinor: Minor;
  /** Undefined where it cannot be reckoned. */
  readonly wouldBeMinor: Minor | undefined;
  /** A part of it is reckoned by a rate. */
  readonly estimated: boolean;
}

/** By currency. Rates are asked only where something is paid from the wallet of another currency that matters. */
export async function exposureOf(
  service: Pick<Service, 'listRates'>,
  totals: readonly Total[],
  matters: (currency: string) => boolean,
): Promise<Map<string, Exposure>> {
  const exposure = new Map<string, Exposure>();
  const known = (currency: string) => exposure.get(currency) ?? { paidMinor: 0n, debitedMinor: 0n };
  for (const { currency, amountMinor } of totals) {
    const { paidMinor, debitedMinor } = known(currency);
    exposure.set(currency, { paidMinor: paidMinor + amountMinor, debitedMinor });
  }
  for (const total of oneEachWallet(totals)) {
    const currency = walletCurrency(total.name);
    if (currency === total.currency || !matters(currency)) continue;
    const debit = await debitOf(service, total);
    const { paidMinor, debitedMinor } = known(currency);
    const sum = debit === undefined || debitedMinor === undefined ? undefined : debitedMinor + debit;
    exposure.set(currency, { paidMinor, debitedMinor: sum });
  }
  return exposure;
}

/** Currencies in which a batch would pass what was confirmed for it. */
export function excesses(bounds: Bounds, exposure: ReadonlyMap<string, Exposure>): Excess[] {
  return [...bounds].flatMap(([currency, { paidMinor, mostMinor }]): Excess[] => {
    const { paidMinor: paid, debitedMinor: debited } = exposure.get(currency) ?? noExposure;
    if (mostMinor !== undefined && (debited === undefined || paid + debited > mostMinor)) {
      const wouldBeMinor = debited === undefined ? undefined : paid + debited;
      return [{ currency, boundMinor: mostMinor, wouldBeMinor, estimated: debited !== 0n }];
    }
    if (paidMinor === undefined || paid <= paidMinor) return [];
    return [{ currency, boundMinor: paidMinor, wouldBeMinor: paid, estimated: false }];
  });
}

/** Every currency that totals pay in or are debited in. */
export function touchedBy(totals: readonly Total[]): Set<string> {
  return new Set(totals.flatMap(({ name, currency }) => [currency, walletCurrency(name)]));
}

const noExposure: Exposure = { paidMinor: 0n, debitedMinor: 0n };

/** A rate is asked once for each pair of currencies. */
function oneEachWallet(totals: readonly Total[]): Total[] {
  const sums = new Map<string, Total>();
  for (const total of totals) {
    const pair = `${walletCurrency(total.name)} ${total.currency}`;
    const known = sums.get(pair);
    const amountMinor = (known?.amountMinor ?? 0n) + total.amountMinor;
    sums.set(pair, { ...total, rows: (known?.rows ?? 0) + total.rows, amountMinor });
  }
  return [...sums.values()];
}
