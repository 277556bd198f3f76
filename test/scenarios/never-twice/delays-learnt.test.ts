import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { employee, enrolStaff, hastyClock, openPayroll, type Payroll, staff } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { type Interference, isLookUp, isPayout, watchService } from '../../support/watched-service.ts';

const showsNothing: Interference = {
  kind: 'change',
  reply: (text) => JSON.stringify({ ...(JSON.parse(text) as object), data: [] }),
};

/** Carried out, and answered as if it were not. */
const doneYet: Interference = {
  kind: 'change',
  status: 429,
  reply: () => '{}',
  headers: { 'retry-after': '0' },
};

async function open() {
  const service = await watchService(await startPayrollService('off'));
  const payroll = openPayroll(service);
  await enrolStaff(service, staff(4));
  return { service, payroll };
}

function provenDelayMs(payroll: Payroll): Promise<number> {
  return payroll.ask((db) => {
    const text = db.prepare<[], string>("SELECT value FROM facts WHERE key LIKE 'proof:%'").pluck().get();
    return (JSON.parse(text ?? '{}') as { delayMs: number }).delayMs;
  });
}

function amountOf({ body }: { readonly body: string }): number {
  return (JSON.parse(body) as { amount: number }).amount;
}

describe('How long look-ups take to show a payout', () => {
  test('is learnt from one that was waited for: a lying 429 of the next batch is not believed any earlier', async () => {
    const { service, payroll } = await open();
    let lost: string | undefined;
    let looks = 0;
    service.interfere((call) => {
      if (isPayout(call) && amountOf(call) === 1002) {
        lost = call.reference;
        return { kind: 'lose-reply' };
      }
      if (!isLookUp(call) || call.reference === undefined || call.reference !== lost) return undefined;
      looks += 1;
      // The pauses between look-ups are half a second, then one: it is shown a second and a half later.
      return looks <= 2 ? showsNothing : undefined;
    });
    const patient = { clock: systemClock, settings: { timeoutMs: 5_000, concurrency: 1 } };
    expect((await payroll.run(payroll.write('october.csv', staff(2)), patient)).exit).toBe(0);

    let lied: string | undefined;
    let liedMs = 0;
    service.interfere((call) => {
      if (isPayout(call) && amountOf(call) === 1003 && lied === undefined) {
        lied = call.reference;
        liedMs = performance.now();
        return doneYet;
      }
      const isHidden = isLookUp(call) && call.reference !== undefined && call.reference === lied;
      return isHidden && performance.now() - liedMs < 2_500 ? showsNothing : undefined;
    });
    const next = [employee(3), employee(4)];
    expect((await payroll.run(payroll.write('november.csv', next), patient)).exit).toBe(0);

    await expectPaidOnce(service, staff(4));
  });

  test('is what the run that gave up still saw, where a later run finds it: not the days in between', async () => {
    const { service, payroll } = await open();
    let lost: string | undefined;
    service.interfere((call) => {
      if (isPayout(call) && amountOf(call) === 1002) {
        lost = call.reference;
        return { kind: 'lose-reply' };
      }
      return isLookUp(call) && lost !== undefined && call.reference === lost ? showsNothing : undefined;
    });
    const settings = { timeoutMs: 700, resends: 0, quietPeriodMs: 1_000 };
    expect((await payroll.run(payroll.write('november.csv', staff(2)), { settings })).exit).toBe(4);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 unknown']);
    const beforeMs = await provenDelayMs(payroll);

    service.interfere();
    const days = hastyClock({ shiftMs: 3 * 24 * 60 * 60 * 1000 });
    expect((await payroll.resume('november', { clock: days })).exit).toBe(0);

    // The quiet period, at least twice the time-out, went by before it was given up.
    expect(await provenDelayMs(payroll)).toBeGreaterThanOrEqual(1_400);
    expect(await provenDelayMs(payroll)).toBeGreaterThan(beforeMs);
    expect(await provenDelayMs(payroll)).toBeLessThan(24 * 60 * 60 * 1000);
    await expectPaidOnce(service, staff(2));
  });

  test('is not the time in which nobody looked', async () => {
    const { service, payroll } = await open();
    const stop = new AbortController();
    service.interfere((call) => {
      if (!isPayout(call) || amountOf(call) !== 1002) return undefined;
      stop.abort();
      return { kind: 'lose-reply' };
    });
    const interrupted = { signal: stop.signal, settings: { concurrency: 1 } };
    expect((await payroll.run(payroll.write('november.csv', staff(2)), interrupted)).exit).not.toBe(0);
    const beforeMs = await provenDelayMs(payroll);

    service.interfere();
    const days = hastyClock({ shiftMs: 3 * 24 * 60 * 60 * 1000 });
    expect((await payroll.resume('november', { clock: days })).exit).toBe(0);

    expect(await provenDelayMs(payroll)).toBe(beforeMs);
    await expectPaidOnce(service, staff(2));
  });

  test('counts from the send of an earlier run that recorded no look-up, where this run looked in vain', async () => {
    const { service, payroll } = await open();
    const stop = new AbortController();
    let lost: string | undefined;
    service.interfere((call) => {
      if (!isPayout(call) || amountOf(call) !== 1002) return undefined;
      lost = call.reference;
      stop.abort();
      return { kind: 'lose-reply' };
    });
    const interrupted = { signal: stop.signal, settings: { concurrency: 1 } };
    expect((await payroll.run(payroll.write('november.csv', staff(2)), interrupted)).exit).not.toBe(0);
    expect(await provenDelayMs(payroll)).toBeLessThan(16_000);

    let looks = 0;
    service.interfere((call) => {
      if (!isLookUp(call) || call.reference === undefined || call.reference !== lost) return undefined;
      looks += 1;
      return looks === 1 ? showsNothing : undefined;
    });
    const later = hastyClock({ shiftMs: 16_000 });
    expect((await payroll.resume('november', { clock: later })).exit).toBe(0);

    expect(await provenDelayMs(payroll)).toBeGreaterThanOrEqual(16_000);
    await expectPaidOnce(service, staff(2));
  });
});
