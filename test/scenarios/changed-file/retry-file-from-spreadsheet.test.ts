import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Cells, csvOf, employee, enrolStaff, openPayroll, phoneOf } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const failing = employee(1, { paymentId: '0012', phoneNumber: phoneOf(1, '99001'), amount: '1200.50' });
const refused = employee(2, { paymentId: '0013', phoneNumber: phoneOf(2, '99005'), amount: '1300.00' });
const bank: Cells = {
  paymentId: '0014',
  accountName: 'Cynthia Chebet',
  country: 'KE',
  currency: 'KES',
  amount: '14000.00',
  phoneNumber: '',
  accountNumber: '0011299001',
  bankCode: '01',
};
const paid = employee(4, { paymentId: '0015' });

/** What a spreadsheet makes of a file of ours that is opened and saved again. */
function throughSpreadsheet(row: Cells): Cells {
  return Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, asNumber(cell)]));
}

function asNumber(cell: string): string {
  if (/^\+\d{11,}$/.test(cell))
    return `${cell[1]}.${cell.slice(2, 7).replace(/0+$/, '')}E+${cell.length - 2}`;
  if (/^0\d+$/.test(cell)) return `${Number(cell)}`;
  if (/^\d+\.\d\d$/.test(cell)) return Number(cell).toLocaleString('en');
  return cell;
}

/** The payee of a row between quotation marks, which no spreadsheet touches. */
function saidPayee({ phoneNumber = '', accountNumber = '', bankCode = '' }: Cells): Cells {
  const said = Object.entries({ phoneNumber, accountNumber, bankCode }).filter(([, cell]) => cell !== '');
  return Object.fromEntries(said.map(([name, cell]) => [name, `"${cell}"`]));
}

