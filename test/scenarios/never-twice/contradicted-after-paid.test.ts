import { describe, expect, test } from 'vitest';
import { retry } from '../../../src/decisions/retry.ts';
import {
  enrolStaff,
  hastyClock,
  interruptedAfter,
  openPayroll,
  type Payroll,
  type Ran,
  staff,
} from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { isRead, isSeeing, type Shown, showsOtherwise } from '../../support/shown-otherwise.ts';
import {
  type Interference,
  isLookUp,
  isPage,
  isPayout,
  type SeenCall,
  watchService,
} from '../../support/watched-service.ts';

type Interfere = (call: SeenCall) => Interference | undefined;

/** So many days later, when what was paid is read again. */
const inDays = (days: number) => ({
  clock: hastyClock({ shiftMs: days * 24 * 60 * 60 * 1000 }),
  settings: { settleForMs: 200 },
});

const isListing = (call: SeenCall) => isLookUp(call) || isPage(call);
const failed = { status: 'FAILED', chargeStatus: 'failed' };
const gone = {
  kind: 'answer',
  status: 404,
  body: { success: false, errorCode: 'E-GEN.S-04', message: 'Transaction not found.' },
} as const;

const shows =
  (which: (call: SeenCall) => boolean, change: (shown: Shown) => object): Interfere =>
  (call) =>
    which(call) ? showsOtherwise((shown) => ({ ...change(shown) })) : undefined;

const another = (shown: Shown) => ({
  beneficiary: { ...(shown['beneficiary'] as object), accountNumber: '254799999999' },
  phoneNumber: '254799999999',
});

async function paid(people = 1) {
  const service = await watchService(await startPayrollService('off', { settleAfterMs: 0 }));
  const payroll = openPayroll(service);
  await enrolStaff(service, staff(people));
  const file = payroll.write('november.csv', staff(people));
  expect((await payroll.run(file)).exit).toBe(0);
  return { service, payroll, file };
}

function alarmsOf({ events }: Pick<Ran, 'events'>): string[] {
  return events.flatMap((event) => (event.kind === 'alarm' ? [event.message] : []));
}

function retryOne(payroll: Payroll) {
  return payroll.decide('november', (run) => ({
    choice: { kind: 'named', ids: ['P001'] },
    rule: (payout) => retry(payout, { name: 'november', keyKind: 'paymentId' }, run, 'once more'),
    repeats: undefined,
  }));
}

describe('A paid payment that is read again the next day', () => {
  test.each<[string, Interfere, code: string, word: string, found: string]>([
    [
      'failed in the list and successful by itself',
      shows(isListing, () => failed),
      'status-contradicts',
      'both SUCCESSFUL and FAILED',
      'status-contradicts: ',
    ],
    [
      'successful in the list and failed by itself',
      shows(isRead, () => failed),
      'status-contradicts',
      'both FAILED and SUCCESSFUL',
      'status-contradicts: ',
    ],
    [
      'of two minds by itself',
      shows(isRead, () => ({ status: 'FAILED', chargeStatus: 'successful' })),
      'status-contradicts',
      'both FAILED and successful',
      'status-contradicts: ',
    ],
    [
      'of another amount',
      shows(isSeeing, () => ({ amount: 7, receiverAmount: 7 })),
      'not-this-payout',
      'its amount is 7',
      'not-ours: ',
    ],
    [
      'of another amount, and failed',
      shows(isSeeing, () => ({ ...failed, amount: 7, receiverAmount: 7 })),
      'not-this-payout',
      'its amount is 7',
      'not-ours: ',
    ],
    [
      'of another amount in the list alone',
      shows(isListing, () => ({ amount: 7, receiverAmount: 7 })),
      'not-this-payout',
      'its amount is 7',
      'not-ours: ',
    ],
    ['of another payee', shows(isSeeing, another), 'not-this-payout', 'another account', 'not-ours: '],
    [
      'under another reference',
      shows(isRead, () => ({ externalReference: 'somebody-else' })),
      'not-this-payout',
      'another reference',
      'not-checked: ',
    ],
    [
      'nowhere any more',
      (call) => {
        if (isRead(call)) return gone;
        return isListing(call) ? { kind: 'change', reply: () => '{"success":true,"data":[]}' } : undefined;
      },
      'paid-yet-gone',
      'Transaction not found',
      'not-paid: ',
    ],
    [
      'in the list, and not found by itself',
      (call) => (isRead(call) ? gone : undefined),
      'paid-yet-gone',
      'Transaction not found',
      'not-checked: ',
    ],
    [
      'pending once more',
      shows(isSeeing, () => ({ status: 'PENDING', chargeStatus: 'pending' })),
      'paid-yet-pending',
      'pending now',
      'not-paid: ',
    ],
  ])(
    'and is shown %s stays paid, and is named until it is shown as before',
    async (_, interfere, code, word, found) => {
      const { service, payroll } = await paid();
      service.interfere(interfere);

      const resumed = await payroll.resume('november', inDays(1));

      expect(resumed).toMatchObject({ exit: 3, summary: { doubted: 1 } });
      expect(alarmsOf(resumed)).toEqual([expect.stringMatching(`^payment P001: paid, but .*${word}`)]);
      expect(payroll.results('november')[0]).toMatchObject({
        payrun_status: 'paid',
        payrun_paid: '1001.00',
        payrun_code: code,
        payrun_reason: expect.stringContaining(word),
      });
      expect((await payroll.command(['log', 'november'])).stdout).toContain(word);
      const status = await payroll.command(['status', 'november']);
      expect(status).toMatchObject({ exit: 3, stdout: expect.stringContaining('has said something else') });
      expect(await payroll.command(['status', '--check'])).toMatchObject({ exit: 3 });
      const audited = await payroll.command(['audit', 'november', '--service']);
      expect(audited.exit).toBe(3);
      expect(audited.stdout).toContain(`${found}batch november, payment P001: `);
      expect(await retryOne(payroll)).toMatchObject({ moved: 0 });

      // The next day it is said once more, and the log keeps it once.
      expect(alarmsOf(await payroll.resume('november', inDays(3)))).toHaveLength(1);
      expect((await payroll.command(['log', 'november'])).stdout.split(word)).toHaveLength(2);

      service.interfere();
      const cleared = await payroll.resume('november', inDays(5));
      expect(cleared).toMatchObject({ exit: 0, summary: { doubted: 0 } });
      expect(alarmsOf(cleared)).toEqual([]);
      expect(payroll.results('november')[0]).toMatchObject({
        payrun_status: 'paid',
        payrun_code: '',
        payrun_reason: '',
      });
      expect(service.calls.filter(isPayout)).toHaveLength(1);
    },
  );

  test('and about which the service does not answer is not named', async () => {
    const { service, payroll } = await paid();
    service.interfere((call) => (isSeeing(call) ? gone : undefined));

    expect(alarmsOf(await payroll.resume('november', inDays(1)))).toEqual([]);

    expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'paid', payrun_code: '' });
  });

  test('and was named for what the list shows is not cleared by a list that does not answer', async () => {
    const { service, payroll } = await paid();
    service.interfere(shows(isListing, () => failed));
    await payroll.resume('november', inDays(1));
    service.interfere((call) => (isListing(call) ? gone : undefined));

    await payroll.resume('november', inDays(3));

    expect(payroll.results('november')[0]).toMatchObject({ payrun_code: 'status-contradicts' });
  });
});

