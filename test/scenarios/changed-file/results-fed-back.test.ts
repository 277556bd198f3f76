import { describe, expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import {
  employee,
  enrolStaff,
  interruptedAfter,
  openPayroll,
  phoneOf,
  staff,
} from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

describe.each(dedupeModes)('the results of a batch, fed back in with dedupe %s', (dedupe) => {
  test('are the same as the file: nothing is sent, and the results stay what they were', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    // A sign in front, and a narration that a spreadsheet would take for a formula: both must survive the journey.
    const rows = staff(4).map((row) => ({ ...row, narration: `=SUM(A1:A9)${' and so on'.repeat(30)}` }));
    await enrolStaff(service, rows);
    const first = await payroll.run(payroll.write('november.csv', rows));
    const steady = () => payroll.results('november').map(({ payrun_event: _, ...row }) => row);
    const before = steady();
    expect(before.map(({ narration }) => narration)).toEqual(rows.map(({ narration }) => `'${narration}`));

    const again = await payroll.run(first.summary?.resultsPath ?? '');

    expect(again.exit).toBe(0);
    expect(again.summary?.batch).toBe('november');
    expect(again.summary?.sends).toBe(0);
    expect(again.planned?.plan.fates).toMatchObject({ 'carries-on': 4, new: 0, renamed: 0 });
    expect(steady()).toEqual(before);
    await expectPaidOnce(service, rows);
  });

  test('carry an interrupted batch on, and take a new row that a person added', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(4);
    await enrolStaff(service, [...rows, employee(9)]);
    const first = await payroll.run(payroll.write('november.csv', rows), interruptedAfter(2));
    expect(first.exit).toBe(5);

    const fed = payroll.write('november.results.csv', [...payroll.results('november'), employee(9)]);
    const again = await payroll.run(fed);

    expect(again.exit).toBe(0);
    expect(payroll.statuses('november')).toEqual(
      ['P001', 'P002', 'P003', 'P004', 'P009'].map((id) => `${id} paid`),
    );
    await expectPaidOnce(service, [...rows, employee(9)]);
  });

  test('are known by their batch under any name, and are refused where cells were moved about', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, rows);
    await payroll.run(payroll.write('november.csv', rows));
    const [one, two, three] = payroll.results('november');

    const elsewhere = await payroll.run(
      payroll.write('copy of results.csv', [one ?? {}, two ?? {}, three ?? {}]),
    );
    expect(elsewhere).toMatchObject({ exit: 0, summary: { batch: 'november', sends: 0 } });

    const swapped = [one ?? {}, { ...two, payrun_reference: three?.['payrun_reference'] ?? '' }, three ?? {}];
    const moved = await payroll.run(payroll.write('swapped.csv', swapped));
    expect(moved.exit).toBe(65);
    expect(moved.problems.map((problem) => problem.code)).toContain('identity-broken');

    const mixed = [one ?? {}, { ...two, payrun_batch: 'october' }, three ?? {}];
    expect((await payroll.run(payroll.write('mixed.csv', mixed))).exit).toBe(65);
    await expectPaidOnce(service, rows);
  });

  test('keep a corrected number the same payment, where payees are the keys', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const withoutIds = (row: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'paymentId'));
    const rows = [employee(1), employee(2, { phoneNumber: phoneOf(2, '99005') })].map(withoutIds);
    await enrolStaff(service, [...rows, employee(2)]);
    await payroll.run(payroll.write('november.csv', rows));

    const [one, two] = payroll.results('november');
    expect(two?.['payrun_status']).toBe('refused');
    const corrected = payroll.write('corrected.csv', [one ?? {}, { ...two, phoneNumber: phoneOf(2) }]);
    expect((await payroll.run(corrected)).exit).toBe(0);

    expect(payroll.results('november')).toHaveLength(2);
    expect((await service.payouts()).map(({ reference }) => reference)).toEqual([
      one?.['payrun_reference'],
      two?.['payrun_reference'],
    ]);
    await expectPaidOnce(service, [employee(1), employee(2)]);
  });
});
