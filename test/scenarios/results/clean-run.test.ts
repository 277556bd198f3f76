import { describe, expect, test } from 'vitest';
import { expectPaidOnce, expectResultsAgree } from '../../support/paid-once.ts';
import { enrolStaff, openPayroll, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

describe.each(dedupeModes)('A run that nothing disturbs, dedupe %s', (dedupe) => {
  test('pays every row once, and the results agree with the service to the last transaction', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(40);
    await enrolStaff(service, rows);

    const ran = await payroll.run(payroll.write('november.csv', rows));

    expect(ran.exit).toBe(0);
    expect(ran.summary?.statuses.paid).toBe(40);
    const total = rows.reduce((sum, row) => sum + BigInt(row['amount']?.replace('.', '') ?? 0), 0n);
    expect(ran.summary?.totals['KES']).toMatchObject({
      fileMinor: total,
      paidNowMinor: total,
      paidBeforeMinor: 0n,
      leftMinor: 0n,
    });
    const results = payroll.results('november');
    expect(results.map((row) => row['paymentId'])).toEqual(rows.map((row) => row['paymentId']));
    await expectResultsAgree(service, results);
    expect(service.payoutCalls()).toHaveLength(40);
    await expectPaidOnce(service, rows);
  });

  test('through the command line, the summary names what the service paid', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(12);
    await enrolStaff(service, rows);
    payroll.write('november.csv', rows);

    const { exit, stdout, stderr } = await payroll.command([
      'run',
      'november.csv',
      '--yes',
      '--json',
      '--confirm-total',
      'KES=12078.00',
    ]);

    expect(stderr.split('\n')[0]).toBe('LIVE');
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      batch: 'november',
      exit: 0,
      statuses: { paid: 12 },
      totals: { KES: { file: '12078.00', paidNow: '12078.00', paidBefore: '0.00', left: '0.00' } },
    });
    await expectResultsAgree(service, payroll.results('november'));
    await expectPaidOnce(service, rows);
  });
});
