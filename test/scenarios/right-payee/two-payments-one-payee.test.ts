import { describe, expect, test } from 'vitest';
import { type Cells, employee, enrolStaff, openPayroll, phoneOf } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const salary = employee(1, { paymentId: 'salary-1', amount: '30000.00' });
const bonus = employee(1, { paymentId: 'bonus-1', amount: '5000.00' });
const transport = employee(1, { paymentId: 'transport-1', amount: '5000.00' });

describe.each(dedupeModes)('two payments to one payee, with dedupe %s', (dedupe) => {
  test('are both made where each has an id of its own, through one external account', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = [salary, bonus, transport];
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);

    const ran = await payroll.run(file);
    const again = await payroll.run(file);

    expect(ran.exit).toBe(0);
    expect(ran.problems.map(({ code }) => code)).toEqual(['same-payee-amount', 'same-payee-amount']);
    expect(again).toMatchObject({ exit: 0, summary: { sends: 0 } });
    expect(new Set(payroll.results('november').map((row) => row['payrun_account'])).size).toBe(1);
    expect((await service.caller.get('/external-accounts')).body.data).toHaveLength(1);
    const references = payroll.results('november').map((row) => row['payrun_reference']);
    expect((await service.payouts()).map(({ reference }) => reference).sort()).toEqual(references.sort());
    expect(await service.sums()).toEqual(
      ['30000.00', '5000.00', '5000.00'].map((amount) => `${phoneOf(1)} ${amount}`),
    );
    expect(await service.books()).toEqual([]);
  });

  test('stop the file where nothing tells them apart', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const withoutIds = (row: Cells): Cells =>
      Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'paymentId'));
    const rows = [salary, employee(2), bonus].map(withoutIds);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);

    const ran = await payroll.run(file);
    expect(ran.exit).toBe(65);
    const found = ran.problems.filter(({ blocking }) => blocking);
    expect(found.map(({ line, code }) => `${line} ${code}`)).toEqual([
      '2 duplicate-payee',
      '4 duplicate-payee',
    ]);
    expect(found[0]?.message).toContain('add a paymentId column');
    expect(await service.payouts()).toEqual([]);

    // All lines of a duplicate are left out, never all but one.
    expect((await payroll.run(file, { policy: { skipInvalid: true } })).exit).toBe(3);
    expect(await service.sums()).toEqual([`${phoneOf(2)} 1002.00`]);
    expect(await service.books()).toEqual([]);
  });

  test('stop the file where two share an id, or one has none', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = [salary, { ...bonus, paymentId: 'salary-1' }, employee(3, { paymentId: '' })];
    await enrolStaff(service, rows);

    const ran = await payroll.run(payroll.write('november.csv', rows));

    expect(ran.exit).toBe(65);
    const blocking = ran.problems.filter((problem) => problem.blocking).map(({ line }) => line);
    expect(blocking.sort()).toEqual([2, 3, 4]);
    expect(await service.payouts()).toEqual([]);
  });
});
