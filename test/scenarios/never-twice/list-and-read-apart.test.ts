import { describe, expect, test } from 'vitest';
import { firstAttemptFailed, reads, tryAgain } from '../../support/failed-attempt.ts';
import { type Cells, employee, enrolStaff, hastyClock, openPayroll, phoneOf } from '../../support/pay-run.ts';
import { type Dedupe, dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { isRead, type Shown, showsOtherwise } from '../../support/shown-otherwise.ts';
import { isLookUp, isPayout, type SeenCall, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const shortly = { settings: { settleForMs: 200 } } as const;
const banked = employee(1, { phoneNumber: '', accountNumber: '0170299123495', bankCode: '68' });
const failed = { status: 'FAILED', chargeStatus: 'failed' };

async function onePayment(row: Cells, dedupe: Dedupe = 'off') {
  const service = await watchService(await startPayrollService(dedupe));
  const payroll = openPayroll(service);
  await enrolStaff(service, [row]);
  return { service, payroll, file: payroll.write('november.csv', [row]) };
}

/** The single read tells nothing of the payee, nor of the amount; the list does. */
const readsNoPayee = (call: SeenCall) =>
  isRead(call)
    ? showsOtherwise(() => ({ beneficiary: null, phoneNumber: '', amount: null, receiverAmount: null }))
    : undefined;

const readsFailed = (call: SeenCall) => (isRead(call) ? showsOtherwise(() => failed) : undefined);

describe.each(dedupeModes)(
  'A list that says successful where the single read says failed, dedupe %s',
  (dedupe) => {
    test('leaves a payment pending and named: nothing of it is paid a second time', async () => {
      const { service, payroll, file } = await onePayment(employee(1), dedupe);
      service.interfere(readsFailed);

      const ran = await payroll.run(file, shortly);

      expect(ran.exit).toBe(4);
      expect(payroll.statuses('november')).toEqual(['P001 pending']);
      const [result] = payroll.results('november');
      for (const word of ['FAILED', 'SUCCESSFUL']) expect(result?.['payrun_reason']).toContain(word);
      expect(ran.events.filter(({ kind }) => kind === 'alarm')).toHaveLength(1);
      await tryAgain(payroll);
      expect((await payroll.resume('november', shortly)).exit).toBe(4);
      expect((await payroll.command(['audit', 'november', '--service'])).stdout).toContain(
        'status-contradicts: batch november, payment P001: the service calls transaction',
      );

      service.interfere();
      expect((await payroll.resume('november')).exit).toBe(0);
      expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'paid', payrun_reason: '' });
      expect(service.payoutCalls()).toHaveLength(1);
      expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
    });

    test('after a lost reply is no failure either', async () => {
      const { service, payroll, file } = await onePayment(employee(1), dedupe);
      service.interfere((call) => (isPayout(call) ? { kind: 'lose-reply' } : readsFailed(call)));

      expect((await payroll.run(file, shortly)).exit).toBe(4);

      expect(payroll.statuses('november')).toEqual(['P001 pending']);
      expect(payroll.results('november')[0]?.['payrun_reason']).toContain('FAILED');
      expect(service.payoutCalls()).toHaveLength(1);
      expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
    });

    test('of an attempt that both had called failed keeps the next one from going out', async () => {
      const { service, payroll } = await firstAttemptFailed(dedupe);
      await tryAgain(payroll);
      service.interfere(readsFailed);

      expect((await payroll.resume('november', shortly)).exit).toBe(4);

      expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'pending', payrun_attempt: '1' });
      expect(service.payoutCalls()).toHaveLength(1);
      expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
    });
  },
);

