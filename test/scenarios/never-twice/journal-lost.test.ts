import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { release } from '../../../src/decisions/release.ts';
import { expectPaidOnce, expectResultsAgree } from '../../support/paid-once.ts';
import { employee, enrolStaff, hastyClock, openPayroll, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { isAccepted, stopAfter } from '../../support/stop-run.ts';
import { isPayout, type WatchedService, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const lateByMs = 2_500;
const forgotten = { kind: 'alarm', message: expect.stringContaining('it has forgotten') };

describe.each(dedupeModes)('A journal that was lost between two runs, dedupe %s', (dedupe) => {
  test('makes nobody paid twice: the second run finds what the service holds, and sends nothing', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(20);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    expect(await payroll.run(file)).toMatchObject({ exit: 0 });
    const sent = service.payoutCalls().length;
    await payroll.store.forget();

    const ran = await payroll.run(file, { clock: systemClock });

    expect(ran.exit).toBe(0);
    expect(ran.events).toContainEqual(forgotten);
    expect(ran.summary?.sends).toBe(0);
    expect(service.payoutCalls()).toHaveLength(sent);
    await expectResultsAgree(service, payroll.results('november'));
    await expectPaidOnce(service, rows);
  });

  test('a month ago: the name takes no new file, and what was paid then is not called paid now', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, rows);
    expect((await payroll.run(payroll.write('wages.csv', rows.slice(0, 2)))).exit).toBe(0);
    const paidOn = payroll.results('wages')[0]?.['payrun_paid_on'];
    await payroll.store.forget();
    const file = payroll.write('wages.csv', rows);
    const month = { clock: hastyClock({ shiftMs: 30 * 24 * 60 * 60 * 1000 }) };

    const refused = await payroll.run(file, month);
    expect(refused).toMatchObject({ exit: 6, code: 'old-batch' });
    expect(refused.message).toContain('2 of 3 rows');
    expect(await service.payouts()).toHaveLength(2);

    const meant = await payroll.run(file, { ...month, sameBatch: true });
    expect(meant.exit).toBe(0);
    expect(meant.summary?.totals['KES']).toMatchObject({ paidNowMinor: 100_300n, paidBeforeMinor: 200_300n });
    expect(payroll.results('wages').map((row) => row['payrun_paid_on'] === paidOn)).toEqual([
      true,
      true,
      false,
    ]);
    await expectPaidOnce(service, rows);
  });

  test('a month ago, and taken up again: it is as old as what was found, and its name takes no new file', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, rows);
    const file = payroll.write('wages.csv', rows.slice(0, 2));
    expect((await payroll.run(file)).exit).toBe(0);
    await payroll.store.forget();
    const month = { clock: hastyClock({ shiftMs: 30 * 24 * 60 * 60 * 1000 }) };
    expect(await payroll.run(file, { ...month, sameBatch: true })).toMatchObject({
      exit: 0,
      summary: { sends: 0 },
    });

    const refused = await payroll.run(payroll.write('wages.csv', rows), month);

    expect(refused).toMatchObject({ exit: 6, code: 'old-batch' });
    expect(refused.message).toContain('2 of these 3 rows were paid then, 1 is new');
    await expectPaidOnce(service, rows.slice(0, 2));
  });

  test('and then a changed amount: what stands under its reference keeps even a released payout from being sent', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1)]);
    expect((await payroll.run(payroll.write('november.csv', [employee(1)]))).exit).toBe(0);
    await payroll.store.forget();
    const raised = payroll.write('november.csv', [employee(1, { amount: '1100.00' })]);
    expect((await payroll.run(raised)).exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 held']);
    const released = await payroll.decide('november', (run) => ({
      choice: { kind: 'named', ids: ['P001'] },
      rule: (payout) => release(payout, 'named', run, 'the raise is due'),
      repeats: undefined,
    }));
    expect(released.moved).toBe(1);

    expect((await payroll.resume('november')).exit).toBe(3);

    const [row] = payroll.results('november');
    expect(row).toMatchObject({ payrun_status: 'held' });
    expect(row?.['payrun_reason']).toContain('another transaction stands under its reference');
    expect(service.payoutCalls()).toHaveLength(1);
    await expectPaidOnce(service, [employee(1)]);
  });

  test('while payouts were on their way: those that land within the quiet period are found, the rest is sent', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(20);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    // By the arrival of a call: what is lost ends at once, and all could be begun while one acceptance is slow.
    const stop = new AbortController();
    landLaterFrom(7, service, () => stop.abort());
    await payroll.run(file, { clock: systemClock, settings: { concurrency: 4 }, signal: stop.signal });
    const begun = service.payoutCalls().length;
    expect(begun).toBeGreaterThan(6);
    expect(begun).toBeLessThan(20);
    await payroll.store.forget();
    service.interfere();

    const ran = await payroll.run(file, {
      clock: systemClock,
      settings: { quietPeriodMs: lateByMs + 1_000 },
    });

    expect(ran.events).toContainEqual(forgotten);
    expect(ran.exit).toBe(0);
    expect(ran.summary?.sends).toBe(20 - begun);
    await service.landed();
    await expectPaidOnce(service, rows);
  });

  test('and a second run that was interrupted too: the third waits for what is on its way as the second would have', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(20);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    landLaterFrom(7, service);
    await payroll.run(file, { clock: systemClock, ...stopAfter(6, isAccepted) });
    await payroll.store.forget();
    service.interfere();
    const settings = { quietPeriodMs: lateByMs + 1_000 };
    const interrupted = stopAfter(1, (event) => event.kind === 'alarm');
    await payroll.run(file, { clock: systemClock, settings, ...interrupted });
    expect(interrupted.signal.aborted).toBe(true);

    const ran = await payroll.run(file, { clock: systemClock, settings });

    expect(ran.exit).toBe(0);
    await service.landed();
    await expectPaidOnce(service, rows);
  });
});

function landLaterFrom(place: number, service: WatchedService, onFirst = () => {}): void {
  service.interfere((call) => {
    if (!isPayout(call) || service.payoutCalls().indexOf(call) + 1 < place) return undefined;
    onFirst();
    return { kind: 'land-later', byMs: lateByMs };
  });
}
