import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { expectPaidOnce, expectResultsAgree } from '../../support/paid-once.ts';
import { enrolStaff, openPayroll, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { isSent, stopAfter } from '../../support/stop-run.ts';
import { isLookUp, isPayout, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

/** What is lost here is lost by its connection: no time-out has to be met, and a busy machine meets none. */
const timeoutMs = 1_500;

describe.each(dedupeModes)('A journal restored from an old copy, dedupe %s', (dedupe) => {
  test('makes nobody paid twice: what was sent since the copy is found, and nothing is sent', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(20);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    await payroll.run(file, stopAfter(4, isSent));
    const copy = await payroll.store.copy();
    expect(service.payoutCalls().length).toBeLessThan(20);
    expect(await payroll.run(file)).toMatchObject({ exit: 0 });
    expect(service.payoutCalls()).toHaveLength(20);
    await payroll.store.restore(copy);

    const ran = await payroll.run(file, { clock: systemClock });

    expect(ran.exit).toBe(0);
    expect(ran.summary?.sends).toBe(0);
    expect(service.payoutCalls()).toHaveLength(20);
    await expectResultsAgree(service, payroll.results('november'));
    await expectPaidOnce(service, rows);
  });

  test('has every payout looked up just before its send as well: what a lagging list showed late is found', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(6);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    const settings = { concurrency: 1 };
    await payroll.run(file, { settings, ...stopAfter(5, isSent) });
    const copy = await payroll.store.copy();
    expect(service.payoutCalls()).toHaveLength(5);
    await payroll.run(file, { settings });
    const last = service.payoutCalls()[5]?.reference;
    await payroll.store.restore(copy);
    let asked = 0;
    service.interfere((call) => {
      if (!isLookUp(call) || call.reference !== last) return undefined;
      asked += 1;
      const empty = (text: string) => JSON.stringify({ ...JSON.parse(text), data: [] });
      return asked === 1 ? { kind: 'change', reply: empty } : undefined;
    });

    const ran = await payroll.run(file, { settings });

    expect(ran).toMatchObject({ exit: 0, summary: { sends: 0 } });
    expect(asked).toBeGreaterThan(1);
    await expectPaidOnce(service, rows);
  });

  test('while payouts sent since are still on their way: they land first, then the rest is sent', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(24);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    await payroll.run(file, { settings: { timeoutMs }, ...stopAfter(4, isSent) });
    const copy = await payroll.store.copy();
    const before = service.payoutCalls().length;
    // Of those sent after the copy, the last ones take their time.
    service.interfere((call) =>
      isPayout(call) && service.payoutCalls().indexOf(call) >= before + 3
        ? { kind: 'land-later', byMs: 2_500 }
        : undefined,
    );
    await payroll.run(file, { clock: systemClock, settings: { timeoutMs }, ...stopAfter(3, isSent) });
    expect(service.payoutCalls().length).toBeLessThan(24);
    await payroll.store.restore(copy);
    service.interfere();

    const ran = await payroll.run(file, {
      clock: systemClock,
      settings: { timeoutMs, quietPeriodMs: 3_500 },
    });

    expect(ran.exit).toBe(0);
    await service.landed();
    await expectPaidOnce(service, rows);
  });
});
