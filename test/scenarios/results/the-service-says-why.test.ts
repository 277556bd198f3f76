import { describe, expect, test } from 'vitest';
import { expectNothingTwice } from '../../support/paid-once.ts';
import { enrolStaff, openPayroll, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { isPayout, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

/** A busy machine must not make an answer late. */
const patient = { settings: { timeoutMs: 2_500 } };
const words = 'no funds were used. Reference: 8f3a';

describe.each(dedupeModes)('Sixty rows that the service turns down, dedupe %s', (dedupe) => {
  test('with a code and words that speak of a reference: refused, in its own words, and the run stops', async () => {
    const { service, payroll, file, rows } = await sixtyRows({ errorCode: 'E-API-P.S-77', message: words });

    const ran = await payroll.run(file, patient);

    expect(ran.exit).toBe(5);
    expect(ran.summary?.stopped?.code).toBe('refused-in-a-row');
    expect(ran.summary?.stopped?.message).toContain(words);
    const refused = payroll.results('november').filter((row) => row['payrun_status'] === 'refused');
    expect(refused.length).toBeGreaterThanOrEqual(12);
    for (const row of refused) expect(row['payrun_reason']).toContain(words);
    expect(payroll.statuses('november').filter((line) => line.endsWith(' unknown'))).toEqual([]);
    expect(service.payoutCalls().length).toBeLessThan(30);
    expect(await expectNothingTwice(service, rows)).toHaveLength(0);
  });

  test('without a code: unknown, its words in the results and in what stopped the run', async () => {
    const { service, payroll, file, rows } = await sixtyRows({ message: words });

    const ran = await payroll.run(file, patient);

    expect(ran.exit).toBe(5);
    expect(ran.summary?.stopped?.code).toBe('service-down');
    expect(ran.summary?.stopped?.message).toContain(words);
    const unknown = payroll.results('november').filter((row) => row['payrun_status'] === 'unknown');
    expect(unknown.length).toBeGreaterThanOrEqual(12);
    for (const row of unknown) expect(row['payrun_reason']).toContain(words);
    expect(service.payoutCalls().length).toBeLessThan(30);
    expect(await expectNothingTwice(service, rows)).toHaveLength(0);
  });

  test('as references that were used: unknown, and the run stops all the same', async () => {
    const message = 'External reference already used.';
    const { service, payroll, file, rows } = await sixtyRows({ errorCode: 'E-API-D.S-28', message });

    const ran = await payroll.run(file, patient);

    expect(ran.exit).toBe(5);
    expect(ran.summary?.stopped?.code).toBe('refused-in-a-row');
    expect(ran.summary?.stopped?.message).toContain(message);
    const unknown = payroll.results('november').filter((row) => row['payrun_status'] === 'unknown');
    expect(unknown.length).toBeGreaterThanOrEqual(12);
    for (const row of unknown) expect(row['payrun_reason']).toContain(message);
    expect(service.payoutCalls().length).toBeLessThan(30);
    expect(await expectNothingTwice(service, rows)).toHaveLength(0);
  });

  async function sixtyRows(said: Readonly<Record<string, string>>) {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(60);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    service.interfere((call) =>
      isPayout(call) ? { kind: 'answer', status: 400, body: { success: false, ...said } } : undefined,
    );
    return { service, payroll, file, rows };
  }
});
