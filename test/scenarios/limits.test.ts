import { describe, expect, test } from 'vitest';
import { amountFlags } from '../../src/cli/amount-flags.ts';
import type { Limits } from '../../src/pipeline/limits.ts';
import { expectPaidOnce } from '../support/paid-once.ts';
import {
  employee,
  enrolStaff,
  fastFlags,
  interruptedAfter,
  openPayroll,
  type Payroll,
  staff,
} from '../support/pay-run.ts';
import { dedupeModes, type PayrollService, startPayrollService } from '../support/payroll-service.ts';

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
    const [unlimited, unattended] = await Promise.all([
      payroll.payrun(['run', 'november.csv', '--yes', '--batch', 'a']),
      payroll.payrun(['run', 'november.csv', '--confirm-total', `KES=${total}`, '--batch', 'b']),
    ]);
    expect(unlimited.exit).toBe(6);
    expect(unlimited.stdout).toContain('add --confirm-total KES=3006.00 or --max-total');
    expect(unattended.exit).toBe(6);
    expect(unattended.stderr).toContain('nobody at a terminal');
    expect(payroll.ask((db) => db.prepare('SELECT count(*) FROM payouts').pluck().get())).toBe(0);
    expect(await service.payouts()).toEqual([]);
  });

  test('nor where a limit names a currency that does not exist, or no amount: that is a slip of the command', async () => {
    const { service, payroll } = await prepared('on');
    for (const value of ['KSH=1', 'KES', 'KES=1.001', 'KES=1,000', 'KES=-1', 'KES=1=2'])
      expect(() => amountFlags('--max-total', [value]), value).toThrow('--max-total takes a currency');
    const refused = await payroll.payrun(['run', 'november.csv', '--yes', '--max-total', 'KSH=9999']);
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
    const ran = await payroll.payrun(command);

    expect(ran.exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 paid', 'P003 held']);
    expect(payroll.results('november')[2]?.['payrun_reason']).toBe('above the limit of KES 1,002.00');
    await expectPaidOnce(service, rows.slice(0, 2));
  });
});
