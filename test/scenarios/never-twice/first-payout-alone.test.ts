import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { expectNothingTwice, expectPaidOnce } from '../../support/paid-once.ts';
import { employee, enrolStaff, openPayroll, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { isLookUp, isPayout, type SeenCall, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

describe.each(dedupeModes)(
  'A service that has not yet shown that it can be searched, dedupe %s',
  (dedupe) => {
    test('gets the first payout alone, and the others once a look-up has shown it', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rows = staff(16);
      await enrolStaff(service, rows);
      const file = payroll.write('november.csv', rows);
      service.interfere((call) => (isPayout(call) ? { kind: 'answer-later', until: pause(150) } : undefined));

      expect(await payroll.run(file)).toMatchObject({ exit: 0 });

      const [first, ...others] = service.payoutCalls();
      const shown = service.calls.find(
        (call) => isLookUp(call) && call.reference === first?.reference && call.atMs > endOf(first),
      );
      for (const other of others) expect(other.atMs).toBeGreaterThan(endOf(shown));
      expect(mostAtOnce(others)).toBeGreaterThan(1);

      // From then on it has shown it: the next batch is sent side by side from its first payout on.
      const next = Array.from({ length: 8 }, (_, index) => employee(200 + index));
      await enrolStaff(service, next);
      expect(await payroll.run(payroll.write('bonus.csv', next))).toMatchObject({ exit: 0 });
      const [opening, second] = service.payoutCalls().slice(rows.length);
      expect(second?.atMs).toBeLessThan(endOf(opening));
      await expectPaidOnce(service, [...rows, ...next]);
    });

    test('keeps an unanswered payout unclear; the first run that has the proof sends it, once', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rows = staff(10);
      const added = employee(11);
      await enrolStaff(service, [...rows, added]);
      const file = payroll.write('november.csv', rows);
      await service.faults('lookup-lag=1h');
      let lost: SeenCall | undefined;
      service.interfere((call) => {
        if (!isPayout(call) || service.payoutCalls().length !== 5) return undefined;
        lost = call;
        return { kind: 'lose-request' };
      });
      const settings = { quietPeriodMs: 1_000, settleForMs: 200 };

      const unproven = await payroll.run(file, { clock: systemClock, settings });
      expect(unproven.exit).toBe(4);
      expect(unproven.summary?.statuses).toMatchObject({ pending: 9, unknown: 1 });
      expect(await expectNothingTwice(service, rows)).toHaveLength(9);
      const still = await payroll.run(file, { clock: systemClock, settings });
      expect(still.summary?.sends).toBe(0);

      await service.faults('');
      const startedMs = performance.now();
      const proven = await payroll.run(payroll.write('november.csv', [...rows, added]), {
        clock: systemClock,
        settings: { quietPeriodMs: 1_000 },
      });
      expect(proven.exit).toBe(0);
      const sends = service.payoutCalls().filter((call) => call.reference === lost?.reference);
      expect(sends).toHaveLength(2);
      expect(sends[1]?.atMs).toBeGreaterThan(startedMs + 1_000);
      await expectPaidOnce(service, [...rows, added]);
    });

    test('whose very first payout is lost: those accepted after it prove it, and it is sent again in the same run', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rows = staff(10);
      await enrolStaff(service, rows);
      const file = payroll.write('november.csv', rows);
      service.interfere((call) =>
        isPayout(call) && service.payoutCalls().length === 1 ? { kind: 'lose-request' } : undefined,
      );

      const ran = await payroll.run(file, { clock: systemClock });

      expect(ran.exit).toBe(0);
      expect(service.payoutCalls()).toHaveLength(11);
      await expectPaidOnce(service, rows);
    });
  },
);

function endOf(call: SeenCall | undefined): number {
  return call?.endedMs ?? Number.POSITIVE_INFINITY;
}

function mostAtOnce(calls: readonly SeenCall[]): number {
  return Math.max(
    ...calls.map(
      (call) => calls.filter((other) => other.atMs <= call.atMs && endOf(other) > call.atMs).length,
    ),
  );
}
