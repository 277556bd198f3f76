import { describe, expect, test } from 'vitest';
import { referenceOf } from '../../../src/domain/reference.ts';
import { calls, firstAttemptFailed, tryAgain } from '../../support/failed-attempt.ts';
import { employee, enrolStaff, hastyClock, openPayroll, phoneOf } from '../../support/pay-run.ts';
import { type Dedupe, dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import {
  type Interference,
  isLookUp,
  isPayout,
  type SeenCall,
  watchService,
} from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const nextDay = { clock: hastyClock({ shiftMs: 25 * 60 * 60 * 1000 }) };

describe.each(dedupeModes)(
  'where the second attempt fails and the first pays late, with dedupe %s',
  (dedupe) => {
    test('the first is the payment: paid under its reference, by its transaction', async () => {
      const { service, payroll, first, payFirstAfterSend } = await openCase(dedupe);
      await tryAgain(payroll);
      payFirstAfterSend();

      const resumed = await payroll.resume('november');

      expect(resumed.exit).toBe(0);
      expect(resumed.summary?.paidTwice).toEqual([]);
      expect(payroll.results('november')).toEqual([
        expect.objectContaining({
          payrun_status: 'paid',
          payrun_reason: '',
          payrun_attempt: '1',
          payrun_reference: first.reference,
          payrun_transaction: first.transactionId,
        }),
      ]);
      expect((await service.payouts()).map(({ reference }) => reference)).toEqual([
        first.reference,
        service.payoutCalls()[1]?.reference,
      ]);
      expect(service.payoutCalls()).toHaveLength(2);
      expect(await service.books()).toEqual([]);
    });

    test('it is pending, and never failed, for as long as the first may still pay', async () => {
      const { service, payroll, readFirstAfterSend } = await openCase(dedupe);
      await tryAgain(payroll);
      readFirstAfterSend('PENDING');

      const resumed = await payroll.resume('november', { settings: { settleForMs: 1_000 } });

      expect(resumed.exit).toBe(4);
      expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'pending', payrun_attempt: '2' });
      expect(service.payoutCalls()).toHaveLength(2);
      expect(await service.payouts()).toHaveLength(2);
      expect(await service.books()).toEqual([]);
    });

    test('it is not paid as the corrected row says: it stays pending, names the first, and nothing more is sent', async () => {
      const { service, payroll, first, payFirstAfterSend } = await openCase(dedupe);
      const file = payroll.write('november.csv', [employee(1, { amount: '1100.00' })]);
      payFirstAfterSend();
      const settings = { settleForMs: 1_000 };

      for (const ran of [
        await payroll.run(file, { settings }),
        await payroll.resume('november', { settings }),
        await payroll.run(file, { settings }),
      ]) {
        expect(ran.exit).toBe(4);
        const alarms = ran.events.flatMap((event) => (event.kind === 'alarm' ? [event.message] : []));
        expect(alarms).toEqual([expect.stringContaining(first.transactionId)]);
        const [row] = payroll.results('november');
        expect(row).toMatchObject({ payrun_status: 'pending', payrun_attempt: '2', payrun_paid: '' });
        expect(row?.['payrun_reason']).toContain(
          `attempt 1, sent before the row was changed, was paid by ${first.transactionId}`,
        );
      }

      expect(service.payoutCalls()).toHaveLength(2);
      const seen = (await service.payouts()).map(({ number, amount }) => `${number} ${amount}`);
      expect(seen).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(1)} 1100.00`]);
      expect(await service.books()).toEqual([]);
    });

    test.each(['retried', 'corrected'])(
      'and that one comes back, it is %s as the third: never under a reference that was used',
      async (how) => {
        const { service, payroll, first, payFirstAfterSend } = await openCase(dedupe);
        await tryAgain(payroll);
        payFirstAfterSend();
        expect((await payroll.resume('november')).exit).toBe(0);
        const old = (await service.payouts()).map(({ transactionId }) => transactionId);
        service.interfere(calls((id) => (old.includes(id) ? 'FAILED' : undefined)));
        await payroll.resume('november', nextDay);
        expect(payroll.results('november')[0]).toMatchObject({
          payrun_status: 'returned',
          payrun_reference: first.reference,
        });

        if (how === 'retried') {
          await tryAgain(payroll);
          expect((await payroll.resume('november')).exit).toBe(0);
        } else {
          const file = payroll.write('november.csv', [employee(1, { amount: '1100.00' })]);
          expect((await payroll.run(file)).exit).toBe(0);
        }

        expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'paid', payrun_attempt: '3' });
        const references = [1, 2, 3].map((attempt) => referenceOf('november', 'paymentId', 'P001', attempt));
        expect(service.payoutCalls().map(({ reference }) => reference)).toEqual(references);
        expect((await service.payouts()).map(({ reference }) => reference)).toEqual(references);
        expect(await service.books()).toEqual([]);
      },
    );
  },
);

describe.each(dedupeModes)('where both attempts failed and the first pays late, with dedupe %s', (dedupe) => {
  test('the payout is paid by it after all, and that is said loudly', async () => {
    const { service, payroll, first, payFirst } = await openCase(dedupe);
    await tryAgain(payroll);
    expect((await payroll.resume('november')).exit).toBe(3);
    expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'failed', payrun_attempt: '2' });
    payFirst();

    const later = await payroll.resume('november', nextDay);

    expect(later.exit).toBe(0);
    expect(later.summary?.paidTwice).toEqual([]);
    const message = 'payment P001 was failed and is paid now';
    expect(later.events).toContainEqual({ kind: 'alarm', message });
    expect(payroll.results('november')[0]).toMatchObject({
      payrun_status: 'paid',
      payrun_reason: '',
      payrun_attempt: '1',
      payrun_reference: first.reference,
      payrun_transaction: first.transactionId,
    });
    expect(service.payoutCalls()).toHaveLength(2);
    expect((await service.payouts()).map(({ reference }) => reference)).toEqual([
      first.reference,
      service.payoutCalls()[1]?.reference,
    ]);
    expect(await service.books()).toEqual([]);
  });

  test('a row corrected in between stays failed, names what was paid, and no retry pays it again', async () => {
    const { service, payroll, first, payFirst } = await openCase(dedupe);
    const file = payroll.write('november.csv', [employee(1, { amount: '1100.00' })]);
    expect((await payroll.run(file)).exit).toBe(3);
    payFirst();

    const later = await payroll.resume('november', nextDay);

    expect(later.exit).toBe(3);
    const paid = `attempt 1, sent before the row was changed, was paid by ${first.transactionId}`;
    expect(later.events).toContainEqual({ kind: 'alarm', message: expect.stringContaining(paid) });
    const [row] = payroll.results('november');
    expect(row).toMatchObject({ payrun_status: 'failed', payrun_attempt: '2', payrun_paid: '' });
    expect(row?.['payrun_reason']).toContain(paid);
    await tryAgain(payroll);
    expect((await payroll.resume('november')).exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 held']);
    expect(service.payoutCalls()).toHaveLength(2);
    const seen = (await service.payouts()).map(({ number, amount }) => `${number} ${amount}`);
    expect(seen).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(1)} 1100.00`]);
    expect(await service.books()).toEqual([]);
  });
});

