import { describe, expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { employee, enrolStaff, hastyClock, openPayroll, phoneOf, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const dayMs = 24 * 60 * 60 * 1000;
const nextMonth = { clock: hastyClock({ shiftMs: 30 * dayMs }) };
const day = (shiftDays: number) =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(Date.now() + shiftDays * dayMs);

describe.each(dedupeModes)('next month’s file under last month’s name, with dedupe %s', (dedupe) => {
  test('is refused with the day, the counts and the two ways to go on, and nothing is sent', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, [...rows, employee(4)]);
    await payroll.run(payroll.write('payroll.csv', rows));

    const again = await payroll.run(payroll.write('payroll.csv', staff(4)), nextMonth);

    expect(again).toMatchObject({ exit: 6, code: 'old-batch' });
    expect(again.message).toContain(
      `Batch payroll was paid on ${day(0)}: 3 of these 4 rows were paid then, 1 is new.`,
    );
    expect(again.message).toMatch(
      /A new period: --batch payroll-\d{4}-\d{2}\. The same period: --same-batch\./,
    );
    await expectPaidOnce(service, rows);
  });

  test('pays everybody once more under a new name', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, rows);
    const file = payroll.write('payroll.csv', rows);
    await payroll.run(file);
    const refused = await payroll.run(file, nextMonth);
    const [, name = ''] = /--batch (\S+)\. The same/.exec(refused.message) ?? [];

    expect((await payroll.run(file, { ...nextMonth, batch: name })).exit).toBe(0);

    const paid = rows.map((row) => `${row['phoneNumber']} ${row['amount']}`);
    expect(await service.sums()).toEqual([...paid, ...paid].sort());
    expect(new Set((await service.payouts()).map(({ reference }) => reference)).size).toBe(6);
    expect(await service.books()).toEqual([]);
  });

  test('adds only what is new where the same period is meant', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    await enrolStaff(service, staff(4));
    await payroll.run(payroll.write('payroll.csv', staff(3)));

    const late = await payroll.run(payroll.write('payroll.csv', staff(4)), { ...nextMonth, sameBatch: true });

    expect(late.exit).toBe(0);
    await expectPaidOnce(service, staff(4));
  });

  test('is not asked of the batch’s own retry file, however late it comes back', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const failing = employee(2, { phoneNumber: phoneOf(2, '99001') });
    await enrolStaff(service, [employee(1), employee(2), failing]);
    const first = await payroll.run(payroll.write('payroll.csv', [employee(1), failing]));
    const [row] = payroll.read(first.summary?.retryPath ?? '');

    const corrected = payroll.write('mended.csv', [{ ...row, phoneNumber: phoneOf(2) }]);
    expect((await payroll.run(corrected, nextMonth)).exit).toBe(0);

    expect(payroll.statuses('payroll')).toEqual(['P001 paid', 'P002 paid']);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(2)} 1002.00`]);
    expect(await service.books()).toEqual([]);
  });

  test('pays nobody of last month a second time, even where the journal was lost in between', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, [...rows, employee(4)]);
    const file = payroll.write('payroll.csv', rows);
    await payroll.run(file);
    await payroll.store.forget();

    const refused = await payroll.run(file, nextMonth);
    expect(refused).toMatchObject({ exit: 6, code: 'old-batch' });
    const meant = await payroll.run(file, { ...nextMonth, sameBatch: true });
    expect(meant.summary?.sends).toBe(0);
    await expectPaidOnce(service, rows);
  });
});
