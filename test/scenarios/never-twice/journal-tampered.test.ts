import { describe, expect, test } from 'vitest';
import { expectNothingTwice } from '../../support/paid-once.ts';
import { enrolStaff, interruptedAfter, openPayroll, phoneOf, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

describe.each(dedupeModes)('A journal in which somebody has changed a payout, dedupe %s', (dedupe) => {
  test.each([
    ['the amount', 'UPDATE payouts SET amount = amount * 10'],
    ['the account', `UPDATE payouts SET number = '${phoneOf(99)}'`],
    ['the reference', `UPDATE payouts SET reference = 'e' || substr(reference, 2)`],
    ['the attempt', 'UPDATE payouts SET attempt = attempt + 1'],
    ['the currency', `UPDATE payouts SET currency = 'UGX'`],
  ])('sends nothing of it: %s', async (_, sql) => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    await payroll.run(file, interruptedAfter(1));
    await payroll.ask((db) => db.exec(`${sql} WHERE state IN ('planned', 'ready')`));

    const resumed = await payroll.resume('november');

    expect(resumed.exit).not.toBe(0);
    expect(await expectNothingTwice(service, rows.slice(0, 1))).toHaveLength(1);
  });
});
