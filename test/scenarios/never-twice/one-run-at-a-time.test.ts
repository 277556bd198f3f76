import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.ts';
import type { HeldBatch } from '../../../src/journal/held-batch.ts';
import { expectPaidOnce, expectResultsAgree } from '../../support/paid-once.ts';
import {
  type Cells,
  employee,
  enrolStaff,
  openPayroll,
  phoneOf,
  type Ran,
  staff,
} from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { isPayout, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const yes = ['--yes', '--max-total', 'KES=90000', '--timeout', '20s'];

describe.each(dedupeModes)('Three processes at once, dedupe %s', (dedupe) => {
  test('on one file: one works, the others are told so (75), and every row is paid once', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(12);
    await enrolStaff(service, rows);
    payroll.write('november.csv', rows);
    // The one that works is kept from its first payout until the others have given up.
    let ended = 0;
    let letGo = () => {};
    const until = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    service.interfere((call) => (isPayout(call) ? { kind: 'wait', until } : undefined));

    const runs = await Promise.all(
      [1, 2, 3].map(async () => {
        const run = await payroll.payrun(['run', 'november.csv', ...yes]);
        ended += 1;
        if (ended === 2) letGo();
        return run;
      }),
    );

    const told = runs.map(({ exit, stderr }) => (exit === 0 || exit === 75 ? exit : `${exit}: ${stderr}`));
    expect(told.sort()).toEqual([0, 75, 75]);
    for (const run of runs.filter(({ exit }) => exit === 75)) {
      expect(run.stderr).toContain('Another payrun is working on batch november');
    }
    expect(service.payoutCalls()).toHaveLength(12);
    await expectResultsAgree(service, payroll.results('november'));
    await expectPaidOnce(service, rows);
  });

  test('on three batches of one workspace: all of them work, side by side, even for the same people', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    // The first four are in every batch, with another amount in each.
    const rowsOf = (batch: number): Cells[] =>
      Array.from({ length: 10 }, (_, index) =>
        index < 4
          ? employee(index + 1, { amount: `${batch * 500 + index}.00` })
          : employee(batch * 100 + index),
      );
    const batches = [rowsOf(1), rowsOf(2), rowsOf(3)];
    await enrolStaff(service, batches.flat());
    for (const [index, rows] of batches.entries()) payroll.write(`team${index + 1}.csv`, rows);

    const runs = await Promise.all(
      [1, 2, 3].map((batch) => payroll.payrun(['run', `team${batch}.csv`, ...yes])),
    );

    expect(runs.map((run) => [run.exit, run.exit === 0 ? '' : run.stderr])).toEqual(Array(3).fill([0, '']));
    await expectResultsAgree(
      service,
      ['team1', 'team2', 'team3'].flatMap((batch) => payroll.results(batch)),
    );
    await expectPaidOnce(service, batches.flat());
  });

  test.each([
    ['no operator', {}, {}],
    ['the operator', { operator: 'M-Pesa' }, { operator: 'M-Pesa' }],
    ['the operator in the first', { operator: 'M-Pesa' }, {}],
    ['the operator in the second', {}, { operator: 'M-Pesa' }],
  ])(
    'two batches that make one payee known at the same moment, with %s: neither of them is held',
    async (_, inFirst, inSecond) => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const salary = employee(1, inFirst);
      const bonus = employee(1, { paymentId: 'B001', amount: '250.00', ...inSecond });
      await enrolStaff(service, [salary]);
      // The second batch finds the account in the list before the first is told that it was made.
      const settings = { timeoutMs: 10_000 };
      let second: Promise<Ran> | undefined;
      service.interfere((call) => {
        if (call.method !== 'POST' || call.path !== '/external-accounts' || second) return undefined;
        second = payroll.run(payroll.write('bonus.csv', [bonus]), { settings });
        return { kind: 'answer-later', until: second };
      });

      const first = await payroll.run(payroll.write('salary.csv', [salary]), { settings });

      expect(payroll.statuses('salary')).toEqual(['P001 paid']);
      expect(first.exit).toBe(0);
      expect(await second).toMatchObject({ exit: 0 });
      await expectPaidOnce(service, [salary, bonus]);
    },
  );
});

describe('A run whose batch is taken over while it waits for payouts to end', () => {
  test('ends with what it has sent and paid, and leaves the results to the other', async () => {
    const service = await startPayrollService();
    const payroll = openPayroll(service);
    const rows = [employee(1), employee(2, { phoneNumber: phoneOf(2, '99002') })];
    await enrolStaff(service, rows);
    let other: HeldBatch | undefined;
    let leapMs = 0;
    let isPaid = false;
    // The other run comes as soon as the lock is lent, and keeps it for longer than anybody waits.
    const clock: Clock = {
      ...systemClock,
      monotonicMs: () => systemClock.monotonicMs() + leapMs,
      async sleep(durationMs, signal) {
        if (isPaid) other ??= await payroll.store.lock('november').catch(() => undefined);
        if (other) leapMs += durationMs;
        await systemClock.sleep(Math.min(durationMs, other ? 5 : 40), signal);
      },
    };

    const ran = await payroll.run(payroll.write('november.csv', rows), {
      clock,
      settings: { settleForMs: 600_000 },
      onEvent: (event) => {
        isPaid ||= event.kind === 'moved' && event.to === 'paid';
      },
    });

    expect(other).toBeDefined();
    other?.release();
    expect(ran).toMatchObject({ exit: 4, code: '', summary: { sends: 2, stopped: undefined } });
    expect(ran.summary?.statuses).toMatchObject({ paid: 1, pending: 1 });
    expect(ran.events).toContainEqual(
      expect.objectContaining({
        kind: 'notice',
        message: expect.stringContaining('took batch november over'),
      }),
    );
    expect(existsSync(`${payroll.folder}/november.results.csv`)).toBe(false);
  });
});
