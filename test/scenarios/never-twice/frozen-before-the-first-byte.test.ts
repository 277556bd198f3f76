import { describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.ts';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { employee, enrolStaff, openPayroll, type Payroll, staff } from '../../support/pay-run.ts';
import { startPayrollService, withoutDedupe } from '../../support/payroll-service.ts';
import { isPayout, watchService } from '../../support/watched-service.ts';

const hourMs = 3_600_000;

interface Leap {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** Time leaps once: when the intent of the first payout is on disk, and before anything else is asked of the clock. */
function leapAfterIntent(payroll: Payroll, leap: Leap): Clock {
  let leapt: Leap = { monotonicMs: 0, wallMs: 0 };
  const isIntended = () =>
    leapt !== leap &&
    payroll.store.peek((db) => db.prepare("SELECT 1 FROM sends WHERE outcome = ''").get()) !== undefined;
  const look = () => {
    if (isIntended()) leapt = leap;
  };
  return {
    nowMs: () => systemClock.nowMs() + leapt.wallMs,
    monotonicMs() {
      look();
      return systemClock.monotonicMs() + leapt.monotonicMs;
    },
    sleep: (durationMs, signal) => systemClock.sleep(Math.min(durationMs, 50), signal),
  };
}

function sends(payroll: Payroll): Promise<unknown[]> {
  return payroll.ask((db) => db.prepare('SELECT outcome, code FROM sends ORDER BY id').raw().all());
}

describe.each(withoutDedupe)(
  'A run that stood still between an intent and its first byte, dedupe %s',
  (dedupe) => {
    test.each([
      ['that was frozen', { monotonicMs: hourMs, wallMs: hourMs }],
      ['that was frozen for little more than 5 s', { monotonicMs: 5_001, wallMs: 5_001 }],
      ['whose machine slept: one clock stood still', { monotonicMs: 0, wallMs: hourMs }],
      ['whose wall clock was set back meanwhile', { monotonicMs: hourMs, wallMs: 0 }],
    ])('%s sends nothing when it wakes; the payout is checked anew and paid once', async (_, leap) => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rows = [employee(1)];
      await enrolStaff(service, rows);

      const ran = await payroll.run(payroll.write('november.csv', rows), {
        clock: leapAfterIntent(payroll, leap),
      });

      expect(await sends(payroll)).toEqual([
        ['not-sent', 'too-late'],
        ['ok', 'accepted'],
      ]);
      expect(service.payoutCalls()).toHaveLength(1);
      expect(ran.exit).toBe(0);
      await expectPaidOnce(service, rows);
    });

    test('for less than 5 s sends at once', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rows = [employee(1)];
      await enrolStaff(service, rows);

      const ran = await payroll.run(payroll.write('november.csv', rows), {
        // The rest is for a machine that is busy.
        clock: leapAfterIntent(payroll, { monotonicMs: 1_000, wallMs: 1_000 }),
      });

      expect(ran.exit).toBe(0);
      expect(await sends(payroll)).toEqual([['ok', 'accepted']]);
      await expectPaidOnce(service, rows);
    });
  },
);

test('a payout that waits for its turn has no intent yet: an interrupt leaves it as it was', async () => {
  const service = await watchService(await startPayrollService('off'));
  const payroll = openPayroll(service);
  const rows = staff(6);
  await enrolStaff(service, rows);
  const file = payroll.write('november.csv', rows);
  const stop = new AbortController();
  service.interfere((call) => {
    if (!isPayout(call) || service.payoutCalls().length < 2) return undefined;
    setTimeout(() => stop.abort(), 200);
    const body = { success: false, message: 'Slow down', errorCode: 'E-GEN.S-29' };
    return { kind: 'answer', status: 429, body, headers: { 'retry-after': '100' } };
  });

  const ran = await payroll.run(file, { signal: stop.signal, settings: { concurrency: 1 } });

  expect(ran.exit).not.toBe(0);
  expect(await sends(payroll)).toEqual([
    ['ok', 'accepted'],
    ['answered', 'too-many-requests'],
  ]);
  service.interfere();
  expect((await payroll.run(file)).exit).toBe(0);
  await expectPaidOnce(service, rows);
});

/** From when `isOn` is said, 6 s pass between each intent and its first byte. Sleeps pass at once. */
function slowDisk(payroll: Payroll, isOn: () => boolean): Clock {
  let shiftMs = 0;
  let lastSend = 0;
  const begun = () =>
    payroll.store.peek((db) =>
      db.prepare<[], number>("SELECT max(id) FROM sends WHERE outcome = ''").pluck().get(),
    );
  return {
    nowMs: () => systemClock.nowMs() + shiftMs,
    monotonicMs() {
      const send = isOn() ? (begun() ?? 0) : 0;
      if (send > lastSend) {
        lastSend = send;
        shiftMs += 6_000;
      }
      return systemClock.monotonicMs() + shiftMs;
    },
    sleep(durationMs, signal) {
      shiftMs += Math.max(0, Math.round(durationMs) - 5);
      return systemClock.sleep(Math.min(durationMs, 5), signal);
    },
  };
}

test('a resend that is always too late ends the run, which says why; a later one pays it', async () => {
  const service = await watchService(await startPayrollService('off'));
  const payroll = openPayroll(service);
  const rows = staff(2);
  await enrolStaff(service, rows);
  const file = payroll.write('november.csv', rows);
  let isSlow = false;
  service.interfere((call) => {
    if (!isPayout(call) || service.payoutCalls().length < 2) return undefined;
    isSlow = true;
    return { kind: 'lose-request' };
  });

  const ran = await payroll.run(file, {
    clock: slowDisk(payroll, () => isSlow),
    settings: { concurrency: 1 },
  });

  expect(ran.exit).toBe(5);
  expect(ran.summary?.stopped?.code).toBe('sends-too-late');
  expect(service.payoutCalls()).toHaveLength(2);
  service.interfere();
  expect((await payroll.run(file, { settings: { quietPeriodMs: 1_000, timeoutMs: 500 } })).exit).toBe(0);
  await expectPaidOnce(service, rows);
});
