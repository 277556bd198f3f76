import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectPaidOnce } from '../support/paid-once.ts';
import { employee, enrolStaff, fastFlags, interruptedAfter, openPayroll, staff } from '../support/pay-run.ts';
import { startPayrollService } from '../support/payroll-service.ts';

test('one batch that cannot be resumed stops none of the others, and the worst exit speaks for all', async () => {
  const service = await startPayrollService();
  const payroll = openPayroll(service);
  await enrolStaff(service, staff(3));
  const gone = join(payroll.folder, 'gone');
  mkdirSync(gone);
  for (const [index, name] of ['august', 'september', 'october'].entries()) {
    const resultsPath = name === 'august' ? join(gone, 'august.results.csv') : undefined;
    const file = payroll.write(`${name}.csv`, [employee(index + 1)]);
    await payroll.run(file, { ...interruptedAfter(0), resultsPath });
  }
  rmSync(gone, { recursive: true });

  const resumed = await payroll.payrun(['resume', '--json', ...fastFlags]);

  expect(resumed.exit).toBe(73);
  expect(resumed.stderr).toContain(`Batch august: The results cannot be written to ${gone}`);
  const documents = resumed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(documents).toMatchObject([
    { batch: 'august', error: { code: 'results-not-writable', exit: 73 } },
    { batch: 'september', exit: 0 },
    { batch: 'october', exit: 0 },
  ]);
  expect(payroll.statuses('september')).toEqual(['P002 paid']);
  expect(payroll.statuses('october')).toEqual(['P003 paid']);
  await expectPaidOnce(service, [employee(2), employee(3)]);

  expect((await payroll.payrun(['resume', '--results', 'august.results.csv'])).exit).toBe(2);
  const home = ['resume', 'august', '--results', 'august.results.csv', ...fastFlags];
  const loose = await payroll.payrun([...home, '--on-mismatch', 'pay']);
  expect(loose.exit).toBe(2);
  const bounded = await payroll.payrun([...home, '--max-total', 'KES=1']);
  expect(bounded.exit).toBe(6);
  expect(bounded.stdout).toContain('confirmed up to KES 1.00');
  expect(bounded.stdout).not.toContain('Next:');
  expect((await payroll.payrun(home)).exit).toBe(0);
  expect(payroll.statuses('august')).toEqual(['P001 paid']);
});
