import { describe, expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { type Cells, employee, enrolStaff, openPayroll, phoneOf, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

describe.each(dedupeModes)('a row that is edited after it was sent, with dedupe %s', (dedupe) => {
  test('stops the file, shows both values, and nothing at all is sent', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, [...rows, employee(4)]);
    await payroll.run(payroll.write('november.csv', rows));

    const edited = [employee(1), employee(2, { amount: '5000.00' }), employee(3), employee(4)];
    const named = edited.map(({ amount = '', ...row }) => ({ ...row, 'Net Pay': amount }));
    const again = await payroll.run(payroll.write('november.csv', named));

    expect(again.exit).toBe(65);
    const [problem] = again.problems.filter((each) => each.blocking);
    expect(problem).toMatchObject({ line: 3, code: 'row-conflict', value: 'P002', column: 'Net Pay' });
    expect(problem?.message).toContain('1,002.00');
    expect(problem?.message).toContain('5,000.00');
    await expectPaidOnce(service, rows);
  });

  test('keeps its payout as it is under --skip-invalid, and the results say both', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, [...rows, employee(4)]);
    await payroll.run(payroll.write('november.csv', rows));

    const edited = [employee(1), employee(2, { amount: '5000.00' }), employee(3), employee(4)];
    const again = await payroll.run(payroll.write('november.csv', edited), { policy: { skipInvalid: true } });

    expect(again.exit).toBe(3);
    const [, second] = payroll.results('november');
    expect(second).toMatchObject({ amount: '5000.00', payrun_status: 'paid', payrun_paid: '1002.00' });
    expect(second?.['payrun_reason']).toContain('1,002.00');
    expect(second?.['payrun_reason']).toContain('5,000.00');
    await expectPaidOnce(service, staff(4));
  });

  test('is not paid to another number either, nor while its fate is still open', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const stuck = employee(2, { phoneNumber: phoneOf(2, '99002') });
    const rows = [employee(1), stuck];
    await enrolStaff(service, rows);
    const first = await payroll.run(payroll.write('november.csv', rows), { settings: { settleForMs: 300 } });
    expect(first.exit).toBe(4);

    await service.enrol([{ number: phoneOf(7), name: stuck['accountName'] ?? '' }]);
    const edited = [employee(1), { ...stuck, phoneNumber: phoneOf(7) }];
    const again = await payroll.run(payroll.write('november.csv', edited));

    expect(again.exit).toBe(65);
    expect(again.problems.map((each) => each.code)).toContain('row-conflict');
    const seen = (await service.payouts()).map(({ number, status }) => `${number} ${status}`);
    expect(seen).toEqual([`${phoneOf(1)} SUCCESSFUL`, `${phoneOf(2, '99002')} PENDING`]);
    expect(await service.books()).toEqual([]);
  });

  test('may carry another name or narration: that is a warning, and nothing is sent', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows: Cells[] = staff(2).map((row) => ({ ...row, narration: 'November' }));
    await enrolStaff(service, rows);
    await payroll.run(payroll.write('november.csv', rows));

    const edited = rows.map((row) => ({
      ...row,
      accountName: `Mrs ${row['accountName']}`,
      narration: 'Salary',
    }));
    const again = await payroll.run(payroll.write('november.csv', edited));

    expect(again.exit).toBe(0);
    expect(again.problems.map(({ code, blocking }) => ({ code, blocking }))).toEqual([
      { code: 'row-renamed', blocking: false },
      { code: 'row-renamed', blocking: false },
    ]);
    expect(again.summary?.sends).toBe(0);
    await expectPaidOnce(service, rows);
  });

  test('is held, not paid, where the journal has been lost and only the service knows', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, rows);
    await payroll.run(payroll.write('november.csv', rows));
    await payroll.store.forget();

    const edited = payroll.write('november.csv', [
      employee(1),
      employee(2, { amount: '5000.00' }),
      employee(3),
    ]);
    expect((await payroll.run(edited)).exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 held', 'P003 paid']);
    expect(payroll.results('november')[1]?.['payrun_reason']).toContain('1002');

    // Edited once more, it starts over: and must still not be sent beside what the service holds.
    const anew = payroll.write('november.csv', [
      employee(1),
      employee(2, { amount: '6000.00' }),
      employee(3),
    ]);
    expect((await payroll.run(anew)).exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 held', 'P003 paid']);

    // As it was, it is found to have been paid.
    expect((await payroll.run(payroll.write('november.csv', rows))).exit).toBe(0);
    await expectPaidOnce(service, rows);
  });
});