describe('Read again the next day', () => {
  const nextDay = { clock: hastyClock({ shiftMs: 2 * 24 * 60 * 60 * 1000 }), ...shortly };

  test('a paid one that the single read alone calls failed has not come back', async () => {
    const { service, payroll, file } = await onePayment(employee(1));
    expect((await payroll.run(file)).exit).toBe(0);
    service.interfere(readsFailed);

    const resumed = await payroll.resume('november', nextDay);

    expect(payroll.statuses('november')).toEqual(['P001 paid']);
    expect(resumed.events).toContainEqual(
      expect.objectContaining({
        kind: 'alarm',
        message: expect.stringContaining('both FAILED and SUCCESSFUL'),
      }),
    );
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
  });

  test('a failed one that the list calls successful is named until both say failed again', async () => {
    const { service, payroll } = await firstAttemptFailed('off');
    service.interfere(readsFailed);

    const resumed = await payroll.resume('november', nextDay);

    expect(resumed.events).toContainEqual(
      expect.objectContaining({
        kind: 'alarm',
        message: expect.stringContaining('both FAILED and SUCCESSFUL'),
      }),
    );
    expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'failed' });
    expect(payroll.results('november')[0]?.['payrun_reason']).toContain('SUCCESSFUL');

    service.interfere(({ path }) => (path.startsWith('/transactions') ? reads('FAILED') : undefined));
    const later = { clock: hastyClock({ shiftMs: 4 * 24 * 60 * 60 * 1000 }), ...shortly };
    await payroll.resume('november', later);
    expect(payroll.results('november')[0]?.['payrun_reason']).not.toContain('SUCCESSFUL');
    expect(service.payoutCalls()).toHaveLength(1);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
  });
});

const listed = (changes: object) => (shown: Shown) => ({
  beneficiary: { ...(shown['beneficiary'] as object), ...changes },
});

describe('Where the single read shows nothing of the payee, a list that shows', () => {
  test.each<[string, Cells, (shown: Shown) => Record<string, unknown>, string]>([
    ['another account', banked, listed({ accountNumber: '9999999999999' }), 'it went to another account'],
    ['another phone', employee(1), listed({ accountNumber: '254799999999' }), 'it went to another account'],
    ['another bank', banked, listed({ bankCode: '11' }), 'it went to bank 11, ours goes to bank 68'],
    [
      'ten times the amount',
      banked,
      () => ({ amount: 10_010, receiverAmount: 10_010 }),
      'its amount is 10010',
    ],
    ['the payee', banked, () => ({}), ''],
  ])('%s', async (_, row, change, told) => {
    const { service, payroll, file } = await onePayment(row);
    service.interfere((call) => (isLookUp(call) ? showsOtherwise(change) : readsNoPayee(call)));

    const ran = await payroll.run(file, shortly);

    const [result] = payroll.results('november');
    expect(ran.exit).toBe(told === '' ? 0 : 4);
    expect(result?.['payrun_status']).toBe(told === '' ? 'paid' : 'pending');
    expect(result?.['payrun_reason']).toContain(told);
    const audited = await payroll.command(['audit', 'november', '--service']);
    expect(audited.exit).toBe(told === '' ? 0 : 3);
    expect(audited.stdout).toContain(told);
    expect(service.payoutCalls()).toHaveLength(1);
  });

  test('another account is not taken for the payment after a lost reply, and nothing is sent again', async () => {
    const { service, payroll, file } = await onePayment(banked);
    service.interfere((call) => {
      if (isPayout(call)) return { kind: 'lose-reply' };
      return isLookUp(call) ? showsOtherwise(listed({ accountNumber: '9999999999999' })) : readsNoPayee(call);
    });

    expect((await payroll.run(file, shortly)).exit).toBe(4);

    expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'unknown' });
    expect(payroll.results('november')[0]?.['payrun_reason']).toContain('it went to another account');
    expect(service.payoutCalls()).toHaveLength(1);
  });

  test('nothing of the transaction for longer than look-ups take leaves the word to the single read', async () => {
    const { service, payroll, file } = await onePayment(banked);
    await enrolStaff(service, [employee(2)]);
    expect((await payroll.run(payroll.write('october.csv', [employee(2)]))).exit).toBe(0);
    const empty = { kind: 'change', reply: () => '{"success":true,"data":[]}' } as const;
    service.interfere((call) => (isLookUp(call) ? empty : readsNoPayee(call)));

    const ran = await payroll.run(file);

    expect(ran.exit).toBe(0);
    expect(payroll.statuses('november')).toEqual(['P001 paid']);
    expect(await service.sums()).toHaveLength(2);
  });
});
