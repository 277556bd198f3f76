import { describe, expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { employee, enrolStaff, openPayroll, type Payroll, staff } from '../../support/pay-run.ts';
import { type Dedupe, dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const skipInvalid = { policy: { skipInvalid: true } };
const gone = 'The row is no longer in the file.';

describe.each(dedupeModes)('each row stands once in the results, with dedupe %s', (dedupe) => {
  test('where rows of one payment, all of them invalid, move up in the file together', async () => {
    const { service, payroll } = await openCase(dedupe);
    await payroll.run(payroll.write('november.csv', [employee(1), employee(4), employee(4)]), skipInvalid);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P004 invalid', 'P004 invalid']);

    const moved = payroll.write('november.csv', [employee(4), employee(4), employee(1)]);
    await payroll.run(moved, skipInvalid);

    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P004 invalid', 'P004 invalid']);
    for (const { payrun_reason: reason } of payroll.results('november')) expect(reason).not.toContain(gone);
    await expectPaidOnce(service, [employee(1)]);
  });

  test('where one of them leaves and the other moves up: one is there, the other is said to be gone', async () => {
    const { service, payroll } = await openCase(dedupe);
    await payroll.run(payroll.write('november.csv', [employee(1), employee(4), employee(4)]), skipInvalid);

    const corrected = await payroll.run(payroll.write('november.csv', [employee(4), employee(1)]));

    expect(corrected.exit).toBe(0);
    expect(payroll.statuses('november').sort()).toEqual(['P001 paid', 'P004 invalid', 'P004 paid']);
    const left = payroll.results('november').filter((row) => row['payrun_status'] === 'invalid');
    expect(left[0]?.['payrun_reason']).toContain(gone);
    await expectPaidOnce(service, [employee(1), employee(4)]);
  });

  test('where two files have rows without an id on one line: both appear, and the one that is there is corrected in its place', async () => {
    const { service, payroll } = await openCase(dedupe);
    const nameless = (number: number) => employee(number, { paymentId: '' });
    await payroll.run(payroll.write('november.csv', [employee(1), nameless(2)]), skipInvalid);
    expect(whoAndHow(payroll)).toEqual([`${nameOf(1)} paid`, `${nameOf(2)} invalid`]);

    const second = await payroll.run(payroll.write('november.csv', [employee(1), nameless(3)]), skipInvalid);

    expect(whoAndHow(payroll)).toEqual([`${nameOf(1)} paid`, `${nameOf(2)} invalid`, `${nameOf(3)} invalid`]);
    expect(payroll.results('november')[1]?.['payrun_reason']).toContain(gone);
    const retry = payroll.read(second.summary?.retryPath ?? '');
    expect(retry.map((row) => row['accountName'])).toEqual([nameOf(3)]);
    const part = retry.map((row) => ({ ...row, paymentId: 'P003' }));
    await payroll.run(payroll.write('november.retry.csv', part), skipInvalid);
    expect(whoAndHow(payroll)).toEqual([`${nameOf(1)} paid`, `${nameOf(2)} invalid`, `${nameOf(3)} paid`]);
    await expectPaidOnce(service, [employee(1), employee(3)]);
  });

  test('where rows without an id move in the file, also equal ones', async () => {
    const { service, payroll } = await openCase(dedupe);
    const nameless = (number: number) => employee(number, { paymentId: '' });
    const rows = [employee(1), nameless(2), nameless(3), nameless(3)];
    await payroll.run(payroll.write('november.csv', rows), skipInvalid);
    const before = whoAndHow(payroll);
    expect(before).toEqual([`${nameOf(1)} paid`, ...[2, 3, 3].map((number) => `${nameOf(number)} invalid`)]);

    await payroll.run(payroll.write('november.csv', [employee(4), ...rows.reverse()]), skipInvalid);

    expect(whoAndHow(payroll)).toEqual([...before, `${nameOf(4)} paid`]);
    for (const { payrun_reason: reason } of payroll.results('november')) expect(reason).not.toContain(gone);
    await expectPaidOnce(service, [employee(1), employee(4)]);
  });

  test('where a person has made two payments of one invalid row of the retry file', async () => {
    const { service, payroll } = await openCase(dedupe);
    const file = payroll.write('november.csv', [employee(1), employee(2, { paymentId: '' })]);
    const first = await payroll.run(file, skipInvalid);
    const [row = {}] = payroll.read(first.summary?.retryPath ?? '');
    const twins = payroll.write('november.retry.csv', [employee(1), row, row]);
    for (const ran of [await payroll.run(twins, skipInvalid), await payroll.run(twins, skipInvalid)]) {
      expect(ran.summary?.statuses).toMatchObject({ paid: 1, invalid: 2 });
    }

    const part = [employee(2), employee(3)].map((cells) => ({ ...row, ...cells }));
    expect((await payroll.run(payroll.write('november.retry.csv', part))).exit).toBe(0);

    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 paid', 'P003 paid']);
    await expectPaidOnce(service, staff(3));
  });
});

async function openCase(dedupe: Dedupe) {
  const service = await startPayrollService(dedupe);
  await enrolStaff(service, staff(4));
  return { service, payroll: openPayroll(service) };
}

function whoAndHow(payroll: Payroll): string[] {
  return payroll.results('november').map((row) => `${row['accountName']} ${row['payrun_status']}`);
}

function nameOf(number: number): string | undefined {
  return employee(number)['accountName'];
}
