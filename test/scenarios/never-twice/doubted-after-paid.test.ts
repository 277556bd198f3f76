import { expect, test } from 'vitest';
import { retry } from '../../../src/decisions/retry.ts';
import { calls, firstAttemptFailed, tryAgain } from '../../support/failed-attempt.ts';
import { enrolStaff, hastyClock, openPayroll, staff } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { isRead, type Shown, showsOtherwise } from '../../support/shown-otherwise.ts';
import {
  type Interference,
  isLookUp,
  isPage,
  type SeenCall,
  watchService,
} from '../../support/watched-service.ts';

type Lie = 'true' | 'failed' | 'pending' | 'gone';
const changes: Record<Lie, Partial<Shown>> = {
  true: {},
  failed: { status: 'FAILED', chargeStatus: 'failed' },
  pending: { status: 'PENDING', chargeStatus: 'pending' },
  gone: {},
};
const dayMs = 24 * 60 * 60 * 1000;
const inDays = (days: number) => ({
  clock: hastyClock({ shiftMs: days * dayMs }),
  settings: { settleForMs: 200 },
});

/** Of the first person's transaction: what the single read, the list by its reference and the pages of the list say. */
interface Lies {
  readonly read: Lie;
  readonly lookUp: Lie;
  readonly page: Lie;
}

function lieTo({ read, lookUp, page }: Lies, id: string) {
  const isMine = (shown: Shown) => shown['amount'] === 1001;
  return (call: SeenCall): Interference | undefined => {
    const isOwn = isRead(call) && call.path.includes(id);
    const lie = isOwn ? read : isLookUp(call) ? lookUp : isPage(call) ? page : 'true';
    if (lie === 'true') return undefined;
    return {
      kind: 'change',
      reply: (text) => {
        const reply = JSON.parse(text) as { data: Shown | Shown[] };
        const change = (each: Shown) => (isMine(each) ? { ...each, ...changes[lie] } : each);
        const data = Array.isArray(reply.data)
          ? reply.data.filter((each) => lie !== 'gone' || !isMine(each)).map(change)
          : change(reply.data);
        return JSON.stringify({ ...reply, data });
      },
    };
  };
}

async function paid() {
  const service = await watchService(await startPayrollService('off', { settleAfterMs: 0 }));
  const payroll = openPayroll(service);
  await enrolStaff(service, staff(2));
  expect((await payroll.run(payroll.write('november.csv', staff(2)))).exit).toBe(0);
  const id = payroll.results('november')[0]?.['payrun_transaction'] ?? '';
  const says = (read: Lie, lookUp: Lie, page: Lie) => service.interfere(lieTo({ read, lookUp, page }, id));
  return { service, payroll, says };
}

test.each<[Lie, Lie]>([
  ['gone', 'gone'],
  ['failed', 'pending'],
  ['failed', 'true'],
])(
  'a doubt about a paid one is not over where the list by reference says %s and its pages say %s',
  async (lookUp, page) => {
    const { payroll, says } = await paid();
    const doubted = { payrun_status: 'paid', payrun_code: 'status-contradicts' };
    says('true', 'failed', 'failed');
    await payroll.resume('november', inDays(1));
    expect(payroll.results('november')[0]).toMatchObject(doubted);

    says('true', lookUp, page);
    await payroll.resume('november', inDays(3));
    expect(payroll.results('november')[0]).toMatchObject(doubted);

    says('true', 'true', 'true');
    await payroll.resume('november', inDays(5));
    expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'paid', payrun_code: '' });
  },
);

test('a page that still calls it successful keeps a paid one from being called returned, and from being paid twice', async () => {
  const { service, payroll, says } = await paid();
  says('failed', 'gone', 'true');
  await payroll.resume('november', inDays(1));
  await payroll.decide('november', (run) => ({
    choice: { kind: 'named', ids: ['P001'] },
    rule: (payout) => retry(payout, { name: 'november', keyKind: 'paymentId' }, run, 'once more'),
    repeats: undefined,
  }));
  await payroll.resume('november', inDays(1));
  expect(payroll.statuses('november')[0]).toBe('P001 paid');
  expect(await service.sums()).toHaveLength(2);
});

test('what was doubted is read again once a day however long ago it was paid, until the service shows it as it was', async () => {
  const { payroll, says } = await paid();
  says('pending', 'true', 'true');
  const doubting = await payroll.resume('november', inDays(1));
  expect(doubting).toMatchObject({ exit: 3 });
  expect(payroll.results('november')[0]).toMatchObject({ payrun_code: 'paid-yet-pending' });

  says('true', 'true', 'true');
  expect(await payroll.resume('november', inDays(40))).toMatchObject({ exit: 0 });
  expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'paid', payrun_code: '' });
});

const notFound = { success: false, errorCode: 'E-GEN.S-04', message: 'Transaction not found.' };

function withoutRow(transactionId: string): Interference {
  return {
    kind: 'change',
    reply: (text) => {
      const reply = JSON.parse(text) as { data: Shown[] };
      return JSON.stringify({
        ...reply,
        data: reply.data.filter((row) => row.transactionId !== transactionId),
      });
    },
  };
}

test.each(['PENDING', 'gone', 'another amount', 'failed when it is read alone'])(
  'what was paid a second time is said PAID TWICE also where the service says something else of the first (%s)',
  async (lie) => {
    const { service, payroll, first } = await firstAttemptFailed('off');
    const isFirst = (id: string) => id === first.transactionId;
    await tryAgain(payroll);
    service.interfere(calls((id) => (isFirst(id) ? 'FAILED' : undefined)));
    expect((await payroll.resume('november', { settings: { settleForMs: 5_000 } })).exit).toBe(0);
    const [own = ''] = payroll.results('november').map((row) => row['payrun_transaction']);

    const doubting = (call: SeenCall): Interference | undefined => {
      if (lie === 'PENDING') return calls((id) => (isFirst(id) ? undefined : lie))(call);
      const isOwn = isRead(call) && call.path.includes(own);
      if (lie === 'gone' && (isLookUp(call) || isPage(call))) return withoutRow(own);
      if (!isOwn) return undefined;
      if (lie === 'gone') return { kind: 'answer', status: 404, body: notFound };
      return showsOtherwise(() => (lie === 'another amount' ? { amount: 7 } : changes.failed));
    };
    service.interfere(doubting);
    expect((await payroll.resume('november', inDays(1))).exit).toBe(3);
    const [row] = payroll.results('november');
    expect(row?.['payrun_paid_twice']?.split(' ').sort()).toEqual([first.transactionId, own].sort());
    expect(await service.sums()).toHaveLength(2);
  },
);
