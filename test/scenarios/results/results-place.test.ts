import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import {
  employee,
  enrolStaff,
  interruptedAfter,
  openPayroll,
  type Ran,
  staff,
} from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

describe.each(dedupeModes)('the results of a batch, with dedupe %s', (dedupe) => {
  test('go where a person wants them, and stay there for every later run of the batch', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, rows);
    const elsewhere = join(payroll.folder, 'reports');
    mkdirSync(elsewhere);
    const resultsPath = join(elsewhere, 'paid.csv');

    const first = await payroll.run(payroll.write('november.csv', rows.slice(0, 2)), { resultsPath });
    const second = await payroll.run(payroll.write('november.csv', rows));

    expect(first.summary?.resultsPath).toBe(resultsPath);
    expect(second.summary?.resultsPath).toBe(resultsPath);
    expect(payroll.read(resultsPath).map((row) => row['payrun_status'])).toEqual(['paid', 'paid', 'paid']);
    expect(statSync(resultsPath).mode & 0o777).toBe(0o600);
    expect(existsSync(join(payroll.folder, 'november.results.csv'))).toBe(false);
    await expectPaidOnce(service, rows);
  });

  test('find another place where their folder is gone, by --results, and stay there', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, rows);
    const [gone, home] = [join(payroll.folder, 'gone'), join(payroll.folder, 'home')];
    const file = payroll.write('november.csv', rows);
    for (const folder of [gone, home]) mkdirSync(folder);
    const notices = ({ events }: Ran) =>
      events.flatMap((event) => (event.kind === 'notice' ? [event.message] : [])).join();
    await payroll.run(file, { ...interruptedAfter(1), resultsPath: join(gone, 'paid.csv') });
    const kept = await payroll.run(file, { ...interruptedAfter(0), resultsPath: join(home, 'paid.csv') });
    expect(kept.summary?.resultsPath).toBe(join(gone, 'paid.csv'));
    expect(notices(kept)).toContain('stay where they are');

    rmSync(gone, { recursive: true });
    for (const refused of [await payroll.run(file), await payroll.resume('november')]) {
      expect(refused).toMatchObject({ exit: 73, code: 'results-not-writable' });
      expect(refused.message).toContain(`there is no folder ${gone}`);
      expect(refused.message).toContain('--results');
    }
    const moved = await payroll.resume('november', { resultsPath: join(home, 'paid.csv') });
    expect(moved.exit).toBe(0);
    expect(notices(moved)).toContain(`${gone} is gone`);
    expect(payroll.read(join(home, 'paid.csv')).map((row) => row['payrun_status'])).toEqual([
      'paid',
      'paid',
      'paid',
    ]);
    const why = "SELECT count(*) FROM events WHERE why LIKE 'the results go to %'";
    expect(await payroll.ask((db) => db.prepare(why).pluck().get())).toBe(1);
    expect((await payroll.run(file)).summary?.resultsPath).toBe(join(home, 'paid.csv'));

    rmSync(home, { recursive: true });
    const again = await payroll.run(file, { resultsPath: join(payroll.folder, 'paid.csv') });
    expect(again).toMatchObject({ exit: 0, summary: { resultsPath: join(payroll.folder, 'paid.csv') } });
    await expectPaidOnce(service, rows);
  });

  test('never overwrite those of another batch, nor a file that is none of ours: nothing is sent', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(2);
    await enrolStaff(service, [...rows, employee(3)]);
    const first = await payroll.run(payroll.write('october.csv', rows));
    const before = readFileSync(first.summary?.resultsPath ?? '', 'utf8');
    const november = payroll.write('november.csv', [employee(3)]);

    const over = await payroll.run(november, { resultsPath: first.summary?.resultsPath });
    expect(over).toMatchObject({ exit: 73, code: 'results-not-writable' });
    expect(over.message).toContain('it holds the results of batch october');
    expect(readFileSync(first.summary?.resultsPath ?? '', 'utf8')).toBe(before);

    const itself = await payroll.run(november, { resultsPath: november });
    expect(itself.exit).toBe(73);
    expect(readFileSync(november, 'utf8')).toContain('P003');
    const nowhere = await payroll.run(november, { resultsPath: join(payroll.folder, 'missing', 'r.csv') });
    expect(nowhere.exit).toBe(73);
    await expectPaidOnce(service, rows);
  });
});
