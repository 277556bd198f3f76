import { describe, expect, test } from 'vitest';
import { openPayrun, type PendingQuestion } from '../../../src/index.ts';
import { batchesToResume } from '../../../src/journal/batch-record.ts';
import { payoutQueries } from '../../../src/journal/payouts/payout-queries.ts';
import { waitingForPerson } from '../../../src/journal/payouts/wallet-totals.ts';
import { closeJournal } from '../../../src/journal/shared/shared-of.ts';
import { runReport } from '../../../src/report/run-report.ts';
import { calls, firstAttemptFailed, tryAgain } from '../../support/failed-attempt.ts';
import {
  type Cells,
  employee,
  enrolStaff,
  hastyClock,
  openPayroll,
  type Payroll,
  phoneOf,
} from '../../support/pay-run.ts';
import { type Dedupe, startPayrollService, withoutDedupe } from '../../support/payroll-service.ts';
import { isRead, isSeeing, showsOtherwise } from '../../support/shown-otherwise.ts';
import {
  type Interference,
  isLookUp,
  type WatchedService,
  watchService,
} from '../../support/watched-service.ts';

const day = 24 * 3_600_000;
const inDays = (days: number) => hastyClock({ shiftMs: days * day });
const later = (days: number) => ({ clock: inDays(days), settings: { settleForMs: 100 } }) as const;
const emptyList: Interference = { kind: 'answer', status: 200, body: { success: true, data: [] } };
const noSuch: Interference = {
  kind: 'answer',
  status: 404,
  body: { success: false, message: 'Transaction not found.', errorCode: 'E-API-D.S-19' },
};
const both = { status: 'PENDING', chargeStatus: 'successful' };
const pending = calls(() => 'PENDING');

/** A batch november of one payment that the service has paid, and calls pending until it is told otherwise. */
async function pendingForDays(dedupe: Dedupe) {
  const service = await watchService(await startPayrollService(dedupe));
  const payroll = openPayroll(service);
  await enrolStaff(service, [employee(1)]);
  service.interfere(pending);
  expect((await payroll.run(payroll.write('november.csv', [employee(1)]), later(0))).exit).toBe(4);
  await expect.poll(() => service.sums()).toHaveLength(1);
  return { service, payroll, transaction: (await service.payouts())[0]?.transactionId ?? '' };
}

interface Wishes {
  readonly afterDays: number;
  readonly pendingForMs?: number;
  readonly confirm?: (question: PendingQuestion) => Promise<boolean>;
}

function open(service: WatchedService, { workspace, env }: Payroll, afterDays = 0) {
  const { url: baseUrl, apiKey, publicKey } = service;
  return openPayrun({
    workspace,
    journalUrl: env['PAYRUN_JOURNAL_URL'],
    service: { baseUrl, apiKey, publicKey },
    clock: inDays(afterDays),
    operator: 'amina',
    settings: { timeoutMs: 500 },
  });
}

async function giveUp(service: WatchedService, payroll: Payroll, { afterDays, ...given }: Wishes) {
  const payrun = open(service, payroll, afterDays);
  try {
    const said = { reason: 'no money', ...given };
    const { moved, left } = await payrun.decide('november', 'P001', 'not-paid', said);
    return { moved, why: left[0]?.why ?? '' };
  } finally {
    await payrun.close();
  }
}

async function audited(service: WatchedService, payroll: Payroll): Promise<string[]> {
  const payrun = open(service, payroll);
  try {
    const { findings } = await payrun.audit({ batch: 'november', service: true });
    return findings.map(({ kind, message }) => `${kind}: ${message}`);
  } finally {
    await payrun.close();
  }
}

const stateOf = (payroll: Payroll) =>
  payroll.ask((db) => db.prepare("SELECT state FROM payouts WHERE key = 'P001'").pluck().get());

