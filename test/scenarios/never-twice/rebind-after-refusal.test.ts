import { describe, expect, test } from 'vitest';
import { cancel } from '../../../src/decisions/cancel.ts';
import { tryAgain } from '../../support/failed-attempt.ts';
import {
  employee,
  enrolStaff,
  interruptedAfter,
  openPayroll,
  type Payroll,
  phoneOf,
} from '../../support/pay-run.ts';
import { type Dedupe, dedupeModesOf } from '../../support/payroll-service.ts';
import { startSeveralAccounts } from '../../support/several-accounts.ts';
import { type Interference, isLookUp, isPayout } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const emptyList: Interference = { kind: 'answer', status: 200, body: { success: true, data: [] } };
const refusal = { success: false, message: 'The provider declined.', errorCode: 'E-DECL' };

/** What became of the payout that was refused before the batch is to be bound to another account. */
const fates: Readonly<Record<string, (payroll: Payroll) => Promise<unknown>>> = {
  refused: async () => {},
  retried: tryAgain,
  corrected: (payroll) =>
    payroll.run(payroll.write('november.csv', [employee(1, { amount: '1100.00' })]), interruptedAfter(0)),
  cancelled: async (payroll) => {
    await tryAgain(payroll);
    await payroll.decide('november', () => ({
      choice: { kind: 'named', ids: ['P001'] },
      rule: (payout) => cancel(payout, 'not now', []),
      repeats: undefined,
    }));
  },
};

describe.each(dedupeModes)('A payout that was made and called refused, dedupe %s', (dedupe) => {
  test.each(Object.keys(fates))(
    'keeps its batch, %s since, from another account of the e-mail: nobody is paid a second time',
    async (fate) => {
      const { accounts, payroll } = await refusedAlone(dedupe, 'made');
      await fates[fate]?.(payroll);
      const other = openPayroll(accounts.second, payroll.folder);

      const rebound = await other.command(['rebind', 'november', '--reason', 'new keys', '--json']);

      expect(rebound.exit).toBe(6);
      expect(JSON.parse(rebound.stdout)).toMatchObject({ missing: [{ payment: 'P001', why: 'not-found' }] });
      expect((await other.resume('november')).exit).toBe(6);
      expect(await accounts.second.payouts()).toEqual([]);
      expect(await accounts.first.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
    },
  );

  test.each(['refused', 'corrected'])(
    'and %s since, cannot be called unpaid once the service shows it, and is found instead',
    async (fate) => {
      const { accounts, payroll } = await refusedAlone(dedupe, 'made');
      await fates[fate]?.(payroll);

      const because = ['--payment', 'P001', '--not-paid', '--reason', 'nothing came'];
      const decided = await payroll.command(['decide', 'november', ...because]);

      expect(decided.exit).toBe(3);
      expect(decided.stdout).toContain('the service shows it as transaction');
      await tryAgain(payroll);
      await payroll.resume('november');
      expect(await accounts.first.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
    },
  );
});

describe.each(dedupeModes)('A payout that was refused, dedupe %s', (dedupe) => {
  test('does not keep its batch from its own account, which shows what else was sent', async () => {
    const accounts = await startSeveralAccounts(dedupe);
    const { first } = accounts;
    const payroll = openPayroll(first);
    const rows = [employee(1, { phoneNumber: phoneOf(1, '99005') }), employee(2)];
    await enrolStaff(first, rows);
    await payroll.run(payroll.write('november.csv', rows));
    expect(payroll.statuses('november')).toEqual(['P001 refused', 'P002 paid']);
    const own = openPayroll(accounts.rotated({ apiKey: 'sk_new', publicKey: 'pk_new' }), payroll.folder);

    const rebound = await own.command(['rebind', 'november', '--reason', 'new keys']);

    expect(rebound.exit).toBe(0);
    expect(rebound.stdout).toContain('The one payout that was sent is found there.');
    expect(await first.sums()).toEqual([`${phoneOf(2)} 1002.00`]);
  });

  test.each(Object.keys(fates))(
    'and %s since, alone in its batch, passes once a person says that it was not paid, and is then paid once',
    async (fate) => {
      const { accounts, payroll } = await refusedAlone(dedupe, 'not made');
      await fates[fate]?.(payroll);
      const own = openPayroll(accounts.rotated({ apiKey: 'sk_new', publicKey: 'pk_new' }), payroll.folder);
      expect((await own.command(['rebind', 'november', '--reason', 'new keys'])).exit).toBe(6);

      const because = ['--reason', 'the service says it was not'];
      const decided = await own.command([
        'decide',
        'november',
        '--payment',
        'P001',
        '--not-paid',
        ...because,
      ]);
      const rebound = await own.command(['rebind', 'november', '--reason', 'new keys']);

      expect([decided.exit, rebound.exit]).toEqual([0, 0]);
      expect((await own.command(['audit', 'november'])).exit).toBe(0);
      await tryAgain(own);
      expect((await own.resume('november')).exit).toBe(0);
      const amount = fate === 'corrected' ? '1100.00' : '1001.00';
      expect(await accounts.first.sums()).toEqual([`${phoneOf(1)} ${amount}`]);
      expect(await accounts.first.books()).toEqual([]);
    },
  );
});

/** A batch of one payment, whose answer was a refusal and which no look-up found at the time. */
async function refusedAlone(dedupe: Dedupe, truth: 'made' | 'not made') {
  const accounts = await startSeveralAccounts(dedupe);
  const { first, second } = accounts;
  await enrolStaff(first, [employee(1)]);
  await enrolStaff(second, [employee(1)]);
  const payroll = openPayroll(first);
  first.interfere((call) => {
    if (isLookUp(call)) return emptyList;
    if (!isPayout(call)) return undefined;
    return truth === 'made'
      ? { kind: 'change', status: 400, reply: () => JSON.stringify(refusal) }
      : { kind: 'answer', status: 400, body: refusal };
  });
  await payroll.run(payroll.write('november.csv', [employee(1)]));
  expect(payroll.statuses('november')).toEqual(['P001 refused']);
  first.interfere();
  return { accounts, payroll };
}
