import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { employee, enrolStaff, hastyClock, openPayroll, phoneOf, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const dayMs = 24 * 60 * 60 * 1000;

describe.each(dedupeModes)('a copy of a paid file under another name, with dedupe %s', (dedupe) => {
  test('is refused with the list of what it repeats, and nothing is sent', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(4);
    await enrolStaff(service, rows);
    expect(await payroll.run(payroll.write('november.csv', rows))).toMatchObject({ exit: 0 });
    copyFileSync(join(payroll.folder, 'november.csv'), join(payroll.folder, 'november (1).csv'));

    const command = ['run', 'november (1).csv', '--batch', 'copy'];
    const copy = await payroll.command([
      ...command,
      '--yes',
      '--max-total',
      'KES=100000',
      '--settle-for',
      '5s',
    ]);

    expect(copy.exit).toBe(6);
    expect(copy.stdout).toContain('All 4 payments of this file are those of batch november');
    expect(copy.stdout).toContain('in batch november');
    expect(copy.stdout).toContain('--allow-repeats 4');
    await expectPaidOnce(service, rows);
  });

  test('is refused even while the first is only planned, and whatever ids its rows carry', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(2);
    await enrolStaff(service, rows);
    const interrupted = new AbortController();
    await payroll.run(payroll.write('november.csv', rows), {
      signal: interrupted.signal,
      confirm: async () => {
        interrupted.abort();
        return true;
      },
    });

    const renumbered = rows.map((row, index) => ({ ...row, paymentId: `Q${index}` }));
    const copy = await payroll.run(payroll.write('copy.csv', renumbered));

    expect(copy.exit).toBe(6);
    expect(copy.code).toBe('repeats');
    expect(await service.payouts()).toEqual([]);
  });

  test('goes through as far as a person allows it, and no further', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, rows);
    await payroll.run(payroll.write('november.csv', rows));

    const copy = payroll.write('bonus.csv', [employee(1), employee(2, { amount: '77.00' })]);
    expect((await payroll.run(copy)).exit).toBe(6);
    expect((await payroll.run(copy, { allowRepeats: 1 })).exit).toBe(0);
    const all = payroll.write('again.csv', rows);
    expect((await payroll.run(all, { allowRepeats: 2 })).exit).toBe(6);

    expect(await service.sums()).toEqual(
      [...rows, employee(1)]
        .map((row) => `${row['phoneNumber']} ${row['amount']}`)
        .concat(`${phoneOf(2)} 77.00`)
        .sort(),
    );
    expect(await service.books()).toEqual([]);
  });

  test('is no repeat once the window is over, nor where the first failed', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const failing = employee(2, { phoneNumber: phoneOf(2, '99001') });
    const rows = [employee(1), failing];
    await enrolStaff(service, rows);
    await payroll.run(payroll.write('october.csv', rows));

    const same = payroll.write('november.csv', rows);
    const soon = await payroll.run(same);
    expect(soon.exit).toBe(6);
    expect(soon.message).toContain('1 of 2 payments repeats');
    expect((await payroll.run(same, { clock: hastyClock({ shiftMs: 6 * dayMs }) })).exit).toBe(3);

    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(1)} 1001.00`]);
    expect(await service.sums('FAILED')).toHaveLength(2);
    expect(await service.books()).toEqual([]);
  });
});
