import { expect } from 'vitest';
import type { Cells } from './pay-run.ts';
import type { PayrollService } from './payroll-service.ts';
import type { SeenPayout } from './seen-payout.ts';

/** How the service would list a row that it paid: `+254712000101 1001.00`. */
export function paymentOf(row: Cells): string {
  return `${row['phoneNumber']} ${row['amount']}`;
}

/** The last word: the service paid each of these rows once, took on nothing else, and its books balance. */
export async function expectPaidOnce(service: PayrollService, rows: readonly Cells[]): Promise<void> {
  const payouts = await service.payouts();
  expect(payouts.map(paidText).sort()).toEqual(rows.map((row) => `${paymentOf(row)} SUCCESSFUL`).sort());
  expect(new Set(payouts.map((payout) => payout.reference)).size).toBe(rows.length);
  expect(await service.books()).toEqual([]);
}

/** Whatever the end: nothing was paid twice, and no more than these rows. */
export async function expectNothingTwice(
  service: PayrollService,
  rows: readonly Cells[],
): Promise<SeenPayout[]> {
  const payouts = await service.payouts();
  const seen = payouts.map(({ number, amount }) => `${number} ${amount}`);
  expect(seen.filter((each, index) => seen.indexOf(each) !== index)).toEqual([]);
  const meant = new Set(rows.map(paymentOf));
  expect(seen.filter((each) => !meant.has(each))).toEqual([]);
  expect(await service.books()).toEqual([]);
  return payouts;
}

/** What the results call paid is what the service calls successful: row by row, and in sum. */
export async function expectResultsAgree(
  service: PayrollService,
  results: readonly Record<string, string>[],
): Promise<void> {
  const successful = (await service.payouts()).filter((each) => each.status === 'SUCCESSFUL');
  const claimed = results
    .filter((row) => row['payrun_status'] === 'paid')
    .map((row) => [
      row['payrun_transaction'],
      row['payrun_reference'],
      row['phoneNumber'],
      row['payrun_paid'],
    ]);
  const found = successful.map((each) => [each.transactionId, each.reference, each.number, each.amount]);
  const inOrder = (list: (string | undefined)[][]) => list.map((each) => each.join(' ')).sort();
  expect(inOrder(claimed)).toEqual(inOrder(found));
}

function paidText({ number, amount, status }: SeenPayout): string {
  return `${number} ${amount} ${status}`;
}
