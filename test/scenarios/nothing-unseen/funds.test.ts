import { describe, expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import {
  type Cells,
  employee,
  enrolStaff,
  interruptedAfter,
  openPayroll,
  staff,
} from '../../support/pay-run.ts';
import { dedupeModesOf, type PayrollService, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

describe.each(dedupeModes)('a wallet that does not hold enough, with dedupe %s', (dedupe) => {
  test('stops the whole file before anything is sent, and the missing amount is said', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, rows);
    await leave(service, 'KES', '65000000', '3000.00');
    const file = payroll.write('november.csv', rows);

    const refused = await payroll.run(file);
    expect(refused).toMatchObject({ exit: 6, code: 'funds' });
    expect(refused.message).toContain('holds KES 3,000.00');
    expect(refused.message).toContain('need KES 3,006.00');
    expect(refused.message).toContain('KES 6.00 are missing');
    expect(await service.payouts()).toEqual([]);

    await service.control('POST', 'funds', { currency: 'KES', amount: '6.00' });
    expect((await payroll.run(file, { reserves: new Map([['KES', 100n]]) })).message).toContain(
      'KES 1.00 are missing',
    );
    expect((await payroll.run(file)).exit).toBe(0);
    await expectPaidOnce(service, rows);
  });

  test('is held against what is left to send, not against what is paid already', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(4);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    await leave(service, 'KES', '65000000', '4010.00');
    await payroll.run(file, interruptedAfter(2));

    expect((await payroll.run(file)).exit).toBe(0);
    await expectPaidOnce(service, rows);
  });

  test('is the wallet that is debited: an estimate in its own currency', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows: Cells[] = [employee(1, { amount: '1300000.00', debitCurrency: 'USD', debitCountry: 'KE' })];
    await enrolStaff(service, rows);
    await leave(service, 'USD', '500000', '100.00', 'KE');

    const refused = await payroll.run(payroll.write('november.csv', rows));

    expect(refused).toMatchObject({ exit: 6, code: 'funds' });
    expect(refused.message).toMatch(/USD:KE wallet holds USD 100\.00; these payments need about USD [\d,.]+/);
    expect(await service.payouts()).toEqual([]);
  });
});

/** Takes money out of a wallet until just so much is left. */
async function leave(
  service: PayrollService,
  currency: string,
  opening: string,
  left: string,
  country?: string,
) {
  const out = (Number(left) - Number(opening)).toFixed(2);
  await service.control('POST', 'funds', { currency, amount: out, ...(country ? { country } : {}) });
}
