import { describe, expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { employee, enrolStaff, openPayroll, phoneOf } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { type Interference, isLookUp, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const failing = employee(2, { phoneNumber: phoneOf(2, '99001') });
const refused = employee(2, { phoneNumber: phoneOf(2, '99005') });

/** A service that has thought better of it. */
const paidAfterAll: Interference = {
  kind: 'change',
  reply: (text) => text.replaceAll(/"failed"/gi, '"successful"'),
};

describe.each(dedupeModes)('a row that is corrected, with dedupe %s', (dedupe) => {
  test('is a new attempt after a failure, and the failed one is looked up again before it goes out', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1), employee(2), failing]);
    expect((await payroll.run(payroll.write('november.csv', [employee(1), failing]))).exit).toBe(3);
    const [, before] = payroll.results('november');
    expect(before).toMatchObject({ payrun_status: 'failed', payrun_attempt: '1' });
    const callsBefore = service.calls.length;

    expect((await payroll.run(payroll.write('november.csv', [employee(1), employee(2)]))).exit).toBe(0);

    const [, after] = payroll.results('november');
    expect(after).toMatchObject({ payrun_status: 'paid', payrun_attempt: '2' });
    expect(after?.['payrun_reference']).not.toBe(before?.['payrun_reference']);
    const later = service.calls.slice(callsBefore);
    const asked = later.findIndex(
      (call) => isLookUp(call) && call.reference === before?.['payrun_reference'],
    );
    const sent = later.findIndex((call) => call.path === '/fiat/payout');
    expect(asked).toBeGreaterThanOrEqual(0);
    expect(asked).toBeLessThan(sent);
    expect(await service.sums('FAILED')).toEqual([`${phoneOf(2, '99001')} 1002.00`]);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(2)} 1002.00`]);
    expect(await service.payouts()).toHaveLength(3);
    expect(await service.books()).toEqual([]);
  });

  test('is held, and nothing is sent, where the attempt that had failed has been paid after all', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1), employee(2), failing]);
    await payroll.run(payroll.write('november.csv', [employee(1), failing]));
    service.interfere(({ path }) => (path.startsWith('/transactions') ? paidAfterAll : undefined));

    const second = await payroll.run(payroll.write('november.csv', [employee(1), employee(2)]));

    expect(second.exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 held']);
    const [, late] = await service.payouts();
    expect(payroll.results('november')[1]?.['payrun_reason']).toMatch(/attempt 1.* is not failed any more/);
    expect(payroll.results('november')[1]?.['payrun_reason']).toContain(late?.transactionId);
    expect((await service.payouts()).map(({ number }) => number)).toEqual([phoneOf(1), phoneOf(2, '99001')]);
    expect(await service.books()).toEqual([]);
  });

  test('asks for every earlier attempt, not the last alone', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const failingAgain = employee(2, { phoneNumber: phoneOf(3, '99001') });
    await enrolStaff(service, [employee(2), failing, failingAgain]);
    await payroll.run(payroll.write('november.csv', [failing]));
    const [first] = await service.payouts();
    await payroll.run(payroll.write('november.csv', [failingAgain]));
    expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'failed', payrun_attempt: '2' });
    const firstId = first?.transactionId ?? '';
    service.interfere(({ path }) => (path.includes(firstId) ? paidAfterAll : undefined));

    await payroll.run(payroll.write('november.csv', [employee(2)]));

    expect(payroll.statuses('november')).toEqual(['P002 held']);
    expect(payroll.results('november')[0]?.['payrun_reason']).toContain('attempt 1');
    expect(await service.payouts()).toHaveLength(2);
    expect(await service.sums()).toEqual([]);
  });

  test('keeps its reference after a refusal: the service never took anything under it', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1), employee(2), refused]);
    expect((await payroll.run(payroll.write('november.csv', [employee(1), refused]))).exit).toBe(3);
    const [, before] = payroll.results('november');
    expect(before).toMatchObject({ payrun_status: 'refused', payrun_attempt: '1' });

    const rows = [employee(1), employee(2)];
    expect((await payroll.run(payroll.write('november.csv', rows))).exit).toBe(0);

    const [, after] = payroll.results('november');
    expect(after).toMatchObject({ payrun_status: 'paid', payrun_attempt: '1' });
    expect(after?.['payrun_reference']).toBe(before?.['payrun_reference']);
    await expectPaidOnce(service, rows);
  });

  test('that is not corrected at all stays what it is: the same file again sends nothing', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const alsoRefused = employee(3, { phoneNumber: phoneOf(3, '99005') });
    const rows = [employee(1), failing, alsoRefused];
    await enrolStaff(service, rows);
    await payroll.run(payroll.write('november.csv', rows));

    const again = await payroll.run(payroll.write('november.csv', rows));

    expect(again.exit).toBe(3);
    expect(again.summary?.sends).toBe(0);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 failed', 'P003 refused']);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
    expect(await service.payouts()).toHaveLength(2);
    expect(await service.books()).toEqual([]);
  });
});
