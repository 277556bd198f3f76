import { describe, expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { type Cells, employee, enrolStaff, openPayroll, staff } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';

const skipInvalid = { policy: { skipInvalid: true } };
const broken = employee(2, { phoneNumber: '12345' });

describe('an invalid row', () => {
  test('stays in the results when a later file has another payment on its line', async () => {
    const service = await startPayrollService();
    const payroll = openPayroll(service);
    await enrolStaff(service, staff(3));
    await payroll.run(payroll.write('november.csv', [employee(1), broken]), skipInvalid);

    const second = await payroll.run(payroll.write('november.csv', [employee(1), employee(3)]), skipInvalid);

    expect(second.exit).toBe(0);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 invalid', 'P003 paid']);
    const [, left] = payroll.results('november');
    expect(left).toMatchObject({ payrun_key: 'line:3', phoneNumber: '12345' });
    expect(left?.['payrun_reason']).toContain('The row is no longer in the file.');
    await expectPaidOnce(service, [employee(1), employee(3)]);
  });

  test('keeps its place when it is corrected, wherever its line is by then', async () => {
    const service = await startPayrollService();
    const payroll = openPayroll(service);
    await enrolStaff(service, staff(4));
    await payroll.run(payroll.write('november.csv', [employee(1), broken, employee(3)]), skipInvalid);
    const moved = [employee(1), employee(4), employee(3), employee(2)];

    expect((await payroll.run(payroll.write('november.csv', moved))).exit).toBe(0);

    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 paid', 'P003 paid', 'P004 paid']);
    await expectPaidOnce(service, staff(4));
  });

  test('is one row however often the same file comes, whether or not its payment can be read', async () => {
    const service = await startPayrollService();
    const payroll = openPayroll(service);
    const withoutId = ({ paymentId: _, ...cells }: Cells): Cells => cells;
    const files = [
      [employee(1), broken, employee(3, { amount: '-1' })],
      [employee(1), employee(2, { paymentId: '' }), employee(3, { paymentId: '' })],
      [employee(1), employee(4), employee(4)],
      [withoutId(employee(1)), withoutId(broken)],
    ];
    await enrolStaff(service, staff(4));
    for (const [index, rows] of files.entries()) {
      const file = payroll.write(`batch${index}.csv`, rows);
      const wishes = { ...skipInvalid, allowRepeats: 9 };
      await payroll.run(file, wishes);
      const first = payroll.results(`batch${index}`).map((row) => row['payrun_status']);
      await payroll.run(file, wishes);
      expect(payroll.results(`batch${index}`).map((row) => row['payrun_status'])).toEqual(first);
      expect(first).toHaveLength(rows.length);
    }
  });

  test('is told apart from another invalid row that had its line in an earlier file', async () => {
    const service = await startPayrollService();
    const payroll = openPayroll(service);
    await enrolStaff(service, staff(4));
    await payroll.run(payroll.write('november.csv', [employee(1), broken]), skipInvalid);
    const alsoBroken = employee(3, { phoneNumber: '67890' });
    await payroll.run(payroll.write('november.csv', [employee(1), alsoBroken]), skipInvalid);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 invalid', 'P003 invalid']);
    const retry = payroll.read(`${payroll.folder}/november.retry.csv`);
    expect(retry.map((row) => row['paymentId'])).toEqual(['P003']);

    const corrected = retry.map((row) => ({ ...row, phoneNumber: employee(3)['phoneNumber'] ?? '' }));
    expect((await payroll.run(payroll.write('november.retry.csv', corrected))).exit).toBe(0);

    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 invalid', 'P003 paid']);
    await expectPaidOnce(service, [employee(1), employee(3)]);
  });
});
