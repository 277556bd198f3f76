import { formatMoney } from '../domain/money/format-money.ts';
import type { PaidTwice } from '../journal/payouts/payout-queries.ts';

/** The first lines of every report, where there is anything to say in them. */
export function paidTwiceLines(paidTwice: readonly PaidTwice[], batch?: string): string[] {
  const whose = batch === undefined ? '' : `batch ${batch}, `;
  return paidTwice.map(
    ({ key, accountName, currency, amountMinor, transactions }) =>
      `PAID TWICE: ${whose}payment ${key} (${accountName}, ${formatMoney(amountMinor, currency)}) was paid by ${transactions.length} transactions: ${transactions.join(', ')}`,
  );
}
