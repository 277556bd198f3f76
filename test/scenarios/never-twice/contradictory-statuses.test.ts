import { describe, expect, test } from 'vitest';
import { decidePaid } from '../../../src/decisions/decide.ts';
import { retry } from '../../../src/decisions/retry.ts';
import { firstAttemptFailed, tryAgain } from '../../support/failed-attempt.ts';
import { employee, enrolStaff, openPayroll, type Payroll, phoneOf } from '../../support/pay-run.ts';
import { type Dedupe, dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { isSeeing, showsOtherwise } from '../../support/shown-otherwise.ts';
import { isPayout, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const both = { status: 'FAILED', chargeStatus: 'successful' };
const shortly = { settings: { settleForMs: 200 } } as const;

async function onePayment(dedupe: Dedupe) {
  const service = await watchService(await startPayrollService(dedupe));
  const payroll = openPayroll(service);
  await enrolStaff(service, [employee(1)]);
  return { service, payroll, file: payroll.write('november.csv', [employee(1)]) };
}

/** How many payments a `retry` of the whole batch would bring back. */
async function retryAll(payroll: Payroll): Promise<number> {
  const { moved } = await payroll.decide('november', (run) => ({
    choice: { kind: 'states', states: ['failed', 'refused'] },
    rule: (payout) => retry(payout, { name: 'november', keyKind: 'paymentId' }, run, ''),
    repeats: undefined,
  }));
  return moved;
}

function reasonOf(payroll: Payroll): string {
  return payroll.results('november')[0]?.['payrun_reason'] ?? '';
}

describe.each(dedupeModes)('a status that contradicts itself, with dedupe %s', (dedupe) => {
  test('leaves a payment pending and named, and nothing of it can be retried into a second one', async () => {
    const { service, payroll, file } = await onePayment(dedupe);
    service.interfere((call) => (isSeeing(call) ? showsOtherwise(() => both) : undefined));

    const ran = await payroll.run(file, shortly);

    expect(ran.exit).toBe(4);
    expect(payroll.statuses('november')).toEqual(['P001 pending']);
    for (const word of ['FAILED', 'successful']) expect(reasonOf(payroll)).toContain(word);
    const alarms = ran.events.filter(({ kind }) => kind === 'alarm');
    expect(alarms).toEqual([expect.objectContaining({ message: expect.stringContaining('FAILED') })]);
    expect(await retryAll(payroll)).toBe(0);
    expect((await payroll.command(['audit', 'november', '--service'])).stdout).toContain(
      'status-contradicts: batch november, payment P001: the service calls transaction',
    );
    expect((await payroll.resume('november', shortly)).exit).toBe(4);
    expect((await payroll.run(file, shortly)).exit).toBe(4);

    service.interfere();
    expect((await payroll.resume('november')).exit).toBe(0);
    expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'paid', payrun_reason: '' });
    expect(service.payoutCalls()).toHaveLength(1);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
  });

  test('of an earlier attempt keeps the next one from going out', async () => {
    const { service, payroll } = await firstAttemptFailed(dedupe);
    await tryAgain(payroll);
    service.interfere((call) => (isSeeing(call) ? showsOtherwise(() => both) : undefined));

    const resumed = await payroll.resume('november', shortly);

    expect(resumed.exit).toBe(4);
    expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'pending', payrun_attempt: '1' });
    expect(reasonOf(payroll)).toContain('FAILED');
    expect(service.payoutCalls()).toHaveLength(1);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
  });

  test('found after a lost reply is no failure either: nothing is sent again', async () => {
    const { service, payroll, file } = await onePayment(dedupe);
    service.interfere((call) => {
      if (isPayout(call)) return { kind: 'lose-reply' };
      return isSeeing(call) ? showsOtherwise(() => both) : undefined;
    });

    expect((await payroll.run(file, shortly)).exit).toBe(4);

    expect(payroll.statuses('november')).toEqual(['P001 pending']);
    expect(reasonOf(payroll)).toContain('FAILED');
    expect(service.payoutCalls()).toHaveLength(1);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
  });
});

test('a person who says that it was paid is believed no further than that it is pending', () => {
  const payout = { state: 'unclear', key: 'P001', currency: 'KES', amountMinor: 100n } as Parameters<
    typeof decidePaid
  >[0];
  const ruling = decidePaid(payout, { transactionId: 'T1', ...both }, undefined, 0, 'seen');
  expect(ruling).toMatchObject({ kind: 'moves', move: { to: 'submitted' } });
  expect(JSON.stringify(ruling)).toContain('FAILED');
});

test('a read that answers with another transaction, which failed, does not make an earlier attempt failed', async () => {
  const { service, payroll, first } = await firstAttemptFailed('off');
  await tryAgain(payroll);
  const another = { transactionId: 'TXofSomebodyElse1234', status: 'FAILED', chargeStatus: 'failed' };
  service.interfere((call) =>
    call.path.includes(first.transactionId) ? showsOtherwise(() => another) : undefined,
  );

  const resumed = await payroll.resume('november', shortly);

  expect(resumed.exit).toBe(3);
  expect(payroll.statuses('november')).toEqual(['P001 held']);
  expect(service.payoutCalls()).toHaveLength(1);
  expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
});
