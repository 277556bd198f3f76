import { formatMoney } from '../domain/money/format-money.ts';
import type { BatchTotals, ResultSums } from '../domain/payout/result-tally.ts';

/**
 * Where the money of a batch stands. Every amount has a line of its own, so that they add up to the last line: what is
 * on its way or unknown must never be read as money that can be paid again.
 */
export function moneyLines(totals: ResultSums['totals'], paid: 'now and before' | 'before'): string[] {
  return Object.entries(totals).flatMap(([currency, sums]) => {
    const parts = [...paidParts(sums, paid), ...otherParts(sums)].filter(
      ([, minor], index) => index === 0 || minor !== 0n,
    );
    const lines = parts.length > 1 ? [...parts, ...sumParts(sums)] : parts;
    return aligned(lines.map(([label, minor]) => [label, formatMoney(minor, currency)]));
  });
}

type Part = readonly [label: string, minor: bigint];

function paidParts(
  { paidNowMinor, paidBeforeMinor }: BatchTotals,
  paid: 'now and before' | 'before',
): Part[] {
  if (paid === 'before') return [['paid', paidNowMinor + paidBeforeMinor]];
  return [
    ['paid now', paidNowMinor],
    ['paid before', paidBeforeMinor],
  ];
}

function otherParts({ paidLessMinor, paidMoreMinor, statusMinor }: BatchTotals): Part[] {
  return [
    // What the service shows to have paid is called paid: so that the lines add up, what it lacks stands beside it.
    ['paid less than the file says, as the service shows it', paidLessMinor],
    ['paid more than the file says, as the service shows it', -paidMoreMinor],
    ['on the way', statusMinor.pending],
    ['unknown', statusMinor.unknown],
    ['not paid: not sent yet', statusMinor.not_sent],
    ['not paid: held', statusMinor.held],
    ['not paid: failed', statusMinor.failed],
    ['not paid: refused', statusMinor.refused],
    ['not paid: returned', statusMinor.returned],
    ['not paid: cancelled', statusMinor.cancelled],
  ];
}

function sumParts({ fileMinor, goneMinor }: BatchTotals): Part[] {
  if (goneMinor === 0n) return [['in the file', fileMinor]];
  return [
    ['in all', fileMinor + goneMinor],
    ['of it no longer in the file', goneMinor],
  ];
}

function aligned(lines: readonly (readonly [label: string, amount: string])[]): string[] {
  const widest = Math.max(...lines.map(([label]) => label.length));
  const longest = Math.max(...lines.map(([, amount]) => amount.length));
  return lines.map(([label, amount]) => `  ${label.padEnd(widest)} ${amount.padStart(longest)}`);
}