describe.each(dedupeModes)('a payout that failed, with dedupe %s', (dedupe) => {
  test('is failed, and not paid, where its refund stands beside it under the same reference', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const failing = employee(1, { phoneNumber: phoneOf(1, '99001') });
    await enrolStaff(service, [failing]);
    showRefunds(service.interfere);

    const ran = await payroll.run(payroll.write('november.csv', [failing]));

    expect(ran.exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 failed']);
    expect(ran.events.filter(({ kind }) => kind === 'alarm')).toEqual([]);
    expect(await service.sums('FAILED')).toEqual([`${phoneOf(1, '99001')} 1001.00`]);
    expect(await service.sums()).toEqual([]);
    expect(await service.books()).toEqual([]);
  });

  test('stays pending and is named where another withdrawal beside it has paid somebody', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const failing = employee(1, { phoneNumber: phoneOf(1, '99001') });
    await enrolStaff(service, [failing]);
    showRefunds(service.interfere, { amount: 77, receiverAmount: 77 });

    const ran = await payroll.run(payroll.write('november.csv', [failing]), {
      settings: { settleForMs: 1_000 },
    });

    expect(ran.exit).toBe(4);
    expect(payroll.statuses('november')).toEqual(['P001 pending']);
    expect(payroll.results('november')[0]?.['payrun_reason']).toContain('77');
    expect(service.payoutCalls()).toHaveLength(1);
    expect(await service.sums()).toEqual([]);
  });
});

/** What the first attempt that was called failed may do later. */
async function openCase(dedupe: Dedupe) {
  const { service, payroll, first } = await firstAttemptFailed(dedupe);
  /** As soon as the next attempt is out the first reads so, and that one failed. */
  const readFirstAfterSend = (status: 'SUCCESSFUL' | 'PENDING') => {
    let isSent = false;
    service.interfere((call) => {
      isSent ||= isPayout(call);
      return calls((id) => (isSent && id === first.transactionId ? status : 'FAILED'))(call);
    });
  };
  const payFirstAfterSend = () => readFirstAfterSend('SUCCESSFUL');
  /** The first reads successful, and every other one failed. */
  const payFirst = () =>
    service.interfere(calls((id) => (id === first.transactionId ? 'SUCCESSFUL' : 'FAILED')));
  return { service, payroll, first, payFirst, payFirstAfterSend, readFirstAfterSend };
}

/** Beside each transaction under a reference stands one that brought its money back. */
function showRefunds(
  interfere: (decide: (call: SeenCall) => Interference | undefined) => void,
  changes: Readonly<Record<string, unknown>> = { type: 'deposited' },
): void {
  const refund = 'RfndRfndRfndRfndRfnd';
  let paid = '';
  interfere((call) => {
    if (isLookUp(call)) return { kind: 'change', reply: withRefund };
    if (!call.path.startsWith('/transactions/')) return undefined;
    if (!call.path.includes(refund)) return { kind: 'change', reply: (text) => (paid = text) };
    const { data, ...reply } = JSON.parse(paid) as { data: object };
    const body = { ...reply, data: { ...data, transactionId: refund, status: 'SUCCESSFUL', ...changes } };
    return { kind: 'answer', status: 200, body };
  });

  function withRefund(text: string): string {
    const reply = JSON.parse(text) as { data: object[] };
    const data = reply.data.flatMap((each) => [each, { ...each, transactionId: refund }]);
    return JSON.stringify({ ...reply, data });
  }
}
