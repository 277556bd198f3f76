import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { expectPaidOnce, expectResultsAgree } from '../../support/paid-once.ts';
import { enrolStaff, openPayroll, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { isPayout, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

describe.each(dedupeModes)('A service that is down, dedupe %s', (dedupe) => {
  test('from the start: nothing is sent (69); once it is up, the same command pays every row', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(10);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    service.interfere(() => ({ kind: 'lose-request' }));

    const down = await payroll.run(file);
    expect(down.exit).toBe(69);
    expect(down.message).toContain('Nothing was sent');
    expect(await service.payouts()).toEqual([]);

    service.interfere();
    const up = await payroll.run(file);
    expect(up.exit).toBe(0);
    await expectPaidOnce(service, rows);
  });

  test('in mid-run: it stops after a bounded number of calls (5); once it is up, the rest is paid', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(60);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    // After the tenth payout nothing gets through any more, in either direction.
    let isDown = false;
    service.interfere((call) => {
      if (isPayout(call) && service.payoutCalls().length > 10) isDown = true;
      return isDown ? { kind: 'lose-request' } : undefined;
    });

    // What is lost here is lost by its connection: no time-out has to be met, and a busy machine meets none.
    const settings = { timeoutMs: 1_500, settleForMs: 30_000 };
    const down = await payroll.run(file, { clock: systemClock, settings });
    expect(down.exit).toBe(5);
    expect(down.summary?.stopped?.code).toBe('service-down');
    expect(service.payoutCalls().length).toBeLessThan(40);
    const said = payroll.results('november').map((row) => row['payrun_status']);
    expect(said.slice(0, 10)).toEqual(Array(10).fill('pending'));
    expect(new Set(said.slice(10))).toEqual(new Set(['unknown', 'not_sent']));

    service.interfere();
    const up = await payroll.run(file, { clock: systemClock, settings });
    expect(up.exit).toBe(0);
    await expectResultsAgree(service, payroll.results('november'));
    await expectPaidOnce(service, rows);
  });

  test('and answers 503 to everything: nothing is called failed, and the same command pays the rest', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(40);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    const unavailable = { success: false, message: 'Service unavailable.', errorCode: 'E-GEN.S-50' };
    service.interfere((call) =>
      isPayout(call) && service.payoutCalls().length > 5
        ? { kind: 'answer', status: 503, body: unavailable }
        : undefined,
    );

    const patient = { clock: systemClock, settings: { timeoutMs: 5_000 } };
    const down = await payroll.run(file, patient);
    expect(down.exit).toBe(5);
    const said = payroll.results('november').map((row) => row['payrun_status']);
    expect(said.filter((status) => status === 'refused' || status === 'failed')).toEqual([]);

    service.interfere();
    const up = await payroll.run(file, patient);
    expect(up.exit).toBe(0);
    await expectPaidOnce(service, rows);
  });
});
