import { formatMoney } from '../domain/money/format-money.ts';
import type { Minor } from '../domain/money/money.ts';
import { grouped } from '../domain/text/grouped.ts';

export interface AmountRow {
  readonly label: string;
  /** Undefined where only the money says something. */
  readonly count?: number | undefined;
  readonly currency: string;
  readonly minor: Minor;
}

/** Counts and amounts below each other, in the same columns for every currency: what belongs together can be added up. */
export function amountTable(rows: readonly AmountRow[]): string[] {
  const cells = rows.map(({ label, count, currency, minor }) => {
    const amount = formatMoney(minor, currency).slice(currency.length + 1);
    return { label, count: count === undefined ? '' : grouped(count), currency, amount };
  });
  const widest = (of: (cell: (typeof cells)[number]) => string) =>
    Math.max(0, ...cells.map((cell) => of(cell).length));
  const widths = {
    label: widest(({ label }) => label),
    count: widest(({ count }) => count),
    amount: widest(({ amount }) => amount),
  };
  return cells.map(
    ({ label, count, currency, amount }) =>
      `  ${label.padEnd(widths.label)}  ${count.padStart(widths.count)}  ${currency} ${amount.padStart(widths.amount)}`,
  );
}