describe('a payout that stays pending', () => {
  test('is given up by a person after seven days, once what the service shows was seen; the results say who', async () => {
    const { service, payroll, transaction } = await pendingForDays('on');
    const young = await giveUp(service, payroll, { afterDays: 6 });
    expect(young).toEqual({
      moved: 0,
      why: 'it has been pending for 6 days; it can be decided about after 7 days',
    });
    await expect(
      giveUp(service, payroll, { afterDays: 8, confirm: async () => false }),
    ).rejects.toMatchObject({ code: 'declined', exit: 6 });
    expect(await stateOf(payroll)).toBe('submitted');

    const asked: PendingQuestion[] = [];
    const before = service.calls.length;
    const confirm = async (question: PendingQuestion) => {
      asked.push(question);
      expect(service.calls.slice(before).some(isLookUp)).toBe(true);
      return true;
    };
    expect((await giveUp(service, payroll, { afterDays: 8, confirm })).moved).toBe(1);

    expect(asked[0]).toMatchObject({ shown: `transaction ${transaction}, pending` });
    expect(asked[0]?.pendingMs).toBeGreaterThanOrEqual(8 * day);
    expect(payroll.results('november')[0]).toMatchObject({
      payrun_status: 'refused',
      payrun_code: 'decided-while-pending',
      payrun_transaction: transaction,
      payrun_reason: expect.stringMatching(/^decided by amina: not paid: no money/),
    });
    const resumed = await payroll.resume('november', later(8));
    expect(resumed.exit).toBe(3);
    const commands = { resume: '', status: '', log: () => '', runRetry: () => '' };
    const report = resumed.summary ? runReport(resumed.summary, commands) : '';
    expect(report).toContain('not paid: decided by a person  1  KES 1,001.00');
    expect(report).not.toContain('refused');
  });

  test('may be given up sooner only where that is said', async () => {
    const { service, payroll } = await pendingForDays('on');
    expect((await giveUp(service, payroll, { afterDays: 2, pendingForMs: 3 * day })).moved).toBe(0);
    expect((await giveUp(service, payroll, { afterDays: 4, pendingForMs: 3 * day })).moved).toBe(1);
  });

  test.each<[string, Parameters<WatchedService['interfere']>[0], string]>([
    ['paid', undefined, 'the service says that it is paid'],
    ['failed', calls(() => 'FAILED'), 'the service says that it failed'],
    ['out of reach', () => ({ kind: 'answer', status: 503, body: {} }), ''],
    [
      'called both',
      (call) => (isSeeing(call) ? showsOtherwise(() => both) : undefined),
      'the service calls transaction',
    ],
    ['paid, though no list shows it', (call) => (isLookUp(call) ? emptyList : undefined), 'that it is paid'],
  ])('is not given up where it is %s', async (_, shown, why) => {
    const { service, payroll } = await pendingForDays('on');
    service.interfere(shown);
    const asked = giveUp(service, payroll, { afterDays: 8 });
    if (why === '') await expect(asked).rejects.toMatchObject({ exit: 69 });
    else expect((await asked).why).toContain(why);
    expect(await stateOf(payroll)).toBe('submitted');
  });
});

describe.each(withoutDedupe)('a payout that was given up while it was pending, dedupe %s', (dedupe) => {
  test('is read for as long as it takes, and said loudly when it is paid after all', async () => {
    const { service, payroll, transaction } = await pendingForDays(dedupe);
    await giveUp(service, payroll, { afterDays: 8 });
    expect((await payroll.resume('november', later(9))).events).toEqual([]);
    expect(await stateOf(payroll)).toBe('refused');

    const due = await payroll.ask((db) => batchesToResume(db, Date.now() + 90 * day));
    expect(due.map(({ name }) => name)).toEqual(['november']);
    service.interfere();
    const resumed = await payroll.resume('november', later(90));

    const alarms = resumed.events.filter(({ kind }) => kind === 'alarm');
    const message = `payment P001 is paid after all, by transaction ${transaction}. It was decided by amina`;
    expect(alarms).toEqual([expect.objectContaining({ message: expect.stringContaining(message) })]);
    expect(payroll.statuses('november')).toEqual(['P001 paid']);
    expect(await audited(service, payroll)).toEqual([]);
  });

  test.each<[string, (call: Parameters<typeof isRead>[0]) => Interference | undefined, string]>([
    ['still shows it', pending, 'P001 pending'],
    [
      'shows it in the single read alone',
      (call) => (isLookUp(call) ? emptyList : pending(call)),
      'P001 pending',
    ],
    [
      'does not show it any more',
      (call) => (isLookUp(call) ? emptyList : isRead(call) ? noSuch : undefined),
      'P001 held',
    ],
  ])('is not sent again by a retry where the service %s', async (_, shown, status) => {
    const { service, payroll } = await pendingForDays(dedupe);
    await giveUp(service, payroll, { afterDays: 8 });
    await tryAgain(payroll);
    service.interfere(shown);

    await payroll.resume('november', later(9));

    expect(payroll.statuses('november')).toEqual([status]);
    expect(service.payoutCalls()).toHaveLength(1);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
  });
});

