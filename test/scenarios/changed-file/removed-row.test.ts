import { describe, expect, test } from 'vitest';
import { release } from '../../../src/decisions/release.ts';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { employee, enrolStaff, interruptedAfter, openPayroll, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

describe.each(dedupeModes)('a row that is taken out of the file, with dedupe %s', (dedupe) => {
  test('is not paid if it was not sent yet, and is paid once when it comes back', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(4);
    await enrolStaff(service, rows);
    await payroll.run(payroll.write('november.csv', rows), interruptedAfter(1));

    const without = await payroll.run(payroll.write('november.csv', [employee(1), employee(2), employee(4)]));
    expect(without.exit).toBe(3);
    expect(without.planned?.plan.gone).toMatchObject({ unsent: 1, sent: 0 });
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 paid', 'P003 held', 'P004 paid']);
    expect(payroll.results('november')[2]?.['payrun_reason']).toBe('no longer in the file');
    expect((await payroll.resume('november')).summary?.sends).toBe(0);
    await expectPaidOnce(service, [employee(1), employee(2), employee(4)]);

    const back = await payroll.run(payroll.write('november.csv', rows));
    expect(back.exit).toBe(0);
    expect(back.planned?.plan.fates['brought-back']).toBe(1);
    await expectPaidOnce(service, rows);
  });

  test('stays paid if it was sent, and is listed', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, [...rows, employee(4)]);
    await payroll.run(payroll.write('november.csv', rows));

    const without = await payroll.run(payroll.write('november.csv', [employee(1), employee(3), employee(4)]));
    expect(without.exit).toBe(0);
    expect(without.planned?.plan.gone).toMatchObject({ unsent: 0, sent: 1, first: [{ key: 'P002' }] });
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 paid', 'P003 paid', 'P004 paid']);
    expect(payroll.results('november')[1]?.['payrun_reason']).toBe('the row is no longer in the file');

    const back = await payroll.run(payroll.write('november.csv', staff(4)));
    expect(back.exit).toBe(0);
    expect(back.summary?.sends).toBe(0);
    await expectPaidOnce(service, staff(4));
  });

  test('is not paid by releasing the names it was held among', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await service.enrol(
      rows.map((row) => ({ number: row['phoneNumber'] ?? '', name: 'Somebody Quite Different' })),
    );
    await payroll.run(payroll.write('november.csv', rows));
    await payroll.run(payroll.write('november.csv', [employee(1), employee(3)]));

    const { moved } = await payroll.decide('november', (run) => ({
      choice: { kind: 'states', states: ['held'] },
      rule: (payout) => release(payout, 'all', run, 'known to us'),
      repeats: undefined,
    }));
    expect(moved).toBe(2);
    await payroll.resume('november');
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 held', 'P003 paid']);

    // Brought back, its name is asked about again.
    expect((await payroll.run(payroll.write('november.csv', rows))).exit).toBe(3);
    expect(payroll.results('november')[1]?.['payrun_reason']).toContain('mismatch');
    await expectPaidOnce(service, [employee(1), employee(3)]);
  });

  test('is paid once a person has released it, and no later file without the row holds it again', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, [...rows, employee(4)]);
    await payroll.run(payroll.write('november.csv', rows), interruptedAfter(0));
    await payroll.run(payroll.write('november.csv', [employee(1), employee(2)]), interruptedAfter(0));
    await payroll.decide('november', (run) => ({
      choice: { kind: 'named', ids: ['P003'] },
      rule: (payout) => release(payout, 'named', run, 'she left in November'),
      repeats: undefined,
    }));

    const others = [employee(1), employee(2), employee(4)];
    const ran = await payroll.run(payroll.write('november.csv', others));

    expect(ran.exit).toBe(0);
    expect(ran.planned?.plan.gone.unsent).toBe(0);
    expect(ran.planned?.plan.besides).toMatchObject([{ currency: 'KES', rows: 1, amountMinor: 100300n }]);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 paid', 'P003 paid', 'P004 paid']);
    await expectPaidOnce(service, staff(4));
  });

  test('is held as well where it stands in the file and has become invalid', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, rows);
    await payroll.run(payroll.write('november.csv', rows), interruptedAfter(0));

    const broken = payroll.write('november.csv', [employee(1), employee(2, { amount: '-5' }), employee(3)]);
    expect((await payroll.run(broken)).exit).toBe(65);
    const skipping = await payroll.run(broken, { policy: { skipInvalid: true } });
    expect(skipping.exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 held', 'P003 paid']);
    await expectPaidOnce(service, [employee(1), employee(3)]);

    expect((await payroll.run(payroll.write('november.csv', rows))).exit).toBe(0);
    await expectPaidOnce(service, rows);
  });
});
