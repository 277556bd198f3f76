import { describe, expect, test } from 'vitest';
import type { Policy } from '../../../src/domain/policy.ts';
import {
  type Cells,
  employee,
  enrolStaff,
  interruptedAfter,
  openPayroll,
  phoneOf,
} from '../../support/pay-run.ts';
import { startPayrollService, withoutDedupe } from '../../support/payroll-service.ts';

/** Its payout fails, and with the zero in front taken off it is another account. */
const wrong = '0100200399001';
const corrected = '100200399001';
const bank: Cells = {
  ...employee(1, { phoneNumber: '' }),
  accountNumber: wrong,
  bankCode: '31',
};
const paid: Cells = { ...employee(2), accountNumber: '', bankCode: '' };

function withoutZero(row: Cells): Cells {
  return { ...row, accountNumber: (row['accountNumber'] ?? '').slice(1) };
}

function questions(problems: readonly { code: string; line: number; column: string | undefined }[]) {
  return problems
    .filter(({ code }) => code === 'payee-cell-in-doubt')
    .map(({ line, column }) => `${line} ${column}`);
}

describe.each(withoutDedupe)('a correction that looks like damage, with dedupe %s', (dedupe) => {
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

    const again = await payroll.run(payroll.write('saved.csv', [{ ...damaged, amount: '9000.00' }]), limit);

    expect(again.exit).toBe(65);
    expect(questions(again.problems)).toEqual(['2 accountNumber']);
    expect((await service.payouts()).map(({ number }) => number)).toEqual([phoneOf(2)]);
  });

  test.each(['corrected', 'damaged with all the others'])(
    'is asked about where the name does not match, %s: a release pays the old account only if that was said',
    async (how) => {
      const rows = ['1', '2'].map((end) => ({
        ...bank,
        paymentId: `P00${end}`,
        accountNumber: `010020030040${end}`,
      }));
      const other = { ...employee(3), accountNumber: '', bankCode: '' };
      const service = await startPayrollService(dedupe);
      const payroll = openPayroll(service);
      await enrolStaff(
        service,
        [...rows, other].map((row) => ({ ...row, accountName: 'Peter Otieno' })),
      );
      const first = await payroll.run(payroll.write('november.csv', [...rows, other]));
      expect(payroll.statuses('november')).toEqual(['P001 held', 'P002 held', 'P003 held']);
      const saved = payroll
        .read(first.summary?.retryPath ?? '')
        .map((row, index) => (how === 'corrected' && index > 0 ? row : withoutZero(row)));

      const again = await payroll.run(payroll.write('saved.csv', saved));

      expect(again.exit).toBe(65);
      expect(questions(again.problems)[0]).toBe('2 accountNumber');
      expect(again.repairs).toEqual([]);
      expect(await service.payouts()).toEqual([]);
    },
  );

  test('is asked about in the results file where the payout was not sent yet', async () => {
    const rows = [1, 2, 3].map((number) => ({
      ...employee(number, { phoneNumber: '' }),
      accountNumber: `010020030040${number}`,
      bankCode: '31',
    }));
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    await enrolStaff(service, rows);
    await payroll.run(payroll.write('november.csv', rows), interruptedAfter(2));
    const sent = (await service.payouts()).map(({ number }) => number);
    const saved = payroll
      .results('november')
      .map((row) => (row['payrun_status'] === 'not_sent' ? withoutZero(row) : row));
    expect(saved.filter((row) => row['payrun_status'] === 'not_sent')).toHaveLength(1);

    const again = await payroll.run(payroll.write('saved.csv', saved));

    expect(again.exit).toBe(65);
    expect(questions(again.problems)).toEqual(['4 accountNumber']);
    expect(again.repairs).toEqual([]);
    expect((await service.payouts()).map(({ number }) => number)).toEqual(sent);
  });

  test.each([
    { lost: 'the only row', rows: 1, damaged: [0], asked: ['2 accountNumber'] },
    { lost: 'one of two rows', rows: 2, damaged: [1], asked: ['3 accountNumber'] },
    { lost: 'every row, as a spreadsheet does it', rows: 2, damaged: [0, 1], asked: [] },
  ])('is asked about in a payout held for its amount where the zero is gone from $lost', async (each) => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const tooLarge = Array.from({ length: each.rows }, (_, index) => ({
      ...employee(index + 1, { phoneNumber: '', amount: '90000.00' }),
      accountNumber: `010020030040${index}`,
      bankCode: '31',
    }));
    await enrolStaff(service, tooLarge);
    const limit = { policy: { limitPayout: new Map([['KES', 50_000_00n]]) } };
    const first = await payroll.run(payroll.write('november.csv', tooLarge), limit);
    const saved = payroll
      .read(first.summary?.retryPath ?? '')
      .map((row, index) => (each.damaged.includes(index) ? withoutZero(row) : row));

    const again = await payroll.run(payroll.write('saved.csv', saved), limit);

    expect(questions(again.problems)).toEqual(each.asked);
    expect(again.exit).toBe(each.asked.length > 0 ? 65 : 3);
    expect(again.repairs.map(({ to }) => to)).toEqual(
      each.asked.length > 0 ? [] : tooLarge.map(({ accountNumber }) => accountNumber),
    );
    expect(await service.payouts()).toEqual([]);
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
