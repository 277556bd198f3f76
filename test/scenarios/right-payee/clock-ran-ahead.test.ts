import { describe, expect, test } from 'vitest';
import { batchesToResume, isRereadDue } from '../../../src/journal/batch-record.ts';
import { expectNothingTwice } from '../../support/paid-once.ts';
import { employee, enrolStaff, hastyClock, interruptedAfter, openPayroll } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const dayMs = 24 * 60 * 60 * 1000;
/** Nothing here is about how long an answer takes. */
const settings = { timeoutMs: 20_000 };
const ahead = hastyClock({ shiftMs: 400 * dayMs });

describe.each(dedupeModes)('A clock that ran ahead and was set right, dedupe %s', (dedupe) => {
  test('a name that was asked then is asked again: the number belongs to somebody else by now', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const [paid, later] = [employee(1), employee(1, { paymentId: 'P900', amount: '77.00' })];
    await enrolStaff(service, [paid]);
    expect((await payroll.run(payroll.write('november.csv', [paid]), { clock: ahead, settings })).exit).toBe(
      0,
    );
    await service.enrol([{ number: paid['phoneNumber'] ?? '', name: 'Zawadi Kiprono' }]);

    const ran = await payroll.run(payroll.write('december.csv', [later]), { settings });

    expect(ran.exit).toBe(3);
    expect(payroll.statuses('december')).toEqual(['P900 held']);
    expect(await expectNothingTwice(service, [paid])).toHaveLength(1);
  });

  test('a payout that was ready then is checked again before it is sent', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = [employee(1), employee(2)];
    await enrolStaff(service, rows);
    await payroll.run(payroll.write('november.csv', rows), {
      ...interruptedAfter(1),
      settings: { ...settings, concurrency: 1 },
      clock: ahead,
    });
    const states = await payroll.ask((db) =>
      db.prepare('SELECT state FROM payouts ORDER BY id').pluck().all(),
    );
    expect(states[1]).toBe('ready');
    await service.enrol([{ number: rows[1]?.['phoneNumber'] ?? '', name: 'Zawadi Kiprono' }]);

    const resumed = await payroll.resume('november', { settings });

    expect(resumed.exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 held']);
    expect(await expectNothingTwice(service, rows)).toHaveLength(1);
  });

  test('what was read again then is read again now', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1)]);
    await payroll.run(payroll.write('november.csv', [employee(1)]), { settings });
    await payroll.resume('november', { clock: hastyClock({ shiftMs: 9 * dayMs }), settings });

    const due = (days: number) =>
      payroll.ask((db) => {
        const nowMs = Date.now() + days * dayMs;
        const named = batchesToResume(db, nowMs);
        return [named.length, ...named.map(({ id }) => isRereadDue(db, id, nowMs))];
      });
    // Right after it was read, and one day on; then with the clock set right.
    expect([await due(9.5), await due(10.5), await due(2)]).toEqual([[0], [1, true], [1, true]]);
    expect(await service.sums()).toEqual(['+254712000101 1001.00']);
  });
});
