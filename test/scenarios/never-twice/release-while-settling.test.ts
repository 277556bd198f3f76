import { describe, expect, test } from 'vitest';
import { release } from '../../../src/decisions/release.ts';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { employee, enrolStaff, openPayroll, type Payroll } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

describe.each(dedupeModes)(
  'a release made while a run only waits for what it sent, with dedupe %s',
  (dedupe) => {
    test('gets in, is left by that run for the next one, and is paid once by it', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rows = [employee(1), employee(2)];
      await enrolStaff(service, [employee(1), employee(2, { accountName: 'Somebody Else Entirely' })]);
      let released: Promise<void> | undefined;
      let isReleased = false;
      // On its way until the decision is made: the run cannot have ended before.
      service.interfere(({ path }) =>
        !isReleased && path.startsWith('/transactions/')
          ? { kind: 'change', reply: (text) => text.replaceAll(/"successful"/gi, '"PENDING"') }
          : undefined,
      );

      const ran = await payroll.run(payroll.write('november.csv', rows), {
        settings: { settleForMs: 60_000 },
        onEvent: (event) => {
          if (event.kind !== 'waiting' || !event.why.includes('on its way')) return;
          released ??= releaseAsCommanded(payroll, 'P002').then(() => {
            isReleased = true;
          });
        },
      });

      await released;
      expect(isReleased).toBe(true);
      expect(ran).toMatchObject({ exit: 4, code: '', summary: { stopped: undefined, sends: 1 } });
      expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 not_sent']);
      await expectPaidOnce(service, [employee(1)]);
      expect((await payroll.resume('november')).exit).toBe(0);
      expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 paid']);
      await expectPaidOnce(service, rows);
    });
  },
);

/** The lock of the batch first, waited for as the command waits. */
async function releaseAsCommanded(payroll: Payroll, id: string): Promise<void> {
  const lock = await payroll.store.lock('november', 30_000);
  try {
    const { moved } = await payroll.decide('november', (run) => ({
      choice: { kind: 'named', ids: [id] },
      rule: (payout) => release(payout, 'named', run, 'it is the maiden name'),
      repeats: undefined,
    }));
    expect(moved).toBe(1);
  } finally {
    lock.release();
  }
}
