import { describe, expect, test } from 'vitest';
import { expectPaidOnce, expectResultsAgree } from '../../support/paid-once.ts';
import { enrolStaff, openPayroll, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

describe.each(dedupeModes)('The same command again, dedupe %s', (dedupe) => {
  test('sends nothing, says that nothing was paid and when it was, even with --quiet, and ends well', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(10);
    await enrolStaff(service, rows);
    payroll.write('november.csv', rows);
    const command = ['run', 'november.csv', '--yes', '--max-total', 'KES=20000'];
    const first = await payroll.command(command);
    expect(first).toMatchObject({ exit: 0 });
    const sent = service.payoutCalls().length;

    const again = await payroll.command(command);
    const quietly = await payroll.command([...command, '--quiet']);

    const today = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
    for (const run of [again, quietly]) {
      expect(run.exit).toBe(0);
      expect(run.stdout).toMatch(/nothing was paid: all 10 were paid on/i);
      expect(run.stdout).toContain(today.format(new Date()));
    }
    expect(service.payoutCalls()).toHaveLength(sent);
    await expectResultsAgree(service, payroll.results('november'));
    await expectPaidOnce(service, rows);
  });

  test('pays the rows that were added since, and only those', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(14);
    await enrolStaff(service, rows);
    expect(await payroll.run(payroll.write('november.csv', rows.slice(0, 10)))).toMatchObject({ exit: 0 });

    const ran = await payroll.run(payroll.write('november.csv', rows));

    expect(ran.exit).toBe(0);
    expect(ran.summary?.sends).toBe(4);
    expect(ran.summary?.totals['KES']).toMatchObject({ paidNowMinor: 405_000n, leftMinor: 0n });
    expect(service.payoutCalls()).toHaveLength(14);
    await expectPaidOnce(service, rows);
  });
});
