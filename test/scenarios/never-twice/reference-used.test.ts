import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { expectNothingTwice, expectPaidOnce } from '../../support/paid-once.ts';
import { enrolStaff, openPayroll, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { isLookUp, isPayout, type SeenCall, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const settings = { timeoutMs: 400, quietPeriodMs: 1_000 };

describe.each(dedupeModes)('"Reference already used", dedupe %s', (dedupe) => {
  test.each([
    [409, 'E-API-D.S-28', 'External reference already used.'],
    [400, undefined, 'This external reference exists already'],
    [200, 'E-API-D.S-28', ''],
  ])(
    'as %i %s, with nothing to be found: it is unknown, never refused, and not sent again',
    async (status, errorCode, message) => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rows = staff(8);
      await enrolStaff(service, rows);
      const file = payroll.write('november.csv', rows);
      const body = { success: false, message, errorCode };
      service.interfere((call) =>
        isPayout(call) && service.payoutCalls().length === 4 ? { kind: 'answer', status, body } : undefined,
      );

      const ran = await payroll.run(file, { clock: systemClock, settings });

      expect(ran.exit).toBe(4);
      expect(ran.summary?.statuses).toMatchObject({ paid: 7, unknown: 1, refused: 0 });
      expect(service.payoutCalls()).toHaveLength(8);
      expect(await expectNothingTwice(service, rows)).toHaveLength(7);
    },
  );

  test('for a payout whose reply was lost: a look-up confirms it, and it is called paid', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(8);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    // It was done, and the list does not show it before it is asked for a second time.
    let lost: SeenCall | undefined;
    let asked = 0;
    service.interfere((call) => {
      if (isPayout(call) && service.payoutCalls().length === 4) lost = call;
      if (call.reference === undefined || call.reference !== lost?.reference) return undefined;
      if (isLookUp(call) && asked < 2) return { kind: 'change', reply: withoutRows };
      if (!isPayout(call)) return undefined;
      asked += 1;
      return asked === 1 ? { kind: 'lose-reply' } : { kind: 'answer', status: 409, body: used };
    });

    const ran = await payroll.run(file, { clock: systemClock, settings });

    expect(ran.exit).toBe(0);
    expect(asked).toBe(2);
    await expectPaidOnce(service, rows);
  });
});

const used = { success: false, message: 'External reference already used.', errorCode: 'E-API-D.S-28' };

function withoutRows(text: string): string {
  return JSON.stringify({ ...JSON.parse(text), data: [] });
}
