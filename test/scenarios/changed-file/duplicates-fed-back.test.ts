import { expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { employee, enrolStaff, openPayroll, type Payroll } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';

const skipInvalid = { policy: { skipInvalid: true } };
const other = employee(5, { paymentId: 'P001' });

/** Two people stand under one id; in the retry file the second gets an id of its own, and both are paid. */
async function correctedTwins() {
  const service = await startPayrollService();
  const payroll = openPayroll(service);
  await enrolStaff(service, [employee(1), employee(3), employee(5)]);
  const file = payroll.write('november.csv', [employee(1), other, employee(3)]);
  const first = await payroll.run(file, skipInvalid);
  expect(payroll.statuses('november')).toEqual(['P001 invalid', 'P001 invalid', 'P003 paid']);
  const [one = {}, two = {}] = payroll.read(first.summary?.retryPath ?? '');
  await payroll.run(payroll.write('november.retry.csv', [one, { ...two, paymentId: 'P005' }]));
  expect(payroll.statuses('november')).toEqual(['P001 paid', 'P005 paid', 'P003 paid']);
  return { service, payroll, file };
}

function rowsOf(payroll: Payroll): string[] {
  return payroll
    .results('november')
    .map((row) => `${row['paymentId']} ${row['payrun_key']} ${row['payrun_status']}`);
}

test('a row beside one that is paid, under the same id, stands in the results once however often it is fed in', async () => {
  const { service, payroll, file } = await correctedTwins();
  await payroll.run(file, skipInvalid);
  const expected = ['P001 P001 paid', 'P005 P005 paid', 'P003 P003 paid', 'P001 line:3 invalid'];
  expect(rowsOf(payroll)).toEqual(expected);

  for (let time = 0; time < 3; time += 1) await payroll.run(file, skipInvalid);
  expect(rowsOf(payroll)).toEqual(expected);

  for (let time = 0; time < 3; time += 1) {
    const path = payroll.write('copy.csv', payroll.results('november'));
    await payroll.run(path, skipInvalid);
    expect(rowsOf(payroll)).toEqual(expected);
  }
  await expectPaidOnce(service, [employee(1), employee(3), employee(5)]);
});

test('a row that was taken out of the file is passed over in the results that still show it, and told', async () => {
  const { service, payroll, file } = await correctedTwins();
  await payroll.run(file, skipInvalid);
  const whole = [employee(1), employee(3), employee(5)];
  const clean = await payroll.run(payroll.write('november.csv', whole));
  expect(clean).toMatchObject({ exit: 0, summary: { invalidGone: 1 } });
  const before = rowsOf(payroll);
  expect(before.at(-1)).toBe('P001 line:3 invalid');
  const status = await payroll.command(['status', 'november']);
  expect(status).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('taken out of the file: 1 invalid row'),
  });
  expect(status.stdout).not.toContain('not paid');
  expect((await payroll.command(['status'])).stdout).toContain('all 3 paid');
  expect(JSON.parse((await payroll.command(['status', 'november', '--json'])).stdout)).toMatchObject({
    statuses: { paid: 3, invalid: 1 },
    invalidGone: 1,
  });

  const fed = await payroll.run(payroll.write('copy.csv', payroll.results('november')));

  expect(fed).toMatchObject({ exit: 0, summary: { sends: 0, invalidGone: 1 } });
  expect(fed.problems.map(({ code }) => code)).toContain('row-passed-over');
  expect(rowsOf(payroll)).toEqual(before);

  // Corrected, it is a row as any other.
  const rows = payroll.results('november');
  const mended = { ...rows.at(-1), ...employee(4) };
  await enrolStaff(service, [employee(4)]);
  expect(await payroll.run(payroll.write('copy.csv', [...rows.slice(0, -1), mended]))).toMatchObject({
    exit: 0,
  });
  expect(rowsOf(payroll).at(-1)).toBe('P004 P004 paid');
  await expectPaidOnce(service, [employee(1), employee(3), employee(4), employee(5)]);
});

test('why a row could not be paid is said once, however often it comes back', async () => {
  const service = await startPayrollService();
  const payroll = openPayroll(service);
  await enrolStaff(service, [employee(1)]);
  const rows = [employee(1), employee(2, { phoneNumber: '07123' })];
  await payroll.run(payroll.write('november.csv', rows), skipInvalid);
  for (let time = 0; time < 3; time += 1)
    await payroll.run(payroll.write('copy.csv', payroll.results('november')), skipInvalid);
  const [, reason = ''] = payroll.results('november').map((row) => row['payrun_reason']);
  expect(reason.split('The row was not corrected')).toHaveLength(2);
});
