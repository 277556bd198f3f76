import { describe, expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { interruptedAfter, openPayroll, staff } from '../../support/pay-run.ts';
import { type Dedupe, dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

describe.each(dedupeModes)(
  'a retry file of a batch that pays whatever the names are, with dedupe %s',
  (dedupe) => {
    test('makes nothing stricter where its command says nothing about names', async () => {
      const { service, payroll, rows, part } = await openCase(dedupe);

      const ran = await payroll.run(part, { stated: {} });

      expect(ran.exit).toBe(0);
      expect(payroll.results('november').map((row) => row['payrun_status'])).toEqual(Array(6).fill('paid'));
      await expectPaidOnce(service, rows);
    });

    test('makes all that is not sent yet stricter where its command says so', async () => {
      const { service, payroll, rows, part } = await openCase(dedupe);

      const ran = await payroll.run(part, { stated: { onUnchecked: 'hold' } });

      expect(ran.exit).toBe(3);
      expect(payroll.statuses('november').slice(2)).toEqual(
        rows.slice(2).map((row) => `${row['paymentId']} held`),
      );
      await expectPaidOnce(service, rows.slice(0, 2));
    });
  },
);

/** Two of six are paid, three wait to be sent, one is invalid and corrected in the retry file. No name can be checked. */
async function openCase(dedupe: Dedupe) {
  const service = await startPayrollService(dedupe);
  const payroll = openPayroll(service);
  const rows = staff(6);
  await service.enrol(rows.map((row) => ({ number: row['phoneNumber'] ?? '', name: 'N/A' })));
  const broken = rows.map((row, index) => (index === 5 ? { ...row, amount: 'x' } : row));
  const first = await payroll.run(payroll.write('november.csv', broken), {
    ...interruptedAfter(2),
    policy: { onUnchecked: 'pay', onMismatch: 'pay', skipInvalid: true },
  });
  const left = payroll.results('november').map((row) => row['payrun_status']);
  expect(left.slice(2)).toEqual(['not_sent', 'not_sent', 'not_sent', 'invalid']);
  const retry = payroll.read(first.summary?.retryPath ?? '');
  const corrected = retry.map((row) => ({ ...row, amount: rows[5]?.['amount'] ?? '' }));
  return { service, payroll, rows, part: payroll.write('november.retry.csv', corrected) };
}
