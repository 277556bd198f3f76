import { describe, expect, test } from 'vitest';
import { enrolStaff, hastyClock, openPayroll, type Ran, staff } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { isRead, isSeeing, type Shown, showsOtherwise } from '../../support/shown-otherwise.ts';
import { isPayout, watchService } from '../../support/watched-service.ts';

const inDays = (days: number) => ({
  clock: hastyClock({ shiftMs: days * 24 * 60 * 60 * 1000 }),
  settings: { settleForMs: 200 },
});
const decide = ['decide', 'november', '--payment', 'P001', '--still-paid', '--reason', 'the bank shows it'];

function alarmsOf({ events }: Pick<Ran, 'events'>): string[] {
  return events.flatMap((event) => (event.kind === 'alarm' ? [event.message] : []));
}

/** One that is paid, and that the service calls pending a day later. */
async function doubted() {
  const service = await watchService(await startPayrollService('off', { settleAfterMs: 0 }));
  const payroll = openPayroll(service);
  await enrolStaff(service, staff(1));
  expect((await payroll.run(payroll.write('november.csv', staff(1)))).exit).toBe(0);
  const says = (change: object | undefined) =>
    service.interfere((call) =>
      change && isSeeing(call) ? showsOtherwise((_: Shown) => ({ ...change })) : undefined,
    );
  says({ status: 'PENDING', chargeStatus: 'pending' });
  expect(await payroll.resume('november', inDays(1))).toMatchObject({ exit: 3, summary: { doubted: 1 } });
  return { service, payroll, says };
}

describe('A paid one of which the service has said something else since', () => {
  test('is shown with what a person can say of it', async () => {
    const { payroll } = await doubted();

    const status = await payroll.command(['status', 'november']);

    expect(status.exit).toBe(3);
    expect(status.stdout).toMatch(/P001, .*KES 1,001\.00: the service calls its transaction \S+ pending now/);
    expect(status.stdout).toContain('payrun decide november --payment P001 --still-paid --reason why');
  });

  test('is no alarm of anybody any more once a person has said that it is paid, and says who and why', async () => {
    const { service, payroll } = await doubted();

    const decided = await payroll.command(decide);

    expect(decided).toMatchObject({ exit: 0 });
    expect(decided.stdout).toContain('1 payout decided, KES 1,001.00. This command sends nothing');
    expect(decided.stdout).not.toContain('retry');
    expect(await payroll.command(['status', 'november'])).toMatchObject({ exit: 0 });
    expect(await payroll.command(['status', '--check'])).toMatchObject({ exit: 0 });
    expect(payroll.results('november')[0]).toMatchObject({
      payrun_status: 'paid',
      payrun_paid: '1001.00',
      payrun_code: 'paid-yet-pending',
      payrun_reason: expect.stringMatching(/pending now; \S+ decided: it is paid: the bank shows it$/),
    });
    const later = await payroll.resume('november', inDays(3));
    expect(later).toMatchObject({ exit: 0, summary: { doubted: 0 } });
    expect(alarmsOf(later)).toEqual([]);
    // Paid on the first day, and not by the word of a person now.
    expect(later.summary?.totals['KES']).toMatchObject({ paidNowMinor: 0n, paidBeforeMinor: 100_100n });
    expect((await payroll.command(['log', 'november', '--payment', 'P001'])).stdout).toContain(
      'decided: it is paid: the bank shows it',
    );
    expect(await payroll.command(['audit', 'november'])).toMatchObject({ exit: 0 });
    expect((await payroll.command(['audit', 'november', '--service'])).stdout).toContain('not-paid: ');
    expect(service.calls.filter(isPayout)).toHaveLength(1);
  });

  test('is read on, and what the service says besides is told', async () => {
    const { service, payroll, says } = await doubted();
    await payroll.command(decide);

    says({ status: 'FAILED', chargeStatus: 'successful' });
    const other = await payroll.resume('november', inDays(3));
    expect(other).toMatchObject({ exit: 3, summary: { doubted: 1 } });
    expect(alarmsOf(other)).toEqual([expect.stringContaining('both FAILED and successful')]);

    // What it said first is another doubt again.
    says({ status: 'PENDING', chargeStatus: 'pending' });
    expect(await payroll.resume('november', inDays(5))).toMatchObject({ exit: 3 });

    await payroll.command(decide);
    says(undefined);
    expect(await payroll.resume('november', inDays(7))).toMatchObject({ exit: 0 });
    says({ status: 'PENDING', chargeStatus: 'pending' });
    expect(await payroll.resume('november', inDays(9))).toMatchObject({ exit: 3 });

    await payroll.command(decide);
    const before = service.calls.filter(isRead).length;
    expect(await payroll.resume('november', inDays(40))).toMatchObject({ exit: 0 });
    expect(service.calls.filter(isRead).length).toBeGreaterThan(before);
  });

  test('and comes back after all is returned', async () => {
    const { payroll, says } = await doubted();
    await payroll.command(decide);
    says({ status: 'FAILED', chargeStatus: 'failed' });

    expect(await payroll.resume('november', inDays(3))).toMatchObject({ exit: 3 });

    expect(payroll.statuses('november')).toEqual(['P001 returned']);
  });

  test('stays as it is where there is nothing to say of it', async () => {
    const { payroll, says } = await doubted();
    await payroll.command(decide);
    const again = await payroll.command(decide);
    expect(again).toMatchObject({ exit: 3 });
    expect(again.stdout).toContain('it was decided already that it is paid');

    says(undefined);
    await payroll.resume('november', inDays(3));
    const clear = await payroll.command(decide);
    expect(clear).toMatchObject({ exit: 3 });
    expect(clear.stdout).toContain('it is paid, and the service has said nothing else of it');
  });

  test('whose transaction is gone stays decided, whatever words the service has for that', async () => {
    const { service, payroll } = await doubted();
    let asked = 0;
    service.interfere((call) => {
      if (!isRead(call)) return undefined;
      asked += 1;
      const message = `Transaction not found, request ${asked}.`;
      return { kind: 'answer', status: 404, body: { success: false, errorCode: 'E-GEN.S-04', message } };
    });
    expect(await payroll.resume('november', inDays(3))).toMatchObject({ exit: 3 });
    await payroll.command(decide);

    expect(await payroll.resume('november', inDays(5))).toMatchObject({ exit: 0 });
    expect(await payroll.resume('november', inDays(7))).toMatchObject({ exit: 0 });
    expect(payroll.results('november')[0]).toMatchObject({ payrun_code: 'paid-yet-gone' });
  });
});
