import { describe, expect, test } from 'vitest';
import { type Cells, employee, enrolStaff, openPayroll, phoneOf } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';

/** The row of an employee with its amount under another header. */
function under(header: string, number: number, changes: Cells = {}): Cells {
  const { amount = '', ...row } = employee(number, changes);
  return { ...row, [header]: amount };
}

const dollars = { currency: 'USD' };

describe('a header that names the currency of the amounts', () => {
  test.each(['Amount (KES)', 'Amount KES', 'KES Amount', 'Net Pay in Ksh', 'Amount (Shs)'])(
    '%s stops rows of another currency, and nothing is sent',
    async (header) => {
      const service = await startPayrollService();
      const payroll = openPayroll(service);
      const rows = [under(header, 1), under(header, 2, dollars)];
      await enrolStaff(service, rows);

      const ran = await payroll.run(payroll.write('november.csv', rows));

      expect(ran.exit).toBe(65);
      const blocking = ran.problems.filter((problem) => problem.blocking);
      expect(blocking.map(({ line, column, code }) => ({ line, column, code }))).toEqual([
        { line: 3, column: header, code: 'amount-currency-conflict' },
      ]);
      expect(await service.payouts()).toEqual([]);
    },
  );

  test('stops a --default of another currency, and a column that --map makes the amount', async () => {
    const service = await startPayrollService();
    const payroll = openPayroll(service);
    const { currency: _, ...row } = under('Amount (KES)', 1);
    const mapped = under('Take-home (KES)', 1, dollars);

    for (const [file, flags] of [
      [[row], { defaults: ['currency=USD'] }],
      [[mapped], { map: ['Take-home (KES)=amount'] }],
    ] as const) {
      const ran = await payroll.run(payroll.write('november.csv', file), flags);
      expect(ran.exit).toBe(65);
      expect(ran.problems.filter(({ blocking }) => blocking).map(({ code }) => code)).toEqual([
        'amount-currency-conflict',
      ]);
    }
    expect(await service.payouts()).toEqual([]);
  });

  test.each(['Amount (KES)', 'Amount (Shs)', 'Amount (required)', 'Take-home pay (net)'])(
    '%s lets rows of its own currency be paid',
    async (header) => {
      const service = await startPayrollService();
      const payroll = openPayroll(service);
      const rows = [under(header, 1)];
      await enrolStaff(service, rows);

      const ran = await payroll.run(payroll.write('november.csv', rows), { map: [`${header}=amount`] });

      expect(ran.exit).toBe(0);
      expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
    },
  );
});
