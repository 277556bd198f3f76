import { describe, expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { enrolStaff, openPayroll, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { type Interference, isPayout, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const tooMany: Interference = {
  kind: 'answer',
  status: 429,
  body: { success: false, message: 'Daily quota used up', errorCode: 'E-GEN.S-29' },
  headers: { 'retry-after': '0' },
};

/** Nothing here is about time: a busy machine must not make an answer late. */
const patient = { settings: { timeoutMs: 5_000 } };

describe.each(dedupeModes)('A service that answers 429 without end, dedupe %s', (dedupe) => {
  test('to one payout is asked a few times; then the run stops (5) and says why, and a later one pays it', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(4);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    const isThird = (body: string) => (JSON.parse(body) as { amount: number }).amount === 1003;
    service.interfere((call) => (isPayout(call) && isThird(call.body) ? tooMany : undefined));

    const ran = await payroll.run(file, patient);

    expect(ran.exit).toBe(5);
    expect(ran.summary?.stopped?.message).toMatch(/429.*Daily quota used up/);
    expect(service.payoutCalls().filter(({ body }) => isThird(body))).toHaveLength(5);
    service.interfere();
    expect((await payroll.run(file, patient)).exit).toBe(0);
    await expectPaidOnce(service, rows);
  });

  test('to every payout: the run stops (5) after a few, however many there are, and a later one pays all', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(30);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    service.interfere((call) => (isPayout(call) ? tooMany : undefined));

    const ran = await payroll.run(file, { settings: { timeoutMs: 5_000, concurrency: 2 } });

    expect(ran.exit).toBe(5);
    expect(ran.summary?.stopped?.message).toMatch(/429.*Daily quota used up/);
    expect(service.payoutCalls().length).toBeLessThanOrEqual(10);
    service.interfere();
    expect((await payroll.run(file, patient)).exit).toBe(0);
    await expectPaidOnce(service, rows);
  });
});
