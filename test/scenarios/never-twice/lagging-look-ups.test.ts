import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { expectNothingTwice, expectPaidOnce } from '../../support/paid-once.ts';
import { enrolStaff, openPayroll, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { isPayout, type WatchedService, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

describe.each(dedupeModes)('Look-ups that lag behind, dedupe %s', (dedupe) => {
  test('make the quiet period twice as long as the lag that was seen: what shows late is not sent again', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(12);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    await service.faults('lookup-lag=1s');
    // From the second payout on the service lags more than the quiet period that was asked for.
    let slower: Promise<void> | undefined;
    service.interfere((call) => {
      const place = isPayout(call) ? service.payoutCalls().indexOf(call) + 1 : 0;
      if (place === 2) slower = service.faults('lookup-lag=1600ms');
      return [4, 7, 9].includes(place) ? { kind: 'lose-reply' } : undefined;
    });

    const ran = await payroll.run(file, {
      clock: systemClock,
      settings: { timeoutMs: 600, quietPeriodMs: 1_200, resends: 5 },
    });

    await slower;
    expect(ran.exit).toBe(0);
    expect(service.payoutCalls()).toHaveLength(12);
    await expectPaidOnce(service, rows);
  });

  test('longer than any quiet period: nothing is sent again, and a later run finds all of it', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(12);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    await service.faults('lookup-lag=1h');
    loseRepliesOf([4, 7, 9], service);
    const settings = { timeoutMs: 2_000, quietPeriodMs: 1_000, settleForMs: 300 };

    for (let run = 1; run <= 2; run += 1) {
      const ran = await payroll.run(file, { clock: systemClock, settings });
      expect(ran.exit).toBe(4);
      expect(ran.summary?.statuses).toMatchObject({ pending: 9, unknown: 3 });
      expect(await expectNothingTwice(service, rows)).toHaveLength(12);
    }

    await service.faults('');
    const ran = await payroll.run(file);
    expect(ran.exit).toBe(0);
    expect(service.payoutCalls()).toHaveLength(12);
    await expectPaidOnce(service, rows);
  });
});

function loseRepliesOf(places: readonly number[], service: WatchedService): void {
  service.interfere((call) =>
    isPayout(call) && places.includes(service.payoutCalls().indexOf(call) + 1)
      ? { kind: 'lose-reply' }
      : undefined,
  );
}
