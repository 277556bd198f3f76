import { expect, test } from 'vitest';
import { cancel } from '../../../src/decisions/cancel.ts';
import { release } from '../../../src/decisions/release.ts';
import { retry } from '../../../src/decisions/retry.ts';
import { calls, firstAttemptFailed } from '../../support/failed-attempt.ts';
import { employee, enrolStaff, hastyClock, interruptedAfter, phoneOf } from '../../support/pay-run.ts';

const nextDay = {
  clock: hastyClock({ shiftMs: 24 * 60 * 60 * 1000 }),
  settings: { settleForMs: 2_000 },
};

/** What failed in november is taken into another batch, which is not sent; then november's turns out to be paid. */
async function acceptedBeside() {
  const { service, payroll } = await firstAttemptFailed('off');
  await enrolStaff(service, [employee(2)]);
  const again = payroll.write('again.csv', [employee(1), employee(2)]);
  expect((await payroll.run(again, interruptedAfter(0))).planned?.plan.guards).toEqual([]);
  expect(payroll.statuses('again')).toEqual(['P001 not_sent', 'P002 not_sent']);
  service.interfere();
  return { service, payroll };
}

test('a payout that waited is held where the one that it repeats was paid after all; a person lets it pass', async () => {
  const { service, payroll } = await acceptedBeside();
  expect(await payroll.resume('november', nextDay)).toMatchObject({ exit: 0 });

  const resumed = await payroll.resume('again');

  expect(resumed.exit).toBe(3);
  expect(payroll.results('again')[0]).toMatchObject({
    payrun_status: 'held',
    payrun_code: 'repeats-since',
    payrun_reason: expect.stringContaining(
      'payment P001 of batch november pays the same to the same account',
    ),
  });
  expect(payroll.statuses('again')).toEqual(['P001 held', 'P002 paid']);
  expect((await service.sums()).sort()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(2)} 1002.00`]);

  // Twice, because somebody said so.
  await payroll.decide('again', (run) => ({
    choice: { kind: 'named', ids: ['P001'] },
    rule: (payout) => release(payout, 'named', run, 'he gets it twice'),
    repeats: undefined,
  }));
  expect((await payroll.resume('again')).exit).toBe(0);
  expect(await service.sums()).toHaveLength(3);
});

test('so it is where one resume of all finds out and carries on', async () => {
  const { service, payroll } = await acceptedBeside();
  const resumed = await payroll.payrun(['resume', '--settle-for', '5s', '--timeout', '5s']);
  expect(resumed.exit).toBe(3);
  expect(await service.sums()).toHaveLength(2);
});

test('and where nobody has read since that it is paid, it is read before the other is sent', async () => {
  const { service, payroll } = await acceptedBeside();

  expect((await payroll.resume('again')).exit).toBe(3);

  expect(payroll.statuses('again')).toEqual(['P001 held', 'P002 paid']);
  expect(payroll.statuses('november')).toEqual(['P001 failed']);
  expect(await service.sums()).toHaveLength(2);
});

test('a run reads it as well, just before it sends', async () => {
  const { service, payroll } = await firstAttemptFailed('off');
  service.interfere();

  expect((await payroll.run(payroll.write('again.csv', [employee(1)]))).exit).toBe(3);

  expect(payroll.results('again')[0]).toMatchObject({ payrun_status: 'held', payrun_code: 'repeats-since' });
  expect(await service.sums()).toHaveLength(1);
});

test('what a person was asked about since, and let through, is not held again', async () => {
  const { service, payroll } = await acceptedBeside();
  expect(await payroll.resume('november', { settings: { settleForMs: 2_000 } })).toMatchObject({ exit: 0 });
  const one = { kind: 'named', ids: ['P001'] } as const;
  const again = { name: 'again', keyKind: 'paymentId' } as const;
  await payroll.decide('again', () => ({
    choice: one,
    rule: (payout) => cancel(payout, 'by mistake', []),
    repeats: undefined,
  }));
  await payroll.decide('again', (run) => ({
    choice: one,
    rule: (payout) => retry(payout, again, run, 'he gets it twice'),
    repeats: undefined,
  }));

  expect((await payroll.resume('again')).exit).toBe(0);
  expect(await service.sums()).toHaveLength(3);
});

test('one that is failed still holds up nobody', async () => {
  const { service, payroll, first } = await firstAttemptFailed('off');
  service.interfere(calls((id) => (id === first.transactionId ? 'FAILED' : undefined)));
  await payroll.run(payroll.write('again.csv', [employee(1)]), interruptedAfter(0));
  await payroll.resume('november', nextDay);

  expect((await payroll.resume('again')).exit).toBe(0);
});
