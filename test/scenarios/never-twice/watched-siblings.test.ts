import { describe, expect, test } from 'vitest';
import { calls, firstAttemptFailed, tryAgain } from '../../support/failed-attempt.ts';
import { employee, enrolStaff, openPayroll, type Payroll, phoneOf } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { isRead, showsOtherwise } from '../../support/shown-otherwise.ts';
import { type Interference, isLookUp, isPayout, watchService } from '../../support/watched-service.ts';

const shortly = { settings: { settleForMs: 200 } } as const;
const quickly = ['--settle-for', '200ms', '--timeout', '500ms', '--quiet-period', '1s'];
const stillOpen = 'another transaction under its reference is still open';

const showsNothing: Interference = {
  kind: 'change',
  reply: (text) => JSON.stringify({ ...(JSON.parse(text) as object), data: [] }),
};

/** The reply to the first send of P001 is lost and no look-up shows it, so it is sent again: the service holds two. */
async function twoUnderOne() {
  const service = await watchService(await startPayrollService('off'));
  const payroll = openPayroll(service);
  await enrolStaff(service, [employee(1), employee(2)]);
  const file = payroll.write('november.csv', [employee(2), employee(1)]);
  let reference: string | undefined;
  let sends = 0;
  let second = '';
  /** As the first is read, whatever became of it. */
  let firstReads: string | undefined = 'PENDING';
  service.interfere((call) => {
    if (isPayout(call) && (JSON.parse(call.body) as { amount: number }).amount === 1001) {
      reference = call.reference;
      sends += 1;
      if (sends === 1) return { kind: 'lose-reply' };
      const reply = (text: string) => {
        second = (JSON.parse(text) as { transactionId: string }).transactionId;
        return text;
      };
      return { kind: 'change', reply };
    }
    if (isLookUp(call) && call.reference === reference && sends === 1) return showsNothing;
    if (second === '' || reference === undefined) return undefined;
    return calls((id, { externalReference }) => {
      const isOurs = (call.reference ?? externalReference) === reference;
      return isOurs && id !== second ? firstReads : undefined;
    })(call);
  });
  const read = (said: string | undefined) => {
    firstReads = said;
  };
  return { service, payroll, file, read };
}

function first(payroll: Payroll): Record<string, string> {
  const row = payroll.results('november').find((each) => each['paymentId'] === 'P001');
  if (!row) throw new Error('there is no row of P001');
  return row;
}

