import type { Minor } from '../domain/money/money.ts';
import type { RowStatus } from '../domain/payout/payout-state.ts';
import type { BatchTotals, ResultSums } from '../domain/payout/result-tally.ts';
import { counted } from '../domain/text/counted.ts';
import { type AmountRow, amountTable } from './amount-table.ts';

const words: readonly (readonly [Exclude<RowStatus, 'paid' | 'invalid'>, string])[] = [
  ['pending', 'on the way'],
  ['unknown', 'unknown'],
  ['not_sent', 'not paid: not sent yet'],
  ['held', 'not paid: held'],
  ['failed', 'not paid: failed'],
  ['refused', 'not paid: refused'],
  ['returned', 'not paid: returned'],
  ['cancelled', 'not paid: cancelled'],
];

/**
 * Where the payouts of a batch and their money stand. Every amount has a line of its own, so that they add up to the last
 * line: what is on its way or unknown must never be read as money that can be paid again.
 */
export function moneyLines(
  { totals, statuses, invalidGone }: Pick<ResultSums, 'totals' | 'statuses' | 'invalidGone'>,
  paid: 'now and before' | 'before',
): string[] {
  // What a person took out of the file is nobody's task any more.
  const invalid = statuses.invalid - invalidGone;
  const whole = fileLabel(invalid);
  const rows = Object.entries(totals).flatMap(([currency, sums]) => rowsOf(currency, sums, paid, whole));
  return [
    ...amountTable(rows),
    ...(invalid > 0 ? [`  not paid: ${counted(invalid, 'invalid row')}`] : []),
    ...(invalidGone > 0 ? [`  taken out of the file: ${counted(invalidGone, 'invalid row')}`] : []),
  ];
}

/** Of all rows that can be paid: the amounts of others are in no sum. */
export function fileLabel(invalidRows: number): string {
  return invalidRows > 0 ? 'in the valid rows' : 'in the file';
}

function rowsOf(
  currency: string,
  sums: BatchTotals,
  paid: 'now and before' | 'before',
  whole: string,
): AmountRow[] {
  const row = (label: string, count: number | undefined, minor: Minor): AmountRow => ({
    label,
    count,
    currency,
    minor,
  });
  const { paidNowRows, paidBeforeRows, statusRows, statusMinor, decidedRows, fileRows, goneRows } = sums;
  const paidRows =
    paid === 'before'
      ? [row('paid', paidNowRows + paidBeforeRows, sums.paidNowMinor + sums.paidBeforeMinor)]
      : [
          row('paid now', paidNowRows, sums.paidNowMinor),
          row('paid before', paidBeforeRows, sums.paidBeforeMinor),
        ];
  const parts = [
    ...paidRows,
    // What the service shows to have paid is called paid: so that the lines add up, what it lacks stands beside it.
    row('paid less than the file says', undefined, sums.paidLessMinor),
    row('paid more than the file says', undefined, -sums.paidMoreMinor),
    ...words.flatMap(([status, label]) => {
      if (status !== 'refused') return [row(label, statusRows[status], statusMinor[status])];
      // What a person called unpaid, the service has not refused.
      return [
        row(label, statusRows.refused - decidedRows, statusMinor.refused - sums.decidedMinor),
        row('not paid: decided by a person', decidedRows, sums.decidedMinor),
      ];
    }),
  ].filter(({ minor, count }, place) => place === 0 || minor !== 0n || (count ?? 0) > 0);
  if (parts.length < 2) return parts;
  return sums.goneMinor === 0n
    ? [...parts, row(whole, fileRows, sums.fileMinor)]
    : [
        ...parts,
        row('in all', fileRows + goneRows, sums.fileMinor + sums.goneMinor),
        row('of it no longer in the file', goneRows, sums.goneMinor),
      ];
}
