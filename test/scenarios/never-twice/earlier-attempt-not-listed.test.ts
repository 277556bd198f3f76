import { describe, expect, test } from 'vitest';
import { decidePaid } from '../../../src/decisions/decide.ts';
import type { ShownTransaction } from '../../../src/domain/payout/shown-transaction.ts';
import { reads, tryAgain } from '../../support/failed-attempt.ts';
import {
  type Cells,
  employee,
  enrolStaff,
  openPayroll,
  type Payroll,
  phoneOf,
} from '../../support/pay-run.ts';
import { type Dedupe, dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { startSeveralAccounts } from '../../support/several-accounts.ts';
import { isRead } from '../../support/shown-otherwise.ts';
import {
  type Interference,
  isLookUp,
  isPayout,
  type SeenCall,
  type WatchedService,
  watchService,
} from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

/** How the transaction of the first attempt came to be known. */
const ways = ['by its answer', 'by look-up', 'by a person'] as const;
type Way = (typeof ways)[number];

const emptyList: Interference = { kind: 'answer', status: 200, body: { success: true, data: [] } };

describe.each(dedupeModes)('a failed attempt that pays late and that no list shows, dedupe %s', (dedupe) => {
  test.each(ways)('is the payment where it was known %s: the retry is not sent', async (way) => {
    const { service, payroll, first } = await openCase(dedupe, way);
    await tryAgain(payroll);
    hideFromLists(service, first);

    const audit = await payroll.command(['audit', 'november', '--service']);
    const resumed = await payroll.resume('november');

    expect(audit.exit).toBe(3);
    expect(audit.stdout).toContain('paid-unawares: batch november, payment P001: called planned');
    expect(resumed.exit).toBe(0);
    expect(payroll.results('november')[0]).toMatchObject({
      payrun_status: 'paid',
      payrun_attempt: '1',
      payrun_transaction: first.transactionId,
    });
    expect(service.payoutCalls()).toHaveLength(1);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
    expect(await service.books()).toEqual([]);
  });

  test.each(ways)('keeps its corrected row from being sent where it was known %s', async (way) => {
    const { service, payroll, first } = await openCase(dedupe, way);
    const file = payroll.write('november.csv', [employee(1, { amount: '1100.00' })]);
    hideFromLists(service, first);

    const ran = await payroll.run(file);

    expect(ran.exit).toBe(3);
    const [row] = payroll.results('november');
    expect(row).toMatchObject({ payrun_status: 'held', payrun_attempt: '2' });
    expect(row?.['payrun_reason']).toContain(first.transactionId);
    expect(service.payoutCalls()).toHaveLength(1);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
    expect(await service.books()).toEqual([]);
  });

  test('is said to have paid twice where it pays only after the next one was sent', async () => {
    const { service, payroll, first } = await openCase(dedupe, 'by look-up');
    await tryAgain(payroll);
    hideFromLists(service, first, () => service.payoutCalls().length < 2);

    const resumed = await payroll.resume('november');

    expect(resumed.exit).toBe(3);
    const [, second] = await service.payouts();
    expect(resumed.summary?.paidTwice).toMatchObject([
      { key: 'P001', transactions: [second?.transactionId, first.transactionId] },
    ]);
    const by = `${second?.transactionId}, ${first.transactionId}`;
    const found = `paid-twice: batch november, payment P001: PAID TWICE, by the transactions ${by}`;
    for (const audited of [['audit'], ['audit', 'november'], ['audit', 'november', '--service']]) {
      const { exit, stdout } = await payroll.command(audited);
      expect([exit, stdout.split('\n')[1]]).toEqual([3, found]);
      expect(stdout.split('paid-twice:')).toHaveLength(2);
    }
    const all = await payroll.command(['status']);
    expect([all.exit, all.stdout.split('\n')[1]]).toEqual([
      3,
      expect.stringMatching(
        new RegExp(
          `^PAID TWICE: batch november, payment P001 \\(.+, KES 1,001\\.00\\) was paid by 2 transactions: ${by}$`,
        ),
      ),
    ]);
    const document = await payroll.command(['status', '--json']);
    expect(document.exit).toBe(3);
    expect(JSON.parse(document.stdout)).toMatchObject({
      batches: [{ batch: 'november', paidTwice: [{ payment: 'P001' }] }],
    });
    expect(service.payoutCalls()).toHaveLength(2);
    expect(await service.payouts()).toHaveLength(2);
  });
});

describe.each(dedupeModes)(
  'a failed attempt that stays failed and that no list shows, dedupe %s',
  (dedupe) => {
    test.each(ways)('lets its corrected row be sent where it was known %s', async (way) => {
      const { service, payroll, first } = await openCase(dedupe, way);
      const file = payroll.write('november.csv', [employee(1, { amount: '1100.00' })]);
      hideFromLists(service, first, () => true);

      const ran = await payroll.run(file);

      expect(ran.exit).toBe(0);
      expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'paid', payrun_attempt: '2' });
      expect((await service.payouts()).map(({ amount }) => amount)).toEqual(['1001.00', '1100.00']);
      expect(await service.books()).toEqual([]);
    });
  },
);

