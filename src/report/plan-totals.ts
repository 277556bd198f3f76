import { formatMoney } from '../domain/money/format-money.ts';
import type { Minor } from '../domain/money/money.ts';
import { counted } from '../domain/text/counted.ts';
import type { GoesNow } from '../pipeline/plan/goes-now.ts';
import type { Plan } from '../pipeline/plan/plan.ts';
import type { PlannedFile } from '../pipeline/plan/planned-file.ts';
import { type AmountRow, amountTable } from './amount-table.ts';
import { fileLabel } from './money-lines.ts';

/** What becomes of the file's money, in lines that add up to it. */
export function planTotals(planned: Pick<PlannedFile, 'plan' | 'view'>): string {
  const { plan, view } = planned;
  if (plan.totals.length === 0) return '';
  const rows = plan.totals.flatMap((total): AmountRow[] => {
    const { currency, paidBeforeMinor, onTheWayMinor, toSendMinor, fileMinor } = total;
    const none = { rows: 0, amountMinor: 0n };
    const held = view?.names?.held.find((sum) => sum.currency === currency) ?? none;
    const above = view?.aboveLimit.find((sum) => sum.currency === currency) ?? none;
    const goesMinor = toSendMinor - held.amountMinor - above.amountMinor;
    const restRows = total.rows - total.paidBeforeRows - total.onTheWayRows - total.toSendRows;
    const row = (label: string, count: number, minor: Minor): AmountRow => ({
      label,
      count,
      currency,
      minor,
    });
    const parts = [
      row('goes now', total.toSendRows - held.rows - above.rows, goesMinor),
      row('held for their names', held.rows, held.amountMinor),
      row('held above the limit', above.rows, above.amountMinor),
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
      ...(isWhole ? [] : [row(fileLabel(plan.rows - plan.valid), total.rows, fileMinor)]),
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
