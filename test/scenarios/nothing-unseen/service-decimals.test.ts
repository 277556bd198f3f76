import { describe, expect, test } from 'vitest';
import { employee, enrolStaff, openPayroll, staff } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { type Interference, type SeenCall, watchService } from '../../support/watched-service.ts';

const isCountries = ({ path }: SeenCall) => path === '/utilities/countries';

/** The list of countries, with other decimals of the Kenyan shilling. */
const shillingsOf = (decimal: unknown): Interference => ({
  kind: 'change',
  reply: (text) => {
    const reply = JSON.parse(text) as { data: { iso2: string; currency: object }[] };
    const data = reply.data.map((each) =>
      each.iso2 === 'KE' ? { ...each, currency: { ...each.currency, decimal } } : each,
    );
    return JSON.stringify({ ...reply, data });
  },
});

async function payrollOf(rows = [employee(1, { amount: '64.95' }), employee(2)]) {
  const service = await watchService(await startPayrollService());
  const payroll = openPayroll(service);
  await enrolStaff(service, rows);
  return { service, payroll, file: payroll.write('november.csv', rows) };
}

describe('decimals that the service takes', () => {
  test.each(['0', 0, '1'])(
    'fewer than the currency has (%o) are asked for before anything is sent',
    async (decimal) => {
      const { service, payroll, file } = await payrollOf();
      service.interfere((call) => (isCountries(call) ? shillingsOf(decimal) : undefined));

      const plan = await payroll.command(['plan', file]);
      const ran = await payroll.command(['run', file, '--yes', '--max-total', 'KES=5000']);

      for (const { exit, stdout, stderr } of [plan, ran]) {
        expect(exit).toBe(65);
        expect(stdout + stderr).toMatch(/amount-decimals|takes? (no decimals|only 1 decimal)/);
      }
      expect(service.payoutCalls()).toEqual([]);
      expect(service.calls.filter(isCountries)).toHaveLength(2);
    },
  );

  test('leave whole amounts alone, and with --skip-invalid pay these only', async () => {
    const { service, payroll, file } = await payrollOf();
    service.interfere((call) => (isCountries(call) ? shillingsOf('0') : undefined));

    const ran = await payroll.run(file, { policy: { skipInvalid: true } });

    expect(ran.exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 invalid', 'P002 paid']);
    expect(payroll.results('november')[0]).toMatchObject({ payrun_code: 'amount-decimals' });
    expect(service.calls.filter(isCountries)).toHaveLength(1);
    expect(service.payoutCalls()).toHaveLength(1);
  });

  test('say nothing of what was sent before: the same file again is no problem', async () => {
    const { service, payroll, file } = await payrollOf();
    expect((await payroll.run(file)).exit).toBe(0);
    service.interfere((call) => (isCountries(call) ? shillingsOf('0') : undefined));
    expect((await payroll.run(file)).exit).toBe(0);
    expect(service.payoutCalls()).toHaveLength(2);
  });

  test.each(['2', '3', '', 'many', null])(
    'shown as %o allow no more and no less than the currency has',
    async (decimal) => {
      const { service, payroll, file } = await payrollOf();
      service.interfere((call) => (isCountries(call) ? shillingsOf(decimal) : undefined));
      expect((await payroll.run(file)).exit).toBe(0);
      expect(service.payoutCalls()).toHaveLength(2);
    },
  );

  test('that cannot be asked for stop the run before anything is sent: 69', async () => {
    const { service, payroll, file } = await payrollOf(staff(2));
    service.interfere((call) =>
      isCountries(call)
        ? { kind: 'answer', status: 503, body: { success: false, error: 'down' } }
        : undefined,
    );
    const ran = await payroll.run(file);
    expect([ran.exit, ran.code]).toEqual([69, 'service-unreachable']);
    expect(service.payoutCalls()).toEqual([]);
  });
});
