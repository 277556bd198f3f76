import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { expectPaidOnce, expectResultsAgree } from '../../support/paid-once.ts';
import { enrolStaff, openPayroll, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { isLookUp, isPayout, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const unauthorised = {
  kind: 'answer',
  status: 401,
  body: { success: false, message: 'Invalid or expired token.', errorCode: 'E-GEN.S-01' },
} as const;

/** Nothing here is about time-outs: a busy machine must not make an answer late. */
const patient = { clock: systemClock, settings: { timeoutMs: 5_000 } };

describe.each(dedupeModes)('A token that ends in mid-run, dedupe %s', (dedupe) => {
  test('is renewed, and a payout that met the end of it is looked up before it goes out again', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(20);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    let ended: string | undefined;
    service.interfere((call) => {
      if (isPayout(call) && service.payoutCalls().length === 6) ended = call.token;
      return call.token === ended ? unauthorised : undefined;
    });

    const ran = await payroll.run(file, patient);

    expect(ran.exit).toBe(0);
    const turnedAway = service.payoutCalls().filter((call) => call.status === 401);
    expect(turnedAway.length).toBeGreaterThan(0);
    for (const { reference, atMs } of turnedAway) {
      const later = service.calls.filter((call) => call.reference === reference && call.atMs > atMs);
      const next = later.find(isPayout);
      expect(later.some((call) => isLookUp(call) && call.atMs < (next?.atMs ?? 0))).toBe(true);
    }
    await expectResultsAgree(service, payroll.results('november'));
    await expectPaidOnce(service, rows);
  });

  test('and credentials that are refused for good: it stops (5), and pays the rest once they are mended', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(30);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    service.interfere(() => (service.payoutCalls().length > 8 ? unauthorised : undefined));

    const ran = await payroll.run(file, patient);
    expect(ran.exit).toBe(5);
    expect(service.payoutCalls().length).toBeLessThan(30);

    service.interfere();
    const mended = await payroll.run(file, patient);
    expect(mended.exit).toBe(0);
    await expectPaidOnce(service, rows);
  });
});
