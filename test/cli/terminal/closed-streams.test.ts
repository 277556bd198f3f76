import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { enrolStaff, openPayroll, patientFlags, staff } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { payrunPath, spawnPayrun } from '../../support/run-payrun.ts';

const rows = staff(12);
const paying = ['run', 'november.csv', '--yes', '--max-total', 'KES=900000', '--json-lines', ...patientFlags];

async function opened() {
  const service = await startPayrollService();
  const payroll = openPayroll(service);
  await enrolStaff(service, rows);
  payroll.write('november.csv', rows);
  return { service, payroll };
}

test('a run goes on when nobody reads what it says on stderr any more', async () => {
  const { service, payroll } = await opened();
  const child = spawnPayrun(paying, { cwd: payroll.folder, env: payroll.env });
  child.stdin.end();
  child.stdout.resume();
  child.stderr.once('data', () => child.stderr.destroy());
  const exit = await new Promise((resolve) => child.once('close', resolve));
  expect(exit).toBe(0);
  expect(payroll.statuses('november')).toEqual(rows.map((row) => `${row['paymentId']} paid`));
  await expectPaidOnce(service, rows);
});

test.skipIf(!existsSync('/dev/full'))(
  'a full disk below stdout is said without a stack, and ends with 74',
  async () => {
    const { service, payroll } = await opened();
    expect((await payroll.payrun(paying)).exit).toBe(0);
    for (const words of ['status november', 'status november --json', 'results november --results -']) {
      const ended = spawnSync(
        '/bin/sh',
        ['-c', `exec "$0" "$1" ${words} > /dev/full`, process.execPath, payrunPath],
        {
          cwd: payroll.folder,
          env: { ...process.env, ...payroll.env },
          encoding: 'utf8',
        },
      );
      expect(ended.status, ended.stderr).toBe(74);
      expect(ended.stderr).toContain('could not be written to standard output (ENOSPC)');
      expect(ended.stderr).not.toMatch(/^ {4}at /m);
    }
    await expectPaidOnce(service, rows);
  },
);