describe('Of many that are paid', () => {
  const people = 31;
  /** Not the first, which went alone. */
  const isOne = (shown: Shown) => shown['amount'] === 1005;
  const pagesCallOneFailed = shows(isPage, (shown) => (isOne(shown) ? failed : {}));

  test('one that a page calls failed is named once, also where nobody waits', async () => {
    const { service, payroll } = await paid(people);
    service.interfere(pagesCallOneFailed);
    const begun = service.calls.length;

    const resumed = await payroll.resume('november', inDays(1));

    expect(alarmsOf(resumed)).toEqual([expect.stringContaining('payment P005: paid, but the service calls')]);
    expect(payroll.statuses('november')).toEqual(staff(people).map(({ paymentId }) => `${paymentId} paid`));
    const calls = service.calls.slice(begun);
    // Each once; on a busy machine one may have had no answer and is read again.
    const reads = calls.filter(isRead).map(({ path }) => path);
    expect(new Set(reads).size).toBe(people);
    expect(reads.length).toBeLessThan(people + 5);
    expect(calls.filter(isPage).length).toBeLessThan(10);
    // Whatever a page has missed.
    expect(calls.filter(isLookUp).length).toBeLessThan(5);
  });

  test('one that a page calls failed is named once, also where others wait to be paid', async () => {
    const { service, payroll } = await paid(people - 1);
    await enrolStaff(service, staff(people).slice(-1));
    await payroll.run(payroll.write('november.csv', staff(people)), interruptedAfter(0));
    service.interfere(pagesCallOneFailed);

    const resumed = await payroll.resume('november', inDays(1));

    expect(resumed.exit).toBe(3);
    expect(alarmsOf(resumed)).toEqual([expect.stringContaining('payment P005: paid, but the service calls')]);
    expect(service.payoutCalls()).toHaveLength(people);
  });

  test('nothing is said, and nothing changes, where the service says the same as before', async () => {
    const { service, payroll } = await paid(people);
    const before = payroll.results('november');

    const resumed = await payroll.resume('november', inDays(1));

    expect(resumed.exit).toBe(0);
    expect(resumed.events.filter(({ kind }) => kind !== 'stage')).toEqual([]);
    const without = (rows: Record<string, string>[]) => rows.map(({ payrun_event: _, ...cells }) => cells);
    expect(without(payroll.results('november'))).toEqual(without(before));
    expect(service.payoutCalls()).toHaveLength(people);
  });
});
