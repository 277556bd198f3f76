import { describe, expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import {
  employee,
  enrolStaff,
  hastyClock,
  interruptedAfter,
  openPayroll,
  staff,
} from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const dayMs = 24 * 60 * 60 * 1000;
const batch = 'payroll-{yyyy}-{MM}-{dd}';
const dated = (shiftDays: number, timeZone = 'UTC') =>
  `payroll-${new Intl.DateTimeFormat('en-CA', { timeZone }).format(Date.now() + shiftDays * dayMs)}`;
const tomorrow = { clock: hastyClock({ shiftMs: dayMs }), batch };

describe.each(dedupeModes)('a batch that is named after the day, with dedupe %s', (dedupe) => {
  test('is carried on by the same command after midnight, and nobody is paid for two days', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(4);
    await enrolStaff(service, rows);
    const file = payroll.write('wages.csv', rows);
    expect((await payroll.run(file, { ...interruptedAfter(2), batch })).exit).toBe(5);

    const after = await payroll.run(file, tomorrow);

    expect(after).toMatchObject({ exit: 0, summary: { batch: dated(0) } });
    expect(after.planned?.drafted.batch.carriedOn).toBe(true);
    await expectPaidOnce(service, rows);
  });

  test('is not carried on by another file, and what would repeat is refused', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, [...rows, employee(4)]);
    await payroll.run(payroll.write('wages.csv', rows), { ...interruptedAfter(1), batch });

    const other = await payroll.run(payroll.write('wages.csv', [...rows, employee(4)]), tomorrow);

    expect(other).toMatchObject({ exit: 6, code: 'repeats' });
    expect(other.planned?.plan.batch).toBe(dated(1));
    expect(await service.payouts()).toHaveLength(1);
    expect(await service.books()).toEqual([]);
  });

  test('is a new one on the next day once the first is done, and then the repeats are refused', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, rows);
    const file = payroll.write('wages.csv', rows);
    expect((await payroll.run(file, { batch })).exit).toBe(0);

    expect(await payroll.run(file, tomorrow)).toMatchObject({ exit: 6, code: 'repeats' });
    expect((await payroll.run(file, { ...tomorrow, repeatWindowMs: dayMs / 2 })).exit).toBe(0);

    expect(payroll.statuses(dated(1))).toEqual(['P001 paid', 'P002 paid', 'P003 paid']);
    expect(await service.payouts()).toHaveLength(6);
    expect(await service.books()).toEqual([]);
  });

  test('takes the date of the configured time zone', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(1);
    await enrolStaff(service, rows);
    const file = payroll.write('wages.csv', rows);
    // Fourteen hours ahead and eleven behind: at any moment at least one of the two has another date than UTC.
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const planned = await payroll.run(file, {
        batch,
        timeZone: () => timeZone,
        confirm: async () => false,
      });
      expect(planned.planned?.plan.batch).toBe(dated(0, timeZone));
    }
    expect(await service.payouts()).toEqual([]);
  });
});
