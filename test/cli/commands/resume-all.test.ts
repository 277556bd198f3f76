import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { lockBatch } from '../../../src/journal/batch-lock.ts';
import { expectPaidOnce } from '../../support/paid-once.ts';
import {
  employee,
  enrolStaff,
  interruptedAfter,
  openPayroll,
  patientFlags,
  staff,
} from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { watchService } from '../../support/watched-service.ts';

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

  const resumed = await payroll.payrun(['resume', '--json', '--json-lines', ...patientFlags]);

  expect(resumed.exit).toBe(73);
  const lines = resumed.stderr.trim().split('\n');
  const said = lines.map((line) => JSON.parse(line) as { kind: string; message?: string });
  expect(said).toContainEqual({
    kind: 'notice',
    message: expect.stringContaining(`Batch august: The results cannot be written to ${gone}`),
  });
  const log = readFileSync(join(payroll.workspace, 'payrun.log'), 'utf8').trim().split('\n');
  const ends = log.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'end');
  expect(ends).toMatchObject([
    { batch: 'august', exit: 73, code: 'results-not-writable' },
    { batch: 'september', exit: 0, statuses: { paid: 1 } },
    { batch: 'october', exit: 0 },
  ]);
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
  const home = ['resume', 'august', '--results', 'august.results.csv', ...patientFlags];
  const loose = await payroll.payrun([...home, '--on-mismatch', 'pay']);
  expect(loose.exit).toBe(2);
  const bounded = await payroll.payrun([...home, '--max-total', 'KES=1']);
  expect(bounded.exit).toBe(6);
  expect(bounded.stdout).toContain('--max-total limits this resume to KES 1.00 for batch august');
  expect(bounded.stdout).not.toContain('confirmed up to');
  expect(bounded.stdout).not.toContain('Next:');
  expect((await payroll.payrun(home)).exit).toBe(0);
  expect(payroll.statuses('august')).toEqual(['P001 paid']);
});

test('a batch of another environment is a refusal (6), also where there is no other batch', async () => {
  const service = await startPayrollService();
  const payroll = openPayroll(service);
  await enrolStaff(service, staff(1));
  await payroll.run(payroll.write('august.csv', [employee(1)]), interruptedAfter(0));
  const elsewhere = await watchService(service);

  const resumed = await payroll.payrun(['resume', '--json', ...patientFlags], {
    PAYRUN_BASE_URL: elsewhere.url,
  });

  expect(resumed.exit).toBe(6);
  expect(resumed.stderr).toContain('Batch august: ');
  expect(JSON.parse(resumed.stdout)).toMatchObject({
    batch: 'august',
    error: { code: 'wrong-environment', exit: 6 },
  });
  expect(elsewhere.payoutCalls()).toEqual([]);
  expect(await service.payouts()).toEqual([]);
});

test('a batch that another run works on is passed over, and said so; that run speaks for it', async () => {
  const service = await startPayrollService();
  const payroll = openPayroll(service);
  await enrolStaff(service, staff(2));
  for (const [index, name] of ['august', 'september'].entries()) {
    await payroll.run(payroll.write(`${name}.csv`, [employee(index + 1)]), interruptedAfter(0));
  }
  const lock = await lockBatch(payroll.workspace, 'august', systemClock, 0);
  const resume = ['resume', '--json', ...patientFlags];

  const resumed = await payroll.payrun(resume);
  const again = await payroll.payrun(resume);
  lock.release();
  const last = await payroll.payrun(resume);

  expect([resumed.exit, again.exit, last.exit]).toEqual([0, 0, 0]);
  expect(resumed.stderr).toContain('Passed over batch august: ');
  const documents = resumed.stdout.trim().split('\n');
  expect(documents.map((line) => JSON.parse(line))).toMatchObject([
    { batch: 'august', error: { exit: 75 } },
    { batch: 'september', exit: 0 },
  ]);
  expect(payroll.statuses('august')).toEqual(['P001 paid']);
  await expectPaidOnce(service, [employee(1), employee(2)]);
});