describe.each(dedupeModes)('a retry file that was saved by a spreadsheet, with dedupe %s', (dedupe) => {
  test('is the same rows again once its payees are said: what was lost besides is restored and reported', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = [failing, refused, { ...failing, ...bank }, paid];
    await enrolStaff(service, rows);
    const first = await payroll.run(payroll.write('2026-11.csv', rows));
    expect(payroll.statuses('2026-11')).toEqual(['0012 failed', '0013 refused', '0014 failed', '0015 paid']);
    const seen = await service.payouts();

    const whole = payroll.read(first.summary?.retryPath ?? '');
    const damaged = whole.map((row) => ({
      ...throughSpreadsheet(row),
      payrun_batch: 'Nov-26',
      payrun_attempt: '1.0',
    }));
    expect(damaged[0]).toMatchObject({ paymentId: '12', phoneNumber: '2.54711E+11', amount: '1,200.5' });
    expect(damaged[2]).toMatchObject({ paymentId: '14', accountNumber: '11299001', bankCode: '1' });
    const asked = await payroll.run(payroll.write('saved.csv', damaged));
    expect(asked.exit).toBe(65);
    const blocking = asked.problems.filter((problem) => problem.blocking);
    expect(blocking.map(({ line, column, code }) => `${line} ${column} ${code}`)).toEqual([
      '2 phoneNumber payee-cell-in-doubt',
      '3 phoneNumber payee-cell-in-doubt',
      '4 accountNumber payee-cell-in-doubt',
      '4 bankCode payee-cell-in-doubt',
    ]);

    const said = damaged.map((row, index) => ({ ...row, ...saidPayee(whole[index] ?? {}) }));
    const again = await payroll.run(payroll.write('saved.csv', said));

    expect(again).toMatchObject({ exit: 3, summary: { batch: '2026-11', sends: 0 } });
    expect(again.planned?.plan.fates).toMatchObject({
      'carries-on': 3,
      new: 0,
      'new-attempt': 0,
      replaced: 0,
    });
    const restored = again.repairs.map(({ line, column, from, to }) => `${line} ${column}: ${from} > ${to}`);
    expect(restored).toContain('2 amount: 1,200.5 > 1200.50');
    expect(restored).toContain('4 accountNumber: "0011299001" > 0011299001');
    expect(restored).toContain('4 payrun_key: 14 > 0014');
    expect(restored).toContain('4 payrun_batch: Nov-26 > 2026-11');
    expect(payroll.statuses('2026-11')).toEqual(['0012 failed', '0013 refused', '0014 failed', '0015 paid']);
    expect(await service.payouts()).toEqual(seen);
  });

  test('asks nothing about numbers that have merely lost their zero or plus', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const local = { ...refused, phoneNumber: `0${phoneOf(2, '99005').slice(4)}` };
    const rows = [failing, local, paid];
    await enrolStaff(service, [failing, refused, paid]);
    const first = await payroll.run(payroll.write('november.csv', rows));
    expect(payroll.statuses('november')).toEqual(['0012 failed', '0013 refused', '0015 paid']);
    const seen = await service.payouts();

    const damaged = payroll.read(first.summary?.retryPath ?? '').map((row) => ({
      ...row,
      phoneNumber: row['phoneNumber']?.replace(/^[+0]/, '') ?? '',
    }));
    const again = await payroll.run(payroll.write('saved.csv', damaged));

    expect(again.problems.filter(({ blocking }) => blocking)).toEqual([]);
    expect(again).toMatchObject({ exit: 3, summary: { batch: 'november', sends: 0 } });
    expect(again.planned?.plan.fates).toMatchObject({ 'carries-on': 2, replaced: 0, 'new-attempt': 0 });
    expect(await service.payouts()).toEqual(seen);
  });

  test('pays the cells that a person has corrected, and only those rows', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = [failing, refused, paid];
    await enrolStaff(service, [...rows, employee(2)]);
    const first = await payroll.run(payroll.write('november.csv', rows));
    const [one, two] = payroll.read(first.summary?.retryPath ?? '').map(throughSpreadsheet);

    const untouched = { ...one, ...saidPayee(failing) };
    const corrected = { ...two, phoneNumber: phoneOf(2).slice(1), amount: '1300' };
    const again = await payroll.run(payroll.write('saved.csv', csvOf([untouched, corrected], ';')));

    expect(again.exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['0012 failed', '0013 paid', '0015 paid']);
    expect(again.repairs.map(({ column }) => column)).toContain('amount');
    expect(await service.sums()).toEqual([`${phoneOf(2)} 1300.00`, `${phoneOf(4)} 1004.00`].sort());
    expect(await service.books()).toEqual([]);
  });

  test('takes an invalid row back to its place once it is corrected', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const invalid = employee(2, { amount: '12.345' });
    await enrolStaff(service, [employee(1), invalid, employee(3)]);
    const first = await payroll.run(payroll.write('november.csv', [employee(1), invalid, employee(3)]), {
      policy: { skipInvalid: true },
    });
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 invalid', 'P003 paid']);
    const [row] = payroll.read(first.summary?.retryPath ?? '').map(throughSpreadsheet);
    expect(row).toMatchObject({ payrun_key: 'line:3', phoneNumber: '2.54712E+11' });

    const again = await payroll.run(
      payroll.write('saved.csv', [{ ...row, amount: '1002', ...saidPayee(invalid) }]),
    );

    expect(again.exit).toBe(0);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 paid', 'P003 paid']);
    expect(await service.sums()).toEqual([1, 2, 3].map((number) => `${phoneOf(number)} 100${number}.00`));
    expect(await service.books()).toEqual([]);
  });

  test('guesses at nothing: a rounded number that the journal cannot vouch for stays a problem', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    await enrolStaff(service, [failing]);
    const first = await payroll.run(payroll.write('november.csv', [failing]));
    const [row] = payroll.read(first.summary?.retryPath ?? '').map(throughSpreadsheet);

    const another = { ...row, phoneNumber: '2.54799E+11' };
    const stranger = { ...employee(9), phoneNumber: '2.54712E+11' };
    for (const rows of [[another], [{ ...row, ...saidPayee(failing) }, stranger]]) {
      const again = await payroll.run(payroll.write('saved.csv', rows));
      expect(again.exit).toBe(65);
      expect(again.problems.filter(({ blocking }) => blocking).map(({ column }) => column)).toEqual([
        'phoneNumber',
      ]);
    }
    expect(await service.sums()).toEqual([]);
    expect(await service.payouts()).toHaveLength(1);
  });
});

describe('payrun run', () => {
  test('says on stderr what was restored before it pays', async () => {
    const service = await startPayrollService();
    const payroll = openPayroll(service);
    await enrolStaff(service, [refused, employee(2)]);
    await payroll.run(payroll.write('november.csv', [refused]));
    const retry = readFileSync(`${payroll.folder}/november.retry.csv`, 'utf8');
    payroll.write('saved.csv', retry.replace('1300.00', '1300').replace(phoneOf(2, '99005'), phoneOf(2)));

    const ran = await payroll.command([
      'run',
      'saved.csv',
      '--yes',
      '--max-total',
      'KES=2000',
      '--settle-for',
      '5s',
    ]);

    expect(ran.exit).toBe(0);
    expect(ran.stderr).toContain('A spreadsheet had made 1300 of 1300.00: restored.');
    expect(await service.sums()).toEqual([`${phoneOf(2)} 1300.00`]);
  });
});
