import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { expectNothingTwice, expectPaidOnce } from '../../support/paid-once.ts';
import { employee, enrolStaff, openPayroll, phoneOf, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { type Interference, isLookUp, isPayout, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

/** The service does it, and answers as if it had not. */
const doneYet = (status: 401 | 429): Interference => ({
  kind: 'change',
  status,
  reply: () => '{}',
  // Else the pause after a 429 alone would outlast the lag.
  headers: { 'retry-after': '0' },
});

const showsNothing: Interference = {
  kind: 'change',
  reply: (text) => JSON.stringify({ ...(JSON.parse(text) as object), data: [] }),
};

describe.each([401, 429] as const)('A payout that was carried out and answered with %s', (status) => {
  test.each(dedupeModes)(
    'is looked up no earlier than twice the delay that look-ups have, and found (dedupe %s)',
    async (dedupe) => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rows = staff(6);
      await enrolStaff(service, rows);
      await service.faults('lookup-lag=1600ms');
      service.interfere((call) =>
        isPayout(call) && [3, 4].includes(service.payoutCalls().indexOf(call) + 1)
          ? doneYet(status)
          : undefined,
      );

      const ran = await payroll.run(payroll.write('november.csv', rows), {
        clock: systemClock,
        settings: { timeoutMs: 5_000 },
      });

      expect(ran.exit).toBe(0);
      expect(service.payoutCalls()).toHaveLength(6);
      await expectPaidOnce(service, rows);
    },
  );

  test('where nothing was proven yet: it is looked up after a quiet period, and found', async () => {
    const service = await watchService(await startPayrollService('off'));
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1)]);
    await service.faults('lookup-lag=600ms');
    service.interfere((call) =>
      isPayout(call) && service.payoutCalls().length === 1 ? doneYet(status) : undefined,
    );

    const ran = await payroll.run(payroll.write('november.csv', [employee(1)]), {
      clock: systemClock,
      settings: { timeoutMs: 2_500 },
    });

    expect(ran.exit).toBe(0);
    expect(service.payoutCalls()).toHaveLength(1);
    await expectPaidOnce(service, [employee(1)]);
  });

  test('and paid twice all the same, because look-ups hid it for longer: that is said, and ends with 3', async () => {
    const service = await watchService(await startPayrollService('off'));
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1), employee(2)]);
    let reference: string | undefined;
    let sends = 0;
    service.interfere((call) => {
      if (isPayout(call) && (JSON.parse(call.body) as { amount: number }).amount === 1002) {
        reference = call.reference;
        sends += 1;
        return sends === 1 ? doneYet(status) : undefined;
      }
      return isLookUp(call) && call.reference === reference && sends === 1 ? showsNothing : undefined;
    });

    const ran = await payroll.run(payroll.write('november.csv', staff(2)), {
      settings: { timeoutMs: 5_000 },
    });

    expect(ran.exit).toBe(3);
    expect(ran.summary?.paidTwice).toEqual([expect.objectContaining({ key: 'P002' })]);
    expect(await service.sums()).toEqual([
      `${phoneOf(1)} 1001.00`,
      `${phoneOf(2)} 1002.00`,
      `${phoneOf(2)} 1002.00`,
    ]);
  });

  test('does not keep a run that is interrupted while it waits', async () => {
    const service = await watchService(await startPayrollService('off'));
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1)]);
    await service.faults('lookup-lag=1h');
    service.interfere((call) => (isPayout(call) ? doneYet(status) : undefined));
    const stop = new AbortController();

    const ran = await payroll.run(payroll.write('november.csv', [employee(1)]), {
      clock: systemClock,
      settings: { timeoutMs: 5_000, quietPeriodMs: 3_600_000 },
      signal: stop.signal,
      onEvent: (event) => {
        if (event.kind === 'waiting') stop.abort();
      },
    });

    expect(ran.exit).toBe(4);
    expect(payroll.statuses('november')).toEqual(['P001 unknown']);
    expect(await expectNothingTwice(service, [employee(1)])).toHaveLength(1);
  });
});

test('A payout that is sent again after no answer, and then carried out and answered with 401, is waited for anew', async () => {
  const service = await watchService(await startPayrollService('off'));
  const payroll = openPayroll(service);
  const rows = staff(3);
  await enrolStaff(service, rows);
  await service.faults('lookup-lag=1s');
  let sends = 0;
  service.interfere((call) => {
    if (!isPayout(call) || (JSON.parse(call.body) as { amount: number }).amount !== 1003) return undefined;
    sends += 1;
    if (sends === 1) return { kind: 'lose-request' };
    return sends === 2 ? doneYet(401) : undefined;
  });

  const ran = await payroll.run(payroll.write('november.csv', rows), {
    clock: systemClock,
    settings: { timeoutMs: 2_500 },
  });

  expect(ran.exit).toBe(0);
  expect(sends).toBe(2);
  await expectPaidOnce(service, rows);
});
