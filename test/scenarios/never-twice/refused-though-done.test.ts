import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { expectNothingTwice, expectPaidOnce } from '../../support/paid-once.ts';
import { enrolStaff, hastyClock, openPayroll, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import {
  type Interference,
  isLookUp,
  isPayout,
  type SeenCall,
  watchService,
} from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const refusal = { success: false, message: 'Declined by the provider', errorCode: 'E-PAY.S-99' };

/** Carried out, and refused all the same. */
const doneYet: Interference = { kind: 'change', status: 400, reply: () => JSON.stringify(refusal) };
/** Refused, and that is the truth. */
const notDone: Interference = { kind: 'answer', status: 400, body: refusal };

const showsNothing: Interference = {
  kind: 'change',
  reply: (text) => JSON.stringify({ ...(JSON.parse(text) as object), data: [] }),
};

async function open(dedupe: 'on' | 'off') {
  const service = await watchService(await startPayrollService(dedupe));
  const payroll = openPayroll(service);
  const rows = staff(5);
  await enrolStaff(service, rows);
  const isOfRow = (call: SeenCall, row: number) =>
    isPayout(call) && (JSON.parse(call.body) as { amount: number }).amount === 1000 + row;
  return { service, payroll, rows, isOfRow };
}

describe.each(dedupeModes)('A payout that was carried out and refused, dedupe %s', (dedupe) => {
  test('is looked up no earlier than twice the delay that look-ups have, and found', async () => {
    const { service, payroll, rows, isOfRow } = await open(dedupe);
    await service.faults('lookup-lag=1600ms');
    service.interfere((call) => (isOfRow(call, 3) || isOfRow(call, 4) ? doneYet : undefined));

    const ran = await payroll.run(payroll.write('november.csv', rows), {
      clock: systemClock,
      settings: { timeoutMs: 5_000 },
    });

    expect(ran.exit).toBe(0);
    expect(ran.events).not.toContainEqual(expect.objectContaining({ to: 'refused' }));
    expect(service.payoutCalls()).toHaveLength(5);
    await expectPaidOnce(service, rows);
  });

  test('is refused where it was not carried out: after a look-up that came late enough', async () => {
    const { service, payroll, rows, isOfRow } = await open(dedupe);
    await service.faults('lookup-lag=600ms');
    let refused: SeenCall | undefined;
    service.interfere((call) => {
      if (!isOfRow(call, 3)) return undefined;
      refused = call;
      return notDone;
    });

    const ran = await payroll.run(payroll.write('november.csv', rows), {
      clock: systemClock,
      settings: { timeoutMs: 5_000 },
    });

    expect(ran.exit).toBe(3);
    expect(payroll.statuses('november')[2]).toBe('P003 refused');
    expect(payroll.results('november')[2]?.['payrun_reason']).toContain('Declined by the provider');
    const looks = service.calls.filter((call) => isLookUp(call) && call.reference === refused?.reference);
    expect(looks.at(-1)?.atMs).toBeGreaterThanOrEqual((refused?.endedMs ?? 0) + 1_200);
    expect(await expectNothingTwice(service, rows)).toHaveLength(4);
  });

  test('and not shown even then, is found when it is read again the next day', async () => {
    const { service, payroll, rows, isOfRow } = await open(dedupe);
    let refused: SeenCall | undefined;
    service.interfere((call) => {
      if (isOfRow(call, 3)) {
        refused = call;
        return doneYet;
      }
      const isHidden =
        isLookUp(call) && call.reference !== undefined && call.reference === refused?.reference;
      return isHidden ? showsNothing : undefined;
    });
    expect((await payroll.run(payroll.write('november.csv', rows))).exit).toBe(3);
    expect(payroll.statuses('november')[2]).toBe('P003 refused');
    service.interfere();

    const nextDay = hastyClock({ shiftMs: 25 * 60 * 60 * 1000 });
    const resumed = await payroll.resume('november', { clock: nextDay });

    expect(resumed.exit).toBe(0);
    expect(resumed.events).toContainEqual(
      expect.objectContaining({
        kind: 'alarm',
        message: expect.stringContaining('payment P003 was refused'),
      }),
    );
    expect(payroll.statuses('november')[2]).toBe('P003 paid');
    expect(service.payoutCalls()).toHaveLength(5);
    await expectPaidOnce(service, rows);
  });
});
