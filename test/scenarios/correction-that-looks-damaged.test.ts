import { describe, expect, test } from 'vitest';
import type { Policy } from '../../src/domain/policy.ts';
import { type Cells, employee, enrolStaff, openPayroll, phoneOf } from '../support/pay-run.ts';
import { dedupeModes, startPayrollService } from '../support/payroll-service.ts';

/** Its payout fails, and with the zero in front taken off it is another account. */
const wrong = '0100200399001';
const corrected = '100200399001';
const bank: Cells = {
  ...employee(1, { phoneNumber: '' }),
  accountNumber: wrong,
  bankCode: '31',
};
const paid: Cells = { ...employee(2), accountNumber: '', bankCode: '' };

function questions(problems: readonly { code: string; line: number; column: string | undefined }[]) {
  return problems
    .filter(({ code }) => code === 'payee-cell-in-doubt')
    .map(({ line, column }) => `${line} ${column}`);
}

describe.each(dedupeModes)('a correction that looks like damage, with dedupe %s', (dedupe) => {
  async function failedPayroll(rows: readonly Cells[] = [bank, paid], policy: Partial<Policy> = {}) {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    await enrolStaff(service, [
      ...rows,
      { ...bank, accountNumber: corrected },
      { ...bank, bankCode: '068' },
      { ...bank, bankCode: '68' },
    ]);
    const first = await payroll.run(payroll.write('november.csv', rows), { policy });
    const [row = {}] = payroll.read(first.summary?.retryPath ?? '');
    return { service, payroll, row };
  }

  test('is neither undone nor believed: both values are shown, and nothing is sent', async () => {
    const { service, payroll, row } = await failedPayroll();
    expect(payroll.statuses('november')).toEqual(['P001 failed', 'P002 paid']);

    const again = await payroll.run(payroll.write('corrected.csv', [{ ...row, accountNumber: corrected }]));

    expect(again.exit).toBe(65);
    expect(questions(again.problems)).toEqual(['2 accountNumber']);
    const [question] = again.problems.filter(({ code }) => code === 'payee-cell-in-doubt');
    expect(question).toMatchObject({ blocking: true, value: corrected });
    expect(question?.message).toContain(`"${wrong}"`);
    expect(question?.message).toContain(`"${corrected}"`);
    expect(again.repairs).toEqual([]);
    expect((await service.payouts()).map(({ number }) => number)).toEqual([wrong, phoneOf(2)]);
  });

  test('is paid once it stands between quotation marks', async () => {
    const { service, payroll, row } = await failedPayroll();

    const said = { ...row, accountNumber: `"${corrected}"` };
    const again = await payroll.run(payroll.write('corrected.csv', [said]));

    expect(again.problems.filter(({ blocking }) => blocking)).toEqual([]);
    expect(again.summary?.sends).toBe(1);
    expect(payroll.results('november')[0]).toMatchObject({ accountNumber: corrected, payrun_attempt: '2' });
    expect((await service.payouts()).map(({ number }) => number)).toEqual([wrong, phoneOf(2), corrected]);
  });

  test.each([wrong, `"${wrong}"`])(
    'is the row as it was, if the old value is put back as %s',
    async (old) => {
      const { service, payroll, row } = await failedPayroll();

      const again = await payroll.run(payroll.write('again.csv', [{ ...row, accountNumber: old }]));

      expect(again).toMatchObject({ exit: 3, summary: { sends: 0 } });
      expect(again.planned?.plan.fates).toMatchObject({ 'carries-on': 1, 'new-attempt': 0 });
      expect(payroll.results('november')[0]).toMatchObject({ accountNumber: wrong, payrun_attempt: '1' });
      expect((await service.payouts()).map(({ number }) => number)).toEqual([wrong, phoneOf(2)]);
    },
  );

  test('is asked about in a bank code too, and taken as it was said', async () => {
    // The name is that of the account under the other code: a person has to say that this is enough.
    const rows = [{ ...bank, bankCode: '068' }, paid];
    const { service, payroll, row } = await failedPayroll(rows, { onUnchecked: 'pay' });

    const asked = await payroll.run(payroll.write('corrected.csv', [{ ...row, bankCode: '68' }]));
    expect(asked.exit).toBe(65);
    expect(questions(asked.problems)).toEqual(['2 bankCode']);

    const said = payroll.write('corrected.csv', [{ ...row, bankCode: '"68"' }]);
    await payroll.run(said, { policy: { onUnchecked: 'pay' } });
    expect(payroll.results('november')[0]).toMatchObject({ bankCode: '68', payrun_attempt: '2' });
    expect((await service.payouts()).map(({ number }) => number)).toEqual([wrong, phoneOf(2), wrong]);
  });

  test('is asked about where the account does not exist', async () => {
    const missing = '0100200399004';
    const { service, payroll, row } = await failedPayroll([{ ...bank, accountNumber: missing }, paid]);
    expect(payroll.statuses('november')).toEqual(['P001 held', 'P002 paid']);

    const again = await payroll.run(
      payroll.write('corrected.csv', [{ ...row, accountNumber: '100200399004' }]),
    );

    expect(again.exit).toBe(65);
    expect(questions(again.problems)).toEqual(['2 accountNumber']);
    expect((await service.payouts()).map(({ number }) => number)).toEqual([phoneOf(2)]);
  });

  test('is asked about where another cell of the row was changed', async () => {
    const tooLarge = { ...bank, accountNumber: '0100200300400', amount: '90000.00' };
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    await enrolStaff(service, [tooLarge, paid]);
    const limit = { policy: { limitPayout: new Map([['KES', 50_000_00n]]) } };
    const first = await payroll.run(payroll.write('november.csv', [tooLarge, paid]), limit);
    const [row = {}] = payroll.read(first.summary?.retryPath ?? '');
    expect(payroll.statuses('november')).toEqual(['P001 held', 'P002 paid']);
    const damaged = { ...row, accountNumber: '100200300400' };

    const untouched = await payroll.run(payroll.write('saved.csv', [damaged]), limit);
    expect(untouched.repairs.map(({ column, to }) => `${column} ${to}`)).toEqual([
      'accountNumber 0100200300400',
    ]);

    const again = await payroll.run(payroll.write('saved.csv', [{ ...damaged, amount: '9000.00' }]), limit);

    expect(again.exit).toBe(65);
    expect(questions(again.problems)).toEqual(['2 accountNumber']);
    expect((await service.payouts()).map(({ number }) => number)).toEqual([phoneOf(2)]);
  });

  test('is none in a results file of rows that were paid: what was lost is restored', async () => {
    const sound = { ...bank, accountNumber: '0100200300400' };
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    await enrolStaff(service, [sound, paid]);
    await payroll.run(payroll.write('november.csv', [sound, paid]));

    const saved = payroll.results('november').map((row) => ({ ...row, amount: `${Number(row['amount'])}` }));
    const again = await payroll.run(
      payroll.write('saved.csv', [{ ...saved[0], accountNumber: '100200300400' }, saved[1] ?? {}]),
    );

    expect(again).toMatchObject({ exit: 0, summary: { sends: 0 } });
    expect(again.repairs.map(({ column }) => column)).toEqual(['amount', 'accountNumber', 'amount']);
    expect((await service.payouts()).map(({ number }) => number).sort()).toEqual([
      phoneOf(2),
      '0100200300400',
    ]);
  });
});
