import { describe, expect, test } from 'vitest';
import { cancel } from '../../../src/decisions/cancel.ts';
import type { Decision } from '../../../src/decisions/carry-out.ts';
import { release } from '../../../src/decisions/release.ts';
import { retry } from '../../../src/decisions/retry.ts';
import { calls, firstAttemptFailed, tryAgain } from '../../support/failed-attempt.ts';
import { expectPaidOnce } from '../../support/paid-once.ts';
import {
  employee,
  enrolStaff,
  hastyClock,
  openPayroll,
  type Payroll,
  phoneOf,
  type Ran,
} from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { isLookUp, isPayout, watchService } from '../../support/watched-service.ts';

const inDays = (days: number) => ({
  clock: hastyClock({ shiftMs: days * 24 * 60 * 60 * 1000 }),
  settings: { settleForMs: 2_000 },
});
const november = { name: 'november', keyKind: 'paymentId' } as const;

function alarmsOf({ events }: Pick<Ran, 'events'>): string[] {
  return events.flatMap((event) => (event.kind === 'alarm' ? [event.message] : []));
}

function decide(payroll: Payroll, decision: Decision) {
  return payroll.decide('november', () => decision);
}

const one = { kind: 'named', ids: ['P001'] } as const;

describe('A journal that was put back to an older state', () => {
  test('finds the later attempt of one that it takes for failed, and nobody is told to pay it again', async () => {
    const { service, payroll, first } = await firstAttemptFailed('off');
    const copy = await payroll.store.copy();
    service.interfere(calls((id) => (id === first.transactionId ? 'FAILED' : undefined)));
    await tryAgain(payroll);
    expect((await payroll.resume('november', inDays(0))).exit).toBe(0);
    const paid = payroll.results('november')[0];
    expect(paid).toMatchObject({ payrun_attempt: '2', payrun_status: 'paid' });
    await payroll.store.restore(copy);

    const resumed = await payroll.resume('november', inDays(2));

    expect(resumed.exit).toBe(0);
    expect(alarmsOf(resumed)).toEqual([
      expect.stringContaining('payment P001 was failed, yet the service holds it as transaction'),
    ]);
    expect(payroll.results('november')[0]).toMatchObject({
      payrun_attempt: '2',
      payrun_status: 'paid',
      payrun_transaction: paid?.['payrun_transaction'],
    });
    expect(service.payoutCalls()).toHaveLength(2);
  });

  test('finds what was held or cancelled in it, and was released or brought back and paid since', async () => {
    const service = await watchService(await startPayrollService());
    const payroll = openPayroll(service);
    await service.enrol([{ number: phoneOf(1), name: 'HASSAN MUKASA' }]);
    await enrolStaff(service, [employee(2)]);
    await payroll.run(payroll.write('november.csv', [employee(1), employee(2)]));
    expect(payroll.statuses('november')).toEqual(['P001 held', 'P002 paid']);
    const held = await payroll.store.copy();
    await decide(payroll, { choice: one, rule: (payout) => cancel(payout, 'no', []), repeats: undefined });
    const cancelled = await payroll.store.copy();
    await decide(payroll, {
      choice: one,
      rule: (payout) => retry(payout, november, 'decision x', 'yes'),
      repeats: undefined,
    });
    await payroll.resume('november', inDays(0));
    await decide(payroll, {
      choice: one,
      rule: (payout) => release(payout, 'named', 'decision y', 'it is him'),
      repeats: undefined,
    });
    expect((await payroll.resume('november', inDays(0))).exit).toBe(0);
    for (const copy of [held, cancelled]) {
      await payroll.store.restore(copy);
      const resumed = await payroll.resume('november', inDays(2));
      expect(alarmsOf(resumed)).toContainEqual(
        expect.stringMatching(/P001 was (held|cancelled), yet the service/),
      );
      expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 paid']);
    }
    await expectPaidOnce(service, [employee(1), employee(2)]);
  });
});

test('what was refused, though it was carried out, is found after a person has cancelled it', async () => {
  const service = await watchService(await startPayrollService('off'));
  const payroll = openPayroll(service);
  await enrolStaff(service, [employee(1), employee(2)]);
  const refusal = { success: false, message: 'Declined by the provider', errorCode: 'E-PAY.S-99' };
  const isOne = (body: string) => (JSON.parse(body) as { amount: number }).amount === 1001;
  let reference: string | undefined;
  service.interfere((call) => {
    if (isPayout(call) && isOne(call.body)) {
      reference = call.reference;
      return { kind: 'change', status: 400, reply: () => JSON.stringify(refusal) };
    }
    if (!isLookUp(call) || call.reference !== reference) return undefined;
    return { kind: 'change', reply: (text) => JSON.stringify({ ...JSON.parse(text), data: [] }) };
  });
  await payroll.run(payroll.write('november.csv', [employee(1), employee(2)]));
  expect(payroll.statuses('november')).toEqual(['P001 refused', 'P002 paid']);
  await decide(payroll, {
    choice: one,
    rule: (payout) => retry(payout, november, 'decision x', 'once more'),
    repeats: undefined,
  });
  await decide(payroll, { choice: one, rule: (payout) => cancel(payout, 'no', []), repeats: undefined });
  service.interfere();

  const resumed = await payroll.resume('november', inDays(1));

  expect(alarmsOf(resumed)).toEqual([
    expect.stringContaining('P001 was cancelled, yet the service holds it'),
  ]);
  expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 paid']);
  await expectPaidOnce(service, [employee(1), employee(2)]);
});

test('what was sent by this journal was not made before that, whatever time the service shows', async () => {
  const service = await watchService(await startPayrollService('off'));
  const payroll = openPayroll(service);
  await enrolStaff(service, [employee(1)]);
  const begun = new Date(Date.now() - 1_000).toISOString();
  const longAgo = (text: string) =>
    text.replaceAll(/"fullTimestamp":"[^"]*"/g, '"fullTimestamp":"2024-03-01T10:00:00.000Z"');
  service.interfere((call) => {
    if (isPayout(call)) return { kind: 'change', status: 502, reply: () => 'gateway' };
    return call.path.startsWith('/transactions') ? { kind: 'change', reply: longAgo } : undefined;
  });

  expect((await payroll.run(payroll.write('november.csv', [employee(1)]))).exit).toBe(0);

  const [row] = payroll.results('november');
  expect(row?.['payrun_submitted_at'] ?? '').toMatch(/^\d{4}-/);
  expect(Date.parse(row?.['payrun_submitted_at'] ?? '')).toBeGreaterThanOrEqual(
    Date.parse(begun.slice(0, 19)),
  );
  const again = await payroll.run(payroll.write('again.csv', [employee(1)]));
  expect(again).toMatchObject({ exit: 6, code: 'repeats' });
  await expectPaidOnce(service, [employee(1)]);
});