describe.each(dedupeModes)('a batch whose first attempt was found by look-up, dedupe %s', (dedupe) => {
  test('is not rebound to another account of the e-mail after a retry', async () => {
    const accounts = await startSeveralAccounts(dedupe);
    const { first: service, second } = accounts;
    const rows = [employee(1)];
    await enrolStaff(service, rows);
    await enrolStaff(second, rows);
    const { payroll } = await failed(service, rows, 'by look-up');
    await tryAgain(payroll);
    service.interfere();
    const other = openPayroll(second, payroll.folder);

    const rebound = await other.command(['rebind', 'november', '--reason', 'new keys', '--json']);

    expect(rebound.exit).toBe(6);
    expect(JSON.parse(rebound.stdout)).toMatchObject({ missing: [{ payment: 'P001', why: 'not-found' }] });
    expect((await other.resume('november')).exit).toBe(6);
    expect(await second.payouts()).toEqual([]);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
  });

  test('is rebound to its own account under a new key', async () => {
    const accounts = await startSeveralAccounts(dedupe);
    const { first: service } = accounts;
    await enrolStaff(service, [employee(1)]);
    const { payroll } = await failed(service, [employee(1)], 'by look-up');
    await tryAgain(payroll);
    service.interfere();
    const rotated = accounts.rotated({ apiKey: 'sk_new', publicKey: 'pk_new' });
    const own = openPayroll(rotated, payroll.folder);

    const rebound = await own.command(['rebind', 'november', '--reason', 'new keys']);

    expect(rebound.exit).toBe(0);
    expect(rebound.stdout).toContain('The one payout that was sent is found there.');
    expect((await own.resume('november')).exit).toBe(0);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
    expect(service.payoutCalls()).toHaveLength(1);
  });
});

async function openCase(dedupe: Dedupe, way: Way) {
  const service = await watchService(await startPayrollService(dedupe));
  await enrolStaff(service, [employee(1)]);
  return failed(service, [employee(1)], way);
}

/** A batch november of one payment: the service pays it and calls it failed. */
async function failed(service: WatchedService, rows: readonly Cells[], way: Way) {
  const payroll = openPayroll(service);
  service.interfere((call) => {
    if (isPayout(call) && way !== 'by its answer') return { kind: 'lose-reply' };
    if (isLookUp(call) && way === 'by a person') return emptyList;
    return isRead(call) || isLookUp(call) ? reads('FAILED') : undefined;
  });
  const ran = await payroll.run(payroll.write('november.csv', rows), { settings: { resends: 0 } });
  const [first] = await service.payouts();
  if (!first) throw new Error('the service holds no payout');
  if (way === 'by a person') await decideFailed(payroll, first.transactionId);
  else expect(ran.exit).toBe(3);
  return { service, payroll, first };
}

/** As `decide --paid` does it with a transaction that the service calls failed. */
async function decideFailed(payroll: Payroll, transactionId: string): Promise<void> {
  expect(payroll.statuses('november')).toEqual(['P001 unknown']);
  const shown: ShownTransaction = {
    transactionId,
    type: 'withdrew',
    status: 'FAILED',
    amount: 1001,
    currency: 'KES',
  };
  const decided = await payroll.decide('november', () => ({
    choice: { kind: 'named', ids: ['P001'] },
    rule: (payout) => decidePaid(payout, shown, undefined, Date.now(), 'the service says so'),
    repeats: undefined,
  }));
  expect(decided).toEqual({ moved: 1, left: 0 });
}

type Made = Awaited<ReturnType<WatchedService['payouts']>>[number];

/** Its list leaves the first attempt out; read by itself it is shown as it is, or as failed. */
function hideFromLists(service: WatchedService, first: Made, isFailed = () => false): void {
  service.interfere((call: SeenCall) => {
    if (isLookUp(call) && call.reference === first.reference) return emptyList;
    return call.path.endsWith(first.transactionId) && isFailed() ? reads('FAILED') : undefined;
  });
}
