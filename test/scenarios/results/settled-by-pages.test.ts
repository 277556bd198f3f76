import { describe, expect, test } from 'vitest';
import { employee, enrolStaff, hastyClock, openPayroll } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { isRead, type Shown, showsOtherwise } from '../../support/shown-otherwise.ts';
import { isSent, stopAfter } from '../../support/stop-run.ts';
import {
  isPage,
  isPayout,
  type SeenCall,
  type WatchedService,
  watchService,
} from '../../support/watched-service.ts';

const staff = Array.from({ length: 40 }, (_, number) => employee(number));
const everybodyPaid = staff.map(({ paymentId }) => `${paymentId} paid`);

async function november(settleAfterMs = 0) {
  const service = await watchService(await startPayrollService('off', { settleAfterMs }));
  const payroll = openPayroll(service);
  await enrolStaff(service, staff);
  const file = payroll.write('november.csv', staff);
  const reads = () => service.calls.filter(isRead).length;
  const pages = () => service.calls.filter(isPage).length;
  return { service, payroll, file, reads, pages };
}

/** Every page shows something else of one payment; the single read shows it as it is. Not the one that went alone. */
function pagesShow(change: (row: Shown) => Partial<Shown>) {
  const changed = showsOtherwise((row) => (row['amount'] === 1005 ? change(row) : {}));
  return (call: SeenCall) => (isPage(call) ? changed : undefined);
}

/** Somebody is paid by payrun; what it asked the service for. */
async function payOne(service: WatchedService): Promise<Record<string, unknown>[]> {
  const other = openPayroll(service);
  const somebody = employee(900);
  await enrolStaff(service, [somebody]);
  expect((await other.run(other.write('others.csv', [somebody]))).exit).toBe(0);
  return service.payoutCalls().map(({ body }) => JSON.parse(body) as Record<string, unknown>);
}

function cutOff(amount: number) {
  return { amount: Math.floor(amount), receiverAmount: Math.floor(amount) };
}

describe('Payouts that have ended', () => {
  test('are settled ten at a call', async () => {
    const { payroll, file, reads, pages } = await november();

    // Sent one after the other: of several at once one may be held up on a busy machine, and stand far from the rest.
    await payroll.run(file, { settings: { concurrency: 1 }, ...stopAfter(staff.length, isSent) });
    expect(pages()).toBe(0);
    const readBefore = reads();

    // Settled several stretches at a time.
    expect((await payroll.run(file, { settings: { concurrency: 8 } })).exit).toBe(0);

    expect(payroll.statuses('november')).toEqual(everybodyPaid);
    // Whatever a page has missed is read singly.
    expect(reads() - readBefore).toBeLessThan(10);
    expect(pages()).toBeGreaterThan(3);
    expect(pages()).toBeLessThan(20);
  });

  test('also where others are paid between them all the time', async () => {
    const { service, payroll, file, reads } = await november();
    const [someone] = await payOne(service);
    let number = 0;
    const payOthers = async () => {
      for (let count = 0; count < 3; count += 1) {
        number += 1;
        const externalReference = `others-${number}`;
        await service.caller.post('/fiat/payout', { ...someone, externalReference });
      }
    };
    service.interfere((call) => (isPayout(call) ? { kind: 'wait', until: payOthers() } : undefined));

    const timeoutMs = 20_000;
    const stopped = stopAfter(staff.length, isSent);
    await payroll.run(file, { settings: { timeoutMs, concurrency: 1 }, ...stopped });
    const readBefore = reads();

    expect((await payroll.run(file, { settings: { timeoutMs, concurrency: 8 } })).exit).toBe(0);

    expect(payroll.statuses('november')).toEqual(everybodyPaid);
    expect(reads() - readBefore).toBeLessThan(10);
  });

  test('are read singly where the list knows no place to go on from', async () => {
    const { service, payroll, file, pages } = await november();
    service.interfere((call) =>
      isPage(call) && call.path.includes('transactionId=')
        ? { kind: 'answer', status: 400, body: {} }
        : undefined,
    );

    expect((await payroll.run(file)).exit).toBe(0);

    expect(payroll.statuses('november')).toEqual(everybodyPaid);
    expect(pages()).toBeLessThan(20);
  });
});

describe('A page does not settle', () => {
  test.each<[string, (row: Shown) => Partial<Shown>]>([
    ['what shows another amount', () => ({ amount: 1, receiverAmount: 1 })],
    ['what shows no amount', () => ({ amount: null, receiverAmount: null })],
    ['what shows another account', () => ({ beneficiary: { accountNumber: '+254799999999' } })],
    ['what shows no account', () => ({ beneficiary: null, phoneNumber: '' })],
    ['what it calls failed', () => ({ status: 'FAILED', chargeStatus: 'failed' })],
    ['what contradicts itself', () => ({ status: 'SUCCESSFUL', chargeStatus: 'failed' })],
  ])('%s: the single read is asked', async (_, change) => {
    const { service, payroll, file } = await november();
    service.interfere(pagesShow(change));

    expect((await payroll.run(file)).exit).toBe(0);

    expect(payroll.statuses('november')).toEqual(everybodyPaid);
    const id = payroll.results('november')[5]?.['payrun_transaction'];
    expect(id).not.toBe('');
    // More than once where an answer did not come in time.
    expect(service.calls.filter((call) => isRead(call) && call.path.endsWith(`${id}`))).not.toEqual([]);
  });

  test('an amount that the list has cut', async () => {
    const service = await watchService(await startPayrollService('off', { settleAfterMs: 0 }));
    const payroll = openPayroll(service);
    const rows = [1, 2, 3].map((number) => employee(number, { amount: `${number}00.50` }));
    await enrolStaff(service, rows);
    service.interfere((call) =>
      isPage(call) ? showsOtherwise(({ amount }) => cutOff(Number(amount))) : undefined,
    );

    expect((await payroll.run(payroll.write('november.csv', rows))).exit).toBe(0);

    const said = payroll.results('november').map((row) => `${row['payrun_status']} ${row['payrun_reason']}`);
    expect(said).toEqual(['paid ', 'paid ', 'paid ']);
  });

  test('what is pending, and in every third round it is read singly: a list may lag', async () => {
    const { service, payroll, file, reads } = await november();
    service.interfere((call) =>
      isPage(call) ? showsOtherwise(() => ({ status: 'PENDING', chargeStatus: 'pending' })) : undefined,
    );

    const ran = await payroll.run(file, { clock: hastyClock() });

    expect(ran.exit).toBe(0);
    expect(ran.events.filter(({ kind }) => kind === 'waiting')).toHaveLength(2);
    expect(payroll.statuses('november')).toEqual(everybodyPaid);
    expect(reads()).toBeGreaterThanOrEqual(staff.length);
  });
});
