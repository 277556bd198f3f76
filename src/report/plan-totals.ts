import { formatMoney } from '../domain/money/format-money.ts';
import type { Minor } from '../domain/money/money.ts';
import { counted } from '../domain/text/counted.ts';
import { type Plan, toSendNow } from '../pipeline/plan/plan.ts';
import type { PlannedFile } from '../pipeline/plan/planned-file.ts';
import { type AmountRow, amountTable } from './amount-table.ts';

/** What goes out if a person says yes, and what of it waits for the person's decision about a name. */
export interface GoesNow {
  readonly currency: string;
  readonly count: number;
  readonly minor: Minor;
  readonly heldCount: number;
  readonly heldMinor: Minor;
}

export function goesNow({ plan, view }: Pick<PlannedFile, 'plan' | 'view'>): GoesNow[] {
  return [...toSendNow(plan)].map(([currency, minor]) => {
    const own = plan.totals.find((total) => total.currency === currency)?.toSendRows ?? 0;
    const besides = plan.besides.filter((total) => total.currency === currency);
    const count = besides.reduce((sum, { rows }) => sum + rows, own);
    const held = view?.names?.held.find((sum) => sum.currency === currency);
    const [heldCount, heldMinor] = [held?.rows ?? 0, held?.amountMinor ?? 0n];
    return { currency, count: count - heldCount, minor: minor - heldMinor, heldCount, heldMinor };
  });
}

/** What becomes of the file's money, in lines that add up to it. */
export function planTotals(planned: Pick<PlannedFile, 'plan' | 'view'>): string {
  const { plan, view } = planned;
  if (plan.totals.length === 0) return '';
  const rows = plan.totals.flatMap((total): AmountRow[] => {
    const { currency, paidBeforeMinor, onTheWayMinor, toSendMinor, fileMinor } = total;
    const held = view?.names?.held.find((sum) => sum.currency === currency);
    const [heldCount, heldMinor] = [held?.rows ?? 0, held?.amountMinor ?? 0n];
    const restRows = total.rows - total.paidBeforeRows - total.onTheWayRows - total.toSendRows;
    const row = (label: string, count: number, minor: Minor): AmountRow => ({
      label,
      count,
      currency,
      minor,
    });
    const parts = [
      row('goes now', total.toSendRows - heldCount, toSendMinor - heldMinor),
      row('held for their names', heldCount, heldMinor),
      row('paid before', total.paidBeforeRows, paidBeforeMinor),
      row('sent before, on the way or unknown', total.onTheWayRows, onTheWayMinor),
      row(
        'not sent by this run (held, ended or cancelled)',
        restRows,
        fileMinor - paidBeforeMinor - onTheWayMinor - toSendMinor,
      ),
    ].filter(({ minor }, place) => place === 0 || minor > 0n);
    const split = plan.byDestination
      .filter((share) => share.currency === currency)
      .map((share) => row(`  ${share.name}`, share.rows, share.amountMinor));
    const isWhole = parts.length === 1 && parts[0]?.minor === fileMinor;
    return [
      ...parts,
      ...(isWhole ? [] : [row('in the file', total.rows, fileMinor)]),
      ...(split.length > 1 ? split : []),
    ];
  });
  return ['Payments:', ...amountTable(rows), ...walletLines(plan)].join('\n');
}

function walletLines({ byWallet }: Plan): string[] {
  return byWallet
    .filter(({ name, currency }) => name !== currency)
    .map(
      ({ name, currency, amountMinor }) => `  from the ${name} wallet: ${formatMoney(amountMinor, currency)}`,
    );
}

/** The last lines before the question: where, how many, how much, and what stays behind. */
export function goesNowLines(word: string, sums: readonly GoesNow[]): string[] {
  return sums.map(({ currency, count, minor, heldCount, heldMinor }) => {
    const goes = `${counted(count, 'payment')}, ${formatMoney(minor, currency)}, ${count === 1 ? 'goes' : 'go'} out now`;
    const held =
      heldCount > 0 ? `; ${formatMoney(heldMinor, currency)} in ${counted(heldCount, 'payment')} held` : '';
    return `${word}: ${goes}${held}.`;
  });
}