describe('a payout that was given up while it was pending', () => {
  test('is still open to an audit, and paid unawares where it is paid', async () => {
    const { service, payroll } = await pendingForDays('on');
    await giveUp(service, payroll, { afterDays: 8 });
    expect(await audited(service, payroll)).toEqual([
      expect.stringContaining('still-open: batch november, payment P001: decided by amina: not paid'),
    ]);
    service.interfere();
    expect(await audited(service, payroll)).toContainEqual(
      expect.stringContaining('paid-unawares: batch november, payment P001: called refused'),
    );
  });

  test('counts as sent: not in what was confirmed twice, and a second payment of it is a repeat', async () => {
    const { service, payroll } = await pendingForDays('on');
    await giveUp(service, payroll, { afterDays: 8 });
    await payroll.ask((db) => {
      expect(payoutQueries(db, 1).sentTotals()).toMatchObject([{ currency: 'KES', amountMinor: 100_100n }]);
    });
    const db = await payroll.store.open();
    db.exec("ATTACH ':memory:' AS draft; CREATE TABLE draft.rows (key TEXT, valid INTEGER, to_send INTEGER)");
    expect(waitingForPerson(db, 1)).toEqual({ besidesSending: [], besidesFile: [] });
    await closeJournal(db);
    // The window of five days begins with the giving up: the payout itself is older.
    const again = payroll.write('again.csv', [employee(1)]);
    const refused = await payroll.run(again, later(9));
    expect([refused.exit, refused.code]).toEqual([6, 'repeats']);
  });

  test.each<[string, Cells]>([
    ['number', { phoneNumber: phoneOf(5) }],
    ['amount', { amount: '1500.00' }],
  ])('is not changed by a row with another %s, and is watched all the same', async (_, change) => {
    const { service, payroll, transaction } = await pendingForDays('on');
    await giveUp(service, payroll, { afterDays: 8 });
    const corrected = payroll.write('november.csv', [employee(1, change)]);
    const refused = await payroll.run(corrected, { ...later(9), sameBatch: true });
    expect([refused.exit, refused.problems.map(({ code }) => code)]).toEqual([65, ['row-conflict']]);
    service.interfere();
    const { events } = await payroll.resume('november', later(20));
    const message = expect.stringContaining(`is paid after all, by transaction ${transaction}`);
    expect(events).toContainEqual({ kind: 'alarm', message });
    expect(payroll.statuses('november')).toEqual(['P001 paid']);
  });

  test('cannot be cancelled after a retry, but given up again, and is watched all the same', async () => {
    const { service, payroll, transaction } = await pendingForDays('on');
    await giveUp(service, payroll, { afterDays: 8 });
    await tryAgain(payroll);
    service.interfere((call) => (isLookUp(call) ? emptyList : isRead(call) ? noSuch : undefined));
    for (const held of [false, true]) {
      if (held) await payroll.resume('november', later(9));
      expect(await stateOf(payroll)).toBe(held ? 'held' : 'planned');
      const payrun = open(service, payroll, 9);
      const { moved, left } = await payrun.cancel('november', { payments: ['P001'], reason: 'x' });
      await payrun.close();
      expect([moved, left[0]?.why]).toEqual([0, expect.stringContaining(`as ${transaction} and may still`)]);
    }
    expect((await giveUp(service, payroll, { afterDays: 9 })).moved).toBe(1);
    expect(payroll.results('november')[0]).toMatchObject({
      payrun_status: 'refused',
      payrun_code: 'decided-while-pending',
      payrun_transaction: transaction,
    });
    service.interfere();
    const { events } = await payroll.resume('november', later(20));
    expect(events.filter(({ kind }) => kind === 'alarm')).toHaveLength(1);
    expect(payroll.statuses('november')).toEqual(['P001 paid']);
  });

  test('is paid where an earlier attempt of it turns out to have paid', async () => {
    const { service, payroll, first } = await firstAttemptFailed('off');
    const calledOf = (status: string) => calls((id) => (id === first.transactionId ? status : 'PENDING'));
    await tryAgain(payroll);
    service.interfere(calledOf('FAILED'));
    await payroll.resume('november', later(0));
    expect((await giveUp(service, payroll, { afterDays: 8 })).moved).toBe(1);
    expect((await payroll.resume('november', later(9))).events).toEqual([]);
    service.interfere(calledOf('SUCCESSFUL'));
    const { events, exit } = await payroll.resume('november', later(20));
    const message = expect.stringContaining(`is paid after all, by transaction ${first.transactionId}`);
    expect(events).toContainEqual({ kind: 'alarm', message });
    // The other one is still open: it is watched.
    expect([exit, payroll.statuses('november')]).toEqual([4, ['P001 paid']]);
  });

  test('is decided about no second time, and can be retried once it has failed', async () => {
    const { service, payroll } = await pendingForDays('on');
    await giveUp(service, payroll, { afterDays: 8 });
    expect((await giveUp(service, payroll, { afterDays: 9 })).why).toContain('payrun resume reads that');
    service.interfere(calls(() => 'FAILED'));
    const resumed = await payroll.resume('november', later(10));
    expect(resumed.events).toContainEqual(
      expect.objectContaining({
        kind: 'notice',
        message: expect.stringContaining('payrun retry can pay it now'),
      }),
    );
    expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'failed', payrun_attempt: '1' });
  });
});
