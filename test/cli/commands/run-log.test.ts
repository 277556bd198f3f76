import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { enrolStaff, openPayroll, staff } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';

test('the log of a workspace has how every run ended, also of one that was refused or could not begin', async () => {
  const service = await startPayrollService();
  const payroll = openPayroll(service);
  await enrolStaff(service, staff(2));
  payroll.write('november.csv', staff(2));
  const run = ['run', 'november.csv', '--yes', '--max-total'];

  expect((await payroll.payrun([...run, 'KES=1'])).exit).toBe(6);
  expect((await payroll.payrun([...run, 'KES=9000'], { PAYRUN_API_KEY: 'sk_wrong' })).exit).toBe(77);
  expect((await payroll.payrun([...run, 'KES=9000'])).exit).toBe(0);

  const log = readFileSync(join(payroll.workspace, 'payrun.log'), 'utf8').trim().split('\n');
  expect(log.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'end')).toMatchObject([
    { command: 'run', batch: 'november', exit: 6, refused: ['limit'] },
    { command: 'run', exit: 77, code: 'credentials-refused' },
    { command: 'run', batch: 'november', exit: 0, statuses: { paid: 2 } },
  ]);
  // Also of one that is killed before it has done anything.
  expect(log.map((line) => JSON.parse(line).kind).filter((kind) => kind === 'begin')).toHaveLength(3);
  expect(JSON.parse(log[0] ?? '')).toMatchObject({ kind: 'begin', command: 'run', file: 'november.csv' });
});
