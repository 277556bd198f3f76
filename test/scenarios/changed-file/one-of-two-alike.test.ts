import { describe, expect, test } from 'vitest';
import { employee, enrolStaff, openPayroll, phoneOf } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';

const skipInvalid = { policy: { skipInvalid: true } };

describe('two rows with one id', () => {
  test('are one payment once the other is deleted from the retry file, as the person was told', async () => {
    const service = await startPayrollService();
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1), employee(2)]);
    const rows = [employee(1), employee(2), employee(2)];
    const first = await payroll.run(payroll.write('november.csv', rows), skipInvalid);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 invalid', 'P002 invalid']);

    const both = payroll.read(first.summary?.retryPath ?? '');
    const unchanged = await payroll.run(payroll.write('both.csv', both), skipInvalid);
    expect(unchanged.summary?.sends ?? 0).toBe(0);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 invalid', 'P002 invalid']);

    const one = await payroll.run(payroll.write('one.csv', both.slice(0, 1)), skipInvalid);
    expect(one.problems.filter(({ blocking }) => blocking)).toEqual([]);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 paid', 'P002 invalid']);

    // The other one names a payment that is paid.
    await payroll.run(payroll.write('other.csv', both.slice(1)), skipInvalid);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(2)} 1002.00`]);
    expect(await service.books()).toEqual([]);
  });
});
