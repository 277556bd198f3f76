import { describe, expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { employee, enrolStaff, openPayroll, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

describe.each(dedupeModes)('a row that is added to a file, with dedupe %s', (dedupe) => {
  test('is paid, and those that were paid before are not paid again', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, rows);
    await payroll.run(payroll.write('november.csv', [employee(1), employee(3)]));

    const grown = await payroll.run(payroll.write('november.csv', rows));

    expect(grown).toMatchObject({ exit: 0, summary: { sends: 1 } });
    expect(grown.planned?.plan.fates).toMatchObject({ new: 1, 'carries-on': 2 });
    // In the order of first appearance, whatever place it has in the file now.
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P003 paid', 'P002 paid']);
    await expectPaidOnce(service, rows);
  });

  test('is not paid a second time by a journal that was restored from before it was added', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(4);
    await enrolStaff(service, rows);
    await payroll.run(payroll.write('november.csv', rows.slice(0, 2)));
    const oldJournal = await payroll.store.copy();
    const grown = payroll.write('november.csv', rows);
    await payroll.run(grown);
    await payroll.store.restore(oldJournal);

    expect(await payroll.run(grown)).toMatchObject({ exit: 0, summary: { sends: 0 } });

    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 paid', 'P003 paid', 'P004 paid']);
    await expectPaidOnce(service, rows);
  });
});
