import { describe, expect, test, vi } from 'vitest';
import type { ClaimedAccount, KnownPayees } from '../../../src/journal/known-payees.ts';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { employee, enrolStaff, openPayroll, phoneOf } from '../../support/pay-run.ts';
import { type PayrollService, startPayrollService, withoutDedupe } from '../../support/payroll-service.ts';

type Who = Parameters<KnownPayees['claimAccount']>[0];

/** What another batch writes between the look of a run and its claim. */
const moment = vi.hoisted(() => ({
  before: undefined as
    | ((payees: KnownPayees, who: Who, claim: ClaimedAccount) => Promise<unknown>)
    | undefined,
}));

vi.mock(import('../../../src/journal/known-payees.ts'), async (importOriginal) => {
  const real = await importOriginal();
  return {
    ...real,
    openKnownPayees: (...given: Parameters<typeof real.openKnownPayees>) => {
      const payees = real.openKnownPayees(...given);
      return {
        ...payees,
        async claimAccount(who: Who, claim: ClaimedAccount) {
          await moment.before?.(payees, who, claim);
          return payees.claimAccount(who, claim);
        },
      };
    },
  };
});

const row = employee(1);
const named = employee(1, { operator: 'M-Pesa' });

/** The account that another batch has made: its number is the row's. */
async function standsThere(service: PayrollService): Promise<void> {
  const { status } = await service.caller.post('/external-accounts', {
    country: 'KE',
    currency: 'KES',
    type: 'momo',
    payload: { firstName: 'Wanjiku', lastName: 'Mwangi', phoneNumber: phoneOf(1), destination: 'MoMo' },
  });
  expect(status).toBe(200);
}

describe.each(withoutDedupe)(
  'an account that another batch writes down in the very moment, dedupe %s',
  (dedupe) => {
    test('is taken all the same where the other says the same of it', async () => {
      const service = await startPayrollService(dedupe);
      const payroll = openPayroll(service);
      await enrolStaff(service, [row]);
      await standsThere(service);
      let times = 0;
      moment.before = async (payees, who, { id, is }) => {
        times += 1;
        if (times === 1) await payees.saveAccount(who, { id, isMade: true, ...is });
      };

      const ran = await payroll.run(payroll.write('november.csv', [row]));

      expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'paid', payrun_code: '' });
      expect(ran.exit).toBe(0);
      expect(times).toBe(1);
      await expectPaidOnce(service, [row]);
    });

    test('is left to the next round where others go on writing of it, and nobody is said to have changed it', async () => {
      const service = await startPayrollService(dedupe);
      const payroll = openPayroll(service);
      await enrolStaff(service, [named]);
      await standsThere(service);
      let times = 0;
      moment.before = async (payees, who, { id, is }) => {
        times += 1;
        if (times > 12) return;
        if (times % 2 === 0) await payees.forgetAccount(who);
        else await payees.claimAccount(who, { id, batch: 0, is, wanted: is, believed: undefined });
      };

      const ran = await payroll.run(payroll.write('november.csv', [named]));

      expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'paid', payrun_code: '' });
      expect(ran.exit).toBe(0);
      expect(times).toBeGreaterThan(12);
      await expectPaidOnce(service, [named]);
    });
  },
);
