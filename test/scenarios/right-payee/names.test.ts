import { describe, expect, test } from 'vitest';
import { release } from '../../../src/decisions/release.ts';
import type { Policy } from '../../../src/domain/policy.ts';
import { expectPaidOnce } from '../../support/paid-once.ts';
import {
  type Cells,
  employee,
  enrolStaff,
  hastyClock,
  openPayroll,
  type Payroll,
  phoneOf,
} from '../../support/pay-run.ts';
import { dedupeModesOf, type PayrollService, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const exact = employee(1, { phoneNumber: phoneOf(1, '99010') });
const reordered = employee(2, { phoneNumber: phoneOf(2, '99011') });
const oneLetterOff = employee(3, { phoneNumber: phoneOf(3, '99012') });
const somebodyElse = employee(4, { phoneNumber: phoneOf(4, '99013') });
const placeholder = employee(5, { phoneNumber: phoneOf(5, '99014') });
const unsupported = employee(6, { phoneNumber: phoneOf(6, '99016') });
const noAccount = employee(7, { phoneNumber: phoneOf(7, '99004') });
const everyone = [exact, reordered, oneLetterOff, somebodyElse, placeholder, unsupported, noAccount];
const payAll: Partial<Policy> = { onClose: 'pay', onMismatch: 'pay', onUnchecked: 'pay' };

async function paid(
  dedupe: 'on' | 'off',
  policy: Partial<Policy>,
): Promise<{ service: PayrollService; payroll: Payroll }> {
  const service = await startPayrollService(dedupe);
  const payroll = openPayroll(service);
  await enrolStaff(service, everyone);
  const ran = await payroll.run(payroll.write('november.csv', everyone), { policy });
  expect(ran.exit).toBe(3);
  return { service, payroll };
}

describe.each(dedupeModes)('whose account it is decides who is paid, with dedupe %s', (dedupe) => {
  test('a match is paid; close, mismatch and unchecked names are held; so is an account that does not exist', async () => {
    const { service, payroll } = await paid(dedupe, {});
    const verdicts = payroll
      .results('november')
      .map((row) => `${row['payrun_status']} ${row['payrun_verdict']}`);
    expect(verdicts).toEqual([
      'paid match',
      'paid match',
      'held close',
      'held mismatch',
      'held unchecked',
      'held unchecked',
      'held no-account',
    ]);
    expect(payroll.results('november')[6]?.['payrun_reason']).toBe('the account does not exist');
    await expectPaidOnce(service, [exact, reordered]);
  });

  test('a name that a person was shown as another’s is not paid because the service says ours once it has stored it', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const stranger = employee(8);
    const ran = await payroll.run(payroll.write('november.csv', [stranger]));
    expect(ran.planned?.view?.names?.counts.mismatch).toBe(1);
    expect(payroll.statuses('november')).toEqual(['P008 held']);
    await expectPaidOnce(service, []);
  });

  const alone: readonly [string, Partial<Policy>, readonly Cells[]][] = [
    ['--on-close pay', { onClose: 'pay' }, [exact, reordered, oneLetterOff]],
    ['--on-mismatch pay', { onMismatch: 'pay' }, [exact, reordered, somebodyElse]],
    ['--on-unchecked pay', { onUnchecked: 'pay' }, [exact, reordered, placeholder, unsupported]],
  ];
  test.each(alone)('%s pays just those', async (_, policy, rows) => {
    const { service } = await paid(dedupe, policy);
    await expectPaidOnce(service, rows);
  });

  test('an account that does not exist is held whatever the flags, and an unchecked name is never called checked', async () => {
    const { service, payroll } = await paid(dedupe, payAll);
    expect(payroll.statuses('november').at(-1)).toBe('P007 held');
    const verdicts = payroll.results('november').map((row) => row['payrun_verdict']);
    expect(verdicts).toEqual(['match', 'match', 'close', 'mismatch', 'unchecked', 'unchecked', 'no-account']);
    await expectPaidOnce(service, everyone.slice(0, -1));
  });

  test('a pair of names that a person released is not held again, and another name is', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const row = employee(1, { accountName: 'Amina Otieno Wekesa' });
    await service.enrol([{ number: phoneOf(1), name: 'Fatuma Juma Abdi' }]);
    expect((await payroll.run(payroll.write('october.csv', [row]))).exit).toBe(3);

    await payroll.decide('october', (run) => ({
      choice: { kind: 'named', ids: ['P001'] },
      rule: (payout) => release(payout, 'named', run, 'her married name'),
      repeats: undefined,
    }));
    expect((await payroll.resume('october')).exit).toBe(0);
    const month = (count: number) => ({ clock: hastyClock({ shiftMs: count * 30 * 24 * 60 * 60 * 1000 }) });
    expect((await payroll.run(payroll.write('november.csv', [row]), month(1))).exit).toBe(0);

    await service.enrol([{ number: phoneOf(1), name: 'Peter Kimani Njoroge' }]);
    expect((await payroll.run(payroll.write('december.csv', [row]), month(2))).exit).toBe(3);
    expect(payroll.statuses('december')).toEqual(['P001 held']);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(1)} 1001.00`]);
    expect(await service.books()).toEqual([]);
  });

  test('a pair of names that a person released passes in that environment, and in no other', async () => {
    const [here, there] = [await startPayrollService(dedupe), await startPayrollService(dedupe)];
    const payroll = openPayroll(here);
    const row = employee(1, { accountName: 'Amina Otieno Wekesa' });
    for (const service of [here, there]) {
      await service.enrol([{ number: phoneOf(1), name: 'Fatuma Juma Abdi' }]);
    }
    expect((await payroll.run(payroll.write('october.csv', [row]))).exit).toBe(3);
    await payroll.decide('october', (run) => ({
      choice: { kind: 'named', ids: ['P001'] },
      rule: (payout) => release(payout, 'named', run, 'tried out'),
      repeats: undefined,
    }));
    expect((await payroll.resume('october')).exit).toBe(0);
    const elsewhere = openPayroll(there);
    await elsewhere.store.restore(await payroll.store.copy());
    const month = { clock: hastyClock({ shiftMs: 31 * 24 * 60 * 60 * 1000 }) };

    const ran = await elsewhere.run(elsewhere.write('november.csv', [row]), month);

    expect(ran.exit).toBe(3);
    expect(elsewhere.results('november')[0]).toMatchObject({
      payrun_status: 'held',
      payrun_verdict: 'mismatch',
    });
    expect(await there.payouts()).toEqual([]);
  });

  test('a release holds for the name that was seen: where the account has another by the time of sending, it is held', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    await service.enrol([{ number: phoneOf(1), name: 'Fatuma Juma Abdi' }]);
    const row = employee(1, { accountName: 'Amina Otieno Wekesa' });
    expect((await payroll.run(payroll.write('november.csv', [row]))).exit).toBe(3);
    const released = await payroll.decide('november', (run) => ({
      choice: { kind: 'named', ids: ['P001'] },
      rule: (payout) => release(payout, 'named', run, 'her married name'),
      repeats: undefined,
    }));
    expect(released.moved).toBe(1);
    await service.enrol([{ number: phoneOf(1), name: 'Peter Kimani Njoroge' }]);

    const nextDay = { clock: hastyClock({ shiftMs: 25 * 60 * 60 * 1000 }) };
    expect((await payroll.resume('november', nextDay)).exit).toBe(3);

    expect(payroll.results('november')[0]).toMatchObject({
      payrun_status: 'held',
      payrun_resolved_name: 'PETER KIMANI NJOROGE',
    });
    await expectPaidOnce(service, []);
  });

  test('the verdict belongs to the payout: of two names on one account, one is paid and one is held', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const hers = employee(1, { accountName: 'Amina Otieno' });
    const his = employee(1, { paymentId: 'P001-b', accountName: 'Kwame Mensah', amount: '300.00' });
    await service.enrol([{ number: phoneOf(1), name: 'OTIENO AMINA' }]);

    const ran = await payroll.run(payroll.write('november.csv', [hers, his]));

    expect(ran.exit).toBe(3);
    expect(ran.problems.map(({ code }) => code)).toContain('account-two-names');
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P001-b held']);
    await expectPaidOnce(service, [hers]);
  });
});
