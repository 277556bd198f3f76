import { describe, expect, test } from 'vitest';
import { amountFlags } from '../../../src/cli/flags/amount-flags.ts';
import { release } from '../../../src/decisions/release.ts';
import type { Limits } from '../../../src/pipeline/guards/limits.ts';
import { besidesPart } from '../../../src/report/plan-summary.ts';
import { expectPaidOnce } from '../../support/paid-once.ts';
import {
  type Cells,
  employee,
  enrolStaff,
  fastFlags,
  interruptedAfter,
  openPayroll,
  type Payroll,
  phoneOf,
  staff,
} from '../../support/pay-run.ts';
import { dedupeModesOf, type PayrollService, startPayrollService } from '../../support/payroll-service.ts';
import { watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const rows = staff(3);
const total = '3006.00';

async function prepared(dedupe: 'on' | 'off'): Promise<{ service: PayrollService; payroll: Payroll }> {
  const service = await startPayrollService(dedupe);
  const payroll = openPayroll(service);
  await enrolStaff(service, rows);
  payroll.write('november.csv', rows);
  return { service, payroll };
}

const kes = (amount: number) => new Map([['KES', BigInt(amount * 100)]]);
const none = new Map<string, bigint>();

describe('nothing moves at a live service that nobody has seen the total of', () => {
  const kesAndUgx = new Map([...kes(3006), ['UGX', 1n]] as const);
  const refusals: readonly [string, Limits, string][] = [
    ['no limit at all', { confirmTotal: none, maxTotal: none }, '--confirm-total KES=3006.00'],
    ['another total confirmed', { confirmTotal: kes(3007), maxTotal: none }, 'KES 3,006.00'],
    ['a limit below the total', { confirmTotal: none, maxTotal: kes(3005) }, 'KES 3,006.00'],
    [
      'a limit for another currency',
      { confirmTotal: none, maxTotal: new Map([['UGX', 9999999n]]) },
      'KES=3006.00',
    ],
    ['a total of a currency that the file lacks', { confirmTotal: kesAndUgx, maxTotal: none }, 'names UGX'],
  ];
  test('and each reason is said, with the number', async () => {
    const { service, payroll } = await prepared('on');
    const file = payroll.write('november.csv', rows);
    for (const [why, limits, says] of refusals) {
      const refused = await payroll.run(file, { limits, limitsNeeded: true });
      expect(refused, why).toMatchObject({ exit: 6, code: 'limit' });
      expect(refused.message, why).toContain(says);
    }
    const unlimited = await payroll.command(['run', 'november.csv', '--yes', '--batch', 'a']);
    const byTotal = ['--confirm-total', `KES=${total}`, '--batch', 'b'];
    const unattended = await payroll.command(['run', 'november.csv', ...byTotal]);
    expect(unlimited.exit).toBe(6);
    expect(unlimited.stdout).toContain('add --confirm-total KES=3006.00 or --max-total');
    expect(unattended.exit).toBe(6);
    expect(unattended.stderr).toContain('nobody at a terminal');
    expect(await payroll.ask((db) => db.prepare('SELECT count(*) FROM payouts').pluck().get())).toBe(0);
    expect(await service.payouts()).toEqual([]);
  });

  test('nor where a limit names a currency that does not exist, or no amount: that is a slip of the command', async () => {
    const { service, payroll } = await prepared('on');
    for (const value of ['KSH=1', 'KES', 'KES=1.001', 'KES=1,000', 'KES=-1', 'KES=1=2'])
      expect(() => amountFlags('--max-total', [value]), value).toThrow('--max-total takes a currency');
    const refused = await payroll.command(['run', 'november.csv', '--yes', '--max-total', 'KSH=9999']);
    expect(refused.exit).toBe(2);
    expect(refused.stderr).toContain('"KSH=9999"');
    expect(await service.payouts()).toEqual([]);
  });
});

describe.each(dedupeModes)('a limit that a person has set, with dedupe %s', (dedupe) => {
  test('lets the confirmed total through, and the same command again pays nothing twice', async () => {
    const { service, payroll } = await prepared(dedupe);
    const file = payroll.write('november.csv', rows);
    const wishes = { limits: { confirmTotal: kes(3006), maxTotal: none }, limitsNeeded: true };
    expect((await payroll.run(file, wishes)).exit).toBe(0);
    expect(await payroll.run(file, wishes)).toMatchObject({ exit: 0, summary: { sends: 0 } });
    await expectPaidOnce(service, rows);
  });

  test('counts what was sent before: a batch cannot creep past it by being run again', async () => {
    const { service, payroll } = await prepared(dedupe);
    const limits = { confirmTotal: none, maxTotal: kes(3500) };
    expect((await payroll.run(payroll.write('november.csv', rows), { limits })).exit).toBe(0);

    const grown = await payroll.run(payroll.write('november.csv', [...rows, employee(4)]), { limits });

    expect(grown).toMatchObject({ exit: 6, code: 'limit' });
    expect(grown.message).toContain('4,010.00');
    await expectPaidOnce(service, rows);
  });

  test('bounds a resume by what was confirmed: an interrupted batch goes on, and asks for nothing', async () => {
    const { service, payroll } = await prepared(dedupe);
    const limits = { confirmTotal: kes(3006), maxTotal: none };
    const stopped = await payroll.run(payroll.write('november.csv', rows), {
      ...interruptedAfter(1),
      limits,
    });
    expect(stopped.exit).toBe(5);
    expect((await payroll.resume('november')).exit).toBe(0);
    await expectPaidOnce(service, rows);
  });

  test('holds a single payout above --limit-payout and pays the others', async () => {
    const { service, payroll } = await prepared(dedupe);
    const command = [
      'run',
      'november.csv',
      '--yes',
      '--max-total',
      'KES=9999',
      '--limit-payout',
      'KES=1002',
      ...fastFlags,
    ];
    const ran = await payroll.command(command);

    expect(ran.exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 paid', 'P003 held']);
    expect(payroll.results('november')[2]?.['payrun_reason']).toBe('above the limit of KES 1,002.00');
    await expectPaidOnce(service, rows.slice(0, 2));
  });

  test('holds a released payout again once its row asks for more: nobody has let that amount pass', async () => {
    const { service, payroll } = await prepared(dedupe);
    const fileWith = (amount: string) =>
      payroll.write('november.csv', [...rows.slice(0, 2), employee(3, { amount })]);
    const policy = { limitPayout: kes(2000) };
    expect((await payroll.run(fileWith('5000.00'), { policy })).exit).toBe(3);
    const released = await payroll.decide('november', (run) => ({
      choice: { kind: 'named', ids: ['P003'] },
      rule: (payout) => release(payout, 'named', run, 'five thousand are right'),
      repeats: undefined,
    }));
    expect(released.moved).toBe(1);

    expect((await payroll.run(fileWith('9000.00'), { policy })).exit).toBe(3);

    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 paid', 'P003 held']);
    expect(payroll.results('november')[2]?.['payrun_reason']).toBe('above the limit of KES 2,000.00');
    await expectPaidOnce(service, rows.slice(0, 2));
  });
});

describe('what was confirmed bounds everything that the batch ever sends', () => {
  const max = (amount: number) => ({
    limits: { confirmTotal: none, maxTotal: kes(amount) },
    limitsNeeded: true,
  });
  const releaseAll = (payroll: Payroll) =>
    payroll.decide('november', (run) => ({
      choice: { kind: 'states', states: ['held'] },
      rule: (payout) => release(payout, 'named', run, 'seen'),
      repeats: undefined,
    }));

  async function oneHeld(): Promise<{ service: PayrollService; payroll: Payroll }> {
    const service = await startPayrollService('on');
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(2), employee(3)]);
    await service.enrol([{ number: phoneOf(1), name: 'Somebody Quite Different' }]);
    return { service, payroll };
  }

  test('a released payout counts: no run and no resume passes the limit that every run was given', async () => {
    const { service, payroll } = await oneHeld();
    const limit = max(2100);
    expect((await payroll.run(payroll.write('november.csv', staff(2)), limit)).exit).toBe(3);
    const grown = payroll.write('november.csv', staff(3));
    expect((await payroll.run(grown, limit)).exit).toBe(3);
    await releaseAll(payroll);

    const resumed = await payroll.resume('november');

    expect(resumed).toMatchObject({ exit: 6, summary: { sends: 0, stopped: { code: 'limit' } } });
    expect(resumed.summary?.stopped?.message).toContain('KES 2,100.00');
    expect(resumed.summary?.stopped?.message).toContain('KES 3,006.00');
    expect(await service.sums()).toEqual([`${phoneOf(2)} 1002.00`, `${phoneOf(3)} 1003.00`]);
    expect((await payroll.run(grown, limit)).exit).toBe(6);

    expect((await payroll.run(grown, max(3006))).exit).toBe(0);
    await expectPaidOnce(service, staff(3));
  });

  test('a released payout that was part of the confirmed total is paid by a resume', async () => {
    for (const confirmed of ['--confirm-total', 'typed'] as const) {
      const { service, payroll } = await oneHeld();
      const wishes =
        confirmed === 'typed' ? { isTyped: true } : { limits: { confirmTotal: kes(3006), maxTotal: none } };
      expect((await payroll.run(payroll.write('november.csv', staff(3)), wishes)).exit, confirmed).toBe(3);
      await releaseAll(payroll);
      expect((await payroll.resume('november')).exit, confirmed).toBe(0);
      await expectPaidOnce(service, staff(3));
    }
  });

  test('a payout that was confirmed and held is still confirmed after a row was added and typed', async () => {
    const { service, payroll } = await oneHeld();
    await enrolStaff(service, [employee(4)]);
    const typed = { isTyped: true };
    expect((await payroll.run(payroll.write('november.csv', staff(3)), typed)).exit).toBe(3);
    expect((await payroll.run(payroll.write('november.csv', staff(4)), typed)).exit).toBe(3);
    await releaseAll(payroll);
    expect((await payroll.resume('november')).exit).toBe(0);
    await expectPaidOnce(service, staff(4));
  });

  test('of payouts that wait only as much is still confirmed as ever was: a held row that nobody typed is not', async () => {
    const { service, payroll } = await oneHeld();
    await enrolStaff(service, [employee(4)]);
    const unseen = employee(3, { amount: '900.00' });
    await service.enrol([{ number: phoneOf(3), name: 'Somebody Quite Different' }]);
    const typed = { isTyped: true };
    expect((await payroll.run(payroll.write('november.csv', staff(2)), typed)).exit).toBe(3);
    // There is room for it while P001 is held, so that nobody is asked.
    expect((await payroll.run(payroll.write('november.csv', [...staff(2), unseen]))).exit).toBe(3);
    const whole = [...staff(2), unseen, employee(4)];
    const file = payroll.write('november.csv', whole);
    expect((await payroll.run(file, typed)).exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 held', 'P002 paid', 'P003 held', 'P004 paid']);
    await releaseAll(payroll);

    const resumed = await payroll.resume('november');

    expect(resumed).toMatchObject({ exit: 6, summary: { sends: 0, stopped: { code: 'limit' } } });
    expect(resumed.summary?.stopped?.message).toContain('KES 3,007.00');
    expect(resumed.summary?.stopped?.message).toContain('KES 3,907.00');
    expect(await service.sums()).toEqual([`${phoneOf(2)} 1002.00`, `${phoneOf(4)} 1004.00`]);
    expect((await payroll.run(file, typed)).exit).toBe(0);
    await expectPaidOnce(service, whole);
  });

  test('what was typed at a terminal bounds a later run that states nothing, until more is typed', async () => {
    const { service, payroll } = await prepared('on');
    await enrolStaff(service, staff(4));
    const two = await payroll.run(payroll.write('november.csv', staff(2)), { isTyped: true });
    expect(two.exit).toBe(0);
    const four = payroll.write('november.csv', staff(4));
    expect(await payroll.run(four)).toMatchObject({ exit: 6, code: 'limit' });
    expect((await payroll.run(four, { isTyped: true })).exit).toBe(0);
    await expectPaidOnce(service, staff(4));
  });

  test('the log has what was typed: what goes out now, without what is held for its name', async () => {
    const { payroll } = await prepared('on');
    const stranger = employee(2, { phoneNumber: phoneOf(2, '99013') });
    const file = payroll.write('november.csv', [employee(1), stranger, employee(3)]);
    const ran = await payroll.run(file, { isTyped: true });
    expect(ran).toMatchObject({ exit: 3, summary: { statuses: { paid: 2, held: 1 } } });
    const events = await payroll.ask((db) => db.prepare('SELECT why FROM events').pluck().all());
    expect(events.join('\n')).toContain(
      'typed at a terminal: KES 2,004.00, confirmed with what is held or was sent before: KES 3,006.00',
    );
  });

  test('the log says nothing of a confirmation where nobody was asked: the same file once more', async () => {
    const { payroll } = await prepared('on');
    const file = payroll.write('november.csv', rows);
    expect((await payroll.run(file, { isTyped: true })).exit).toBe(0);
    expect(await payroll.run(file, { isTyped: true })).toMatchObject({ exit: 0, summary: { sends: 0 } });
    expect((await payroll.run(file, max(5000))).exit).toBe(0);
    const accepted = await payroll.ask((db) =>
      db.prepare(`SELECT why FROM events WHERE why LIKE 'draft %' ORDER BY seq`).pluck().all(),
    );
    expect(accepted).toEqual([
      expect.stringMatching(/ accepted, typed at a terminal: KES ([\d,]+\.00), confirmed: KES \1$/),
      expect.stringMatching(/ accepted$/),
      expect.stringMatching(/ accepted, confirmed: at most KES 5,000.00$/),
    ]);
  });

  test('a batch that is paid takes its file again from cron without a limit; one more person needs one', async () => {
    const { service, payroll } = await prepared('on');
    const file = payroll.write('november.csv', rows);
    expect((await payroll.run(file, { ...max(5000), limitsNeeded: true })).exit).toBe(0);
    expect(await payroll.run(file, { limitsNeeded: true })).toMatchObject({ exit: 0, summary: { sends: 0 } });
    await enrolStaff(service, staff(4));
    const more = payroll.write('november.csv', staff(4));
    expect(await payroll.run(more, { limitsNeeded: true })).toMatchObject({ exit: 6, code: 'limit' });
    await expectPaidOnce(service, rows);
  });

  test('a confirmed total is that of the file, whatever was sent for rows that are gone from it', async () => {
    const { service, payroll } = await prepared('on');
    await enrolStaff(service, staff(4));
    const confirm = (amount: number) => ({ limits: { confirmTotal: kes(amount), maxTotal: none } });
    expect((await payroll.run(payroll.write('november.csv', staff(2)), confirm(2003))).exit).toBe(0);
    const others = payroll.write('november.csv', [employee(2), employee(3)]);
    expect((await payroll.run(others, confirm(2005))).exit).toBe(0);
    await expectPaidOnce(service, staff(3));
  });

  test('a resume may be given less, and then sends nothing', async () => {
    const { service, payroll } = await prepared('on');
    await payroll.run(payroll.write('november.csv', rows), { ...interruptedAfter(1), ...max(5000) });
    const refused = await payroll.resume('november', { maxTotal: kes(3000) });
    expect(refused).toMatchObject({ exit: 6, summary: { sends: 0 } });
    // What is on its way is settled all the same.
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 not_sent', 'P003 not_sent']);
    expect((await payroll.resume('november', { maxTotal: kes(9000) })).exit).toBe(0);
    await expectPaidOnce(service, rows);
  });

  test('a retry file counts what else of the batch waits to be sent, and the plan says how much', async () => {
    const service = await startPayrollService('on');
    const payroll = openPayroll(service);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', [
      employee(1),
      employee(2),
      employee(3, { phoneNumber: '1234' }),
    ]);
    const skipInvalid = { policy: { skipInvalid: true } };
    await payroll.run(file, { ...interruptedAfter(0), ...skipInvalid, ...max(9000) });
    const retry = correctedRetry(payroll);

    const refused = await payroll.run(retry, max(1003));
    expect(refused).toMatchObject({ exit: 6, code: 'limit' });
    expect(refused.message).toContain('KES 3,006.00');
    expect(refused.planned?.plan.besides).toEqual([
      { name: 'KES', currency: 'KES', rows: 2, amountMinor: 200300n },
    ]);
    expect(besidesPart({ besides: refused.planned?.plan.besides ?? [] })).toBe(
      'Besides this file, 2 payouts of the batch wait to be sent and will be: KES 2,003.00.',
    );
    expect(await service.payouts()).toEqual([]);

    expect((await payroll.run(retry, max(3006))).exit).toBe(0);
    await expectPaidOnce(service, rows);
  });

  function correctedRetry(payroll: Payroll): string {
    const path = payroll.read(`${payroll.folder}/november.retry.csv`);
    return payroll.write(
      'november.retry.csv',
      path.map((row) => (row['paymentId'] === 'P003' ? { ...row, phoneNumber: phoneOf(3) } : row)),
    );
  }

  test('a retry file never loosens the limit for one payout, nor what becomes of names', async () => {
    const service = await startPayrollService('on');
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(2), employee(3)]);
    await service.enrol([{ number: phoneOf(1), name: 'Somebody Quite Different' }]);
    const file = payroll.write('november.csv', [
      employee(1),
      employee(2, { amount: '5000.00' }),
      employee(3, { phoneNumber: '1234' }),
    ]);
    const policy = { skipInvalid: true, limitPayout: kes(2000) };
    await payroll.run(file, { ...interruptedAfter(0), policy });

    const loose = { skipInvalid: true, onMismatch: 'pay', limitPayout: none } as const;
    await payroll.run(correctedRetry(payroll), { policy: loose });

    expect(payroll.statuses('november')).toEqual(['P001 held', 'P002 held', 'P003 paid']);
    await payroll.resume('november');
    await expectPaidOnce(service, [employee(3)]);
  });

  test('a whole file states the limits anew, but not for a payout whose row it does not have', async () => {
    const service = await startPayrollService('on');
    const payroll = openPayroll(service);
    const big = employee(1, { amount: '5000.00' });
    const bigger = employee(2, { amount: '6000.00' });
    await enrolStaff(service, [big, bigger]);
    await payroll.run(payroll.write('november.csv', [big, bigger]), {
      ...interruptedAfter(0),
      policy: { limitPayout: kes(2000) },
    });
    await payroll.run(payroll.write('november.csv', [bigger]));
    expect(payroll.statuses('november')).toEqual(['P001 held', 'P002 paid']);
    await releaseAll(payroll);

    await payroll.resume('november');

    expect(payroll.statuses('november')).toEqual(['P001 held', 'P002 paid']);
    expect(payroll.results('november')[0]?.['payrun_reason']).toContain('above the limit of KES 2,000.00');
    await releaseAll(payroll);
    expect((await payroll.resume('november')).exit).toBe(0);
    await expectPaidOnce(service, [big, bigger]);
  });

  test('a resume that is told to be stricter holds what an earlier run had let pass', async () => {
    const service = await watchService(await startPayrollService('on'));
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1)]);
    await service.enrol([{ number: phoneOf(2), name: 'Somebody Quite Different' }]);
    service.interfere(({ path }) =>
      path.startsWith('/transactions') ? { kind: 'answer', status: 503, body: {} } : undefined,
    );
    const file = payroll.write('november.csv', [employee(1, { amount: '5000.00' }), employee(2)]);
    await payroll.run(file, { policy: { onMismatch: 'pay' } });
    const states = await payroll.ask((db) =>
      db.prepare('SELECT state FROM payouts ORDER BY id').pluck().all(),
    );
    expect(states).toEqual(['ready', 'ready']);
    service.interfere();

    await payroll.resume('november', { tighten: { onMismatch: 'hold', limitPayout: kes(2000) } });

    expect(payroll.statuses('november')).toEqual(['P001 held', 'P002 held']);
    expect(service.payoutCalls()).toEqual([]);
  });
});

