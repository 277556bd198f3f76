import type { PaidTwice } from '../journal/payout-pages.ts';

/** The first lines of every report, where there is anything to say in them. */
export function paidTwiceLines(paidTwice: readonly PaidTwice[]): string[] {
  return paidTwice.map(
    ({ key, transactions }) =>
      `PAID TWICE: payment ${key} was paid by ${transactions.length} transactions: ${transactions.join(', ')}`,
  );
}
