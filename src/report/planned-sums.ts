import { type Minor, minorFromDecimal } from '../domain/money/money.ts';
import { findCurrency } from '../domain/reference-data/countries.ts';
import type { PlanDocument } from './plan-document.ts';

/** What a run by a written plan would send, by currency: of the file, and of the batch besides. */
export function plannedSums({ totals, besides }: Pick<PlanDocument, 'totals' | 'besides'>) {
  const sums = new Map<string, Minor>();
  const add = (currency: string, decimal: string) => {
    const minor = minorFromDecimal(decimal, findCurrency(currency)?.decimals ?? 0) ?? 0n;
    if (minor > 0n) sums.set(currency, (sums.get(currency) ?? 0n) + minor);
  };
  for (const [currency, { toSend }] of Object.entries(totals)) add(currency, toSend);
  for (const { currency, amount } of besides) add(currency, amount);
  return sums;
}
