import type { PaidTwice } from '../journal/payouts/payout-queries.ts';

/** The first lines of every report, where there is anything to say in them. */
export function paidTwiceLines(paidTwice: readonly PaidTwice[], batch?: string): string[] {
  const whose = batch === undefined ? '' : `batch ${batch}, `;
  return paidTwice.map(
    ({ key, transactions }) =>
      `PAID TWICE: ${whose}payment ${key} was paid by ${transactions.length} transactions: ${transactions.join(', ')}`,
  );
}
