import { describe, expect, test } from 'vitest';
import {
  employee,
  enrolStaff,
  interruptedAfter,
  openPayroll,
  phoneOf,
  staff,
} from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

describe.each(dedupeModes)('a row that is edited before it was sent, with dedupe %s', (dedupe) => {
  test('is paid once, as it stands now, under the reference it had', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(5);
    await enrolStaff(service, rows);
    const first = await payroll.run(payroll.write('november.csv', rows), interruptedAfter(2));
    expect(first.exit).toBe(5);
    const before = payroll.results('november').map((row) => row['payrun_reference']);

    const edited = [...rows.slice(0, 2), employee(3, { amount: '4500.00' }), ...rows.slice(3)];
    const second = await payroll.run(payroll.write('november.csv', edited));

    expect(second.exit).toBe(0);
    expect(second.planned?.plan.fates).toMatchObject({ replaced: 1, 'carries-on': 4, new: 0 });
    expect(payroll.results('november').map((row) => row['payrun_reference'])).toEqual(before);
    expect(payroll.results('november').map((row) => row['amount'])).toContain('4500.00');
    expect((await service.payouts()).map((payout) => payout.reference).sort()).toEqual([...before].sort());
    expect(await service.sums()).toEqual(edited.map((row) => `${row['phoneNumber']} ${row['amount']}`));
    expect(await service.books()).toEqual([]);
  });

  test('starts over with another payee: its account and its name are looked at anew', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, rows);
    await payroll.run(payroll.write('november.csv', rows), interruptedAfter(0));

    const elsewhere = employee(2, { phoneNumber: phoneOf(52) });
    await service.enrol([{ number: phoneOf(52), name: 'Somebody Quite Different' }]);
    const edited = [employee(1), elsewhere, employee(3)];
    const held = await payroll.run(payroll.write('november.csv', edited));
    expect(held.exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 held', 'P003 paid']);

    const corrected = [employee(1), { ...elsewhere, accountName: 'Somebody Quite Different' }, employee(3)];
    expect((await payroll.run(payroll.write('november.csv', corrected))).exit).toBe(0);

    expect(await service.sums()).toEqual([
      `${phoneOf(1)} 1001.00`,
      `${phoneOf(3)} 1003.00`,
      `${phoneOf(52)} 1002.00`,
    ]);
    expect(await service.books()).toEqual([]);
  });

  test('is looked up before it is sent, in case an older journal is speaking', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(4);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    await payroll.run(file, interruptedAfter(3));
    const oldJournal = await payroll.store.copy();
    expect((await payroll.run(file)).exit).toBe(0);
    await payroll.store.restore(oldJournal);

    const edited = [...rows.slice(0, 3), employee(4, { amount: '9999.00' })];
    const again = await payroll.run(payroll.write('november.csv', edited));

    expect(again.exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 paid', 'P003 paid', 'P004 held']);
    expect(payroll.results('november')[3]?.['payrun_reason']).toContain('1004');
    expect(await service.sums()).toEqual(rows.map((row) => `${row['phoneNumber']} ${row['amount']}`));
    expect(await service.books()).toEqual([]);
  });
});
