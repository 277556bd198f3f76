import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { enrolStaff, openPayroll, patientFlags, staff } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';

test('the command that payrun proposes for a retry file reads it as the file was read', async () => {
  const service = await startPayrollService();
  const payroll = openPayroll(service);
  const rows = staff(3);
  await enrolStaff(service, rows);
  const lines = rows.map((row, index) =>
    [row['paymentId'], row['accountName'], index === 2 ? 'x' : row['amount'], row['phoneNumber']].join(','),
  );
  writeFileSync(
    join(payroll.folder, 'november.csv'),
    `paymentId,Who,amount,phoneNumber\n${lines.join('\n')}\n`,
  );
  const paying = ['--yes', '--max-total', 'KES=90000', ...patientFlags];
  const read = ['--map', 'Who=accountName', '--default', 'country=KE', '--default', 'currency=KES'];
  const ended = await payroll.command(['run', 'november.csv', ...read, '--skip-invalid', ...paying]);
  expect(ended.exit, ended.stderr).toBe(3);

  const retry = join(payroll.folder, 'november.retry.csv');
  const [proposed] = proposalsIn(ended.stdout, retry);
  expect(proposed).toEqual(['run', retry, ...read]);
  const status = await payroll.command(['status', 'november']);
  expect(proposalsIn(status.stdout, retry)).toEqual([proposed]);

  writeFileSync(retry, readFileSync(retry, 'utf8').replace(',x,', `,${rows[2]?.['amount']},`));
  const again = await payroll.command([...(proposed ?? []), ...paying]);
  expect(again.exit, again.stdout + again.stderr).toBe(0);
  expect(payroll.statuses('november')).toEqual(rows.map((row) => `${row['paymentId']} paid`));
  await expectPaidOnce(service, rows);
});

/** Commands about a file as they are shown, in words. */
function proposalsIn(text: string, path: string): string[][] {
  return [...text.matchAll(/payrun (run .*)$/gm)]
    .map(([, words = '']) => words.split(' ').map((word) => word.replace(/^'(.*)'$/, '$1')))
    .filter(([, file]) => file === path);
}