describe('a currency that is debited', () => {
  const both = (amounts: Record<string, bigint>) => ({
    limits: { confirmTotal: none, maxTotal: new Map(Object.entries(amounts)) },
    limitsNeeded: true,
  });
  const fromDollars = (number: number): Cells =>
    employee(number, { amount: '1150.00', debitCurrency: 'USD', debitCountry: 'KE' });

  test('counts what earlier runs debited: three runs under a limit of USD 10 debit no more', async () => {
    const service = await startPayrollService('on');
    const payroll = openPayroll(service);
    const dollars = [1, 2, 3].map(fromDollars);
    await enrolStaff(service, dollars);
    const limit = both({ KES: 10_000_000n, USD: 1_000n });
    expect((await payroll.run(payroll.write('november.csv', dollars.slice(0, 1)), limit)).exit).toBe(0);

    const second = await payroll.run(payroll.write('november.csv', dollars.slice(0, 2)), limit);

    expect(second).toMatchObject({ exit: 6, code: 'limit' });
    expect(second.message).toMatch(/--max-total allows USD 10\.00; .* about USD 1\d\.\d\d/);
    expect(await service.payouts()).toHaveLength(1);
  });

  test('and paid as well is bounded by the sum of both', async () => {
    const service = await startPayrollService('on');
    const payroll = openPayroll(service);
    const file = [
      employee(1, { amount: '100.00', branchCode: '', debitCurrency: '' }),
      employee(2, {
        country: 'UG',
        currency: 'UGX',
        amount: '1000000',
        phoneNumber: '+256712345679',
        branchCode: '001',
        debitCurrency: 'KES',
      }),
    ];
    await enrolStaff(service, file);
    const path = payroll.write('november.csv', file);

    const refused = await payroll.run(path, both({ KES: 10_000n, UGX: 100_000_000n }));
    expect(refused).toMatchObject({ exit: 6, code: 'limit' });
    expect(refused.message).toMatch(/--max-total allows KES 100\.00; .* about KES 3\d,\d{3}/);
    const unsaid = await payroll.run(path, {
      limits: { confirmTotal: new Map([...kes(100), ['UGX', 100_000_000n]]), maxTotal: none },
      limitsNeeded: true,
    });
    expect(unsaid).toMatchObject({ exit: 6, code: 'limit' });
    expect(unsaid.message).toContain('add --max-total KES=');
    expect(await service.payouts()).toEqual([]);
    expect((await payroll.run(path, both({ KES: 4_000_000n, UGX: 100_000_000n }))).exit).toBe(0);
  });
});