describe('a payout that is paid while another transaction under its reference is still open', () => {
  test('and is itself contradicted is named once a run, however often it is read', async () => {
    const { service, payroll, file } = await twoUnderOne();
    expect((await payroll.run(file, shortly)).exit).toBe(4);
    const own = first(payroll)['payrun_transaction'];
    let reads = 0;
    const siblingOpen = calls((id, { amount }) => (id !== own && amount === 1001 ? 'PENDING' : undefined));
    service.interfere((call) => {
      if (!isRead(call) || !call.path.endsWith(`${own}`)) return siblingOpen(call);
      reads += 1;
      return showsOtherwise(() => ({ status: 'FAILED', chargeStatus: 'successful' }));
    });

    const resumed = await payroll.resume('november', { settings: { settleForMs: 1_000 } });

    expect(reads).toBeGreaterThan(3);
    const alarms = resumed.events.filter(({ kind }) => kind === 'alarm');
    expect(alarms).toEqual([{ kind: 'alarm', message: expect.stringContaining('payment P001: paid, but') }]);
    expect(first(payroll)['payrun_status']).toBe('paid');
  });

  test('is watched by every run and resume, and PAID TWICE on the very day when that one pays too', async () => {
    const { service, payroll, file, read } = await twoUnderOne();

    const ran = await payroll.run(file, shortly);

    expect(ran.exit).toBe(4);
    expect(ran.summary?.watched).toBe(1);
    expect(first(payroll)).toMatchObject({ payrun_status: 'paid', payrun_code: 'watched' });
    expect(first(payroll)['payrun_reason']).toContain(stillOpen);
    expect(ran.events).toContainEqual({ kind: 'alarm', message: expect.stringContaining(stillOpen) });
    expect((await payroll.run(file, shortly)).exit).toBe(4);
    expect((await payroll.resume('november', shortly)).exit).toBe(4);
    const status = await payroll.command(['status', 'november']);
    expect([status.exit, status.stdout]).toEqual([4, expect.stringContaining('is still open')]);
    const json = await payroll.command(['status', 'november', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ exit: 4, watched: 1 });
    const audited = await payroll.command(['audit', 'november', '--service']);
    expect([audited.exit, audited.stdout]).toEqual([
      3,
      expect.stringContaining(`payment P001: ${stillOpen}`),
    ]);
    const listed = await payroll.command(['status', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject({ batches: [{ batch: 'november', watched: 1 }] });
    const all = await payroll.command(['resume', ...quickly]);
    expect([all.exit, all.stdout]).toEqual([4, expect.stringContaining('is still open')]);

    read(undefined);
    const twice = await payroll.command(['resume', ...quickly]);

    expect([twice.exit, twice.stdout]).toEqual([3, expect.stringMatching(/^PAID TWICE/)]);
    expect(first(payroll)['payrun_paid_twice']?.split(' ')).toHaveLength(2);
    expect(first(payroll)['payrun_reason']).not.toContain(stillOpen);
    expect(service.payoutCalls()).toHaveLength(3);
    const [one, other] = [`${phoneOf(1)} 1001.00`, `${phoneOf(2)} 1002.00`];
    expect(await service.sums()).toEqual([one, one, other]);
  });

  test('is simply paid once that one has failed', async () => {
    const { service, payroll, file, read } = await twoUnderOne();
    expect((await payroll.run(file, shortly)).exit).toBe(4);
    read('FAILED');

    const later = await payroll.resume('november', shortly);

    expect(later.exit).toBe(0);
    expect(later.events.filter(({ kind }) => kind === 'alarm')).toEqual([]);
    expect(first(payroll)).toMatchObject({ payrun_status: 'paid', payrun_code: '', payrun_reason: '' });
    expect((await payroll.command(['resume', ...quickly])).stdout).toBe('');
    expect(service.payoutCalls()).toHaveLength(3);
  });

  test('ends its watch within the run in which that one ends', async () => {
    const { payroll, file, read } = await twoUnderOne();
    const ran = await payroll.run(file, {
      onEvent: (event) => {
        if (event.kind === 'alarm' && event.message.includes(stillOpen)) read('FAILED');
      },
    });
    expect(ran.events).toContainEqual({ kind: 'alarm', message: expect.stringContaining(stillOpen) });
    expect(ran.exit).toBe(0);
    expect(first(payroll)).toMatchObject({ payrun_status: 'paid', payrun_code: '' });
  });

  test('stays watched where its own transaction comes back, and is paid by the other one when that succeeds', async () => {
    const { service, payroll, file } = await twoUnderOne();
    expect((await payroll.run(file, shortly)).exit).toBe(4);
    const own = first(payroll)['payrun_transaction'] ?? '';
    const other = (await service.payouts()).find(
      ({ reference, transactionId }) =>
        reference === first(payroll)['payrun_reference'] && transactionId !== own,
    );
    let otherReads = 'PENDING';
    service.interfere(
      calls((id) => {
        if (id === own) return 'FAILED';
        return id === other?.transactionId ? otherReads : undefined;
      }),
    );

    expect((await payroll.resume('november', shortly)).exit).toBe(4);
    expect(first(payroll)).toMatchObject({ payrun_status: 'paid', payrun_code: 'watched' });
    otherReads = 'SUCCESSFUL';
    expect((await payroll.resume('november', shortly)).exit).toBe(0);

    expect(first(payroll)['payrun_status']).toBe('paid');
    expect(first(payroll)['payrun_transaction']).toBe(other?.transactionId);
    expect(service.payoutCalls()).toHaveLength(3);
  });

  test('is watched too where the open one is another attempt', async () => {
    const { service, payroll, first: failed } = await firstAttemptFailed('off');
    await tryAgain(payroll);
    let isSent = false;
    let firstReads = 'PENDING';
    service.interfere((call) => {
      isSent ||= isPayout(call);
      const said = isSent ? firstReads : 'FAILED';
      return calls((id) => (id === failed.transactionId ? said : undefined))(call);
    });

    expect((await payroll.resume('november', shortly)).exit).toBe(4);

    expect(first(payroll)).toMatchObject({
      payrun_status: 'paid',
      payrun_attempt: '2',
      payrun_code: 'watched',
    });
    expect(first(payroll)['payrun_reason']).toContain(failed.transactionId);
    firstReads = 'SUCCESSFUL';
    expect((await payroll.resume('november', shortly)).exit).toBe(3);
    expect(first(payroll)['payrun_paid_twice']).toContain(failed.transactionId);
    expect(service.payoutCalls()).toHaveLength(2);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(1)} 1001.00`]);
  });

  test('is known from any look-up that lists several, though one reply to one send was all that came', async () => {
    const service = await watchService(await startPayrollService('off'));
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1)]);
    service.interfere((call) => {
      if (!isPayout(call)) return undefined;
      // The service carries it out twice over.
      return { kind: 'answer-later', until: service.caller.post('/fiat/payout', JSON.parse(call.body)) };
    });

    const ran = await payroll.run(payroll.write('november.csv', [employee(1)]));

    expect(ran.exit).toBe(3);
    expect(ran.summary?.paidTwice).toHaveLength(1);
    expect(service.payoutCalls()).toHaveLength(1);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(1)} 1001.00`]);
  });
});
