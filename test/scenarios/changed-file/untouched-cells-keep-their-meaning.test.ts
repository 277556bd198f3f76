import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { employee, enrolStaff, openPayroll, patientFlags } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';

const paying = ['--yes', '--max-total', 'KES=900000', ...patientFlags];
const [first, second] = [employee(1), employee(2)];
const phoneOf = (row: ReturnType<typeof employee>) => row['phoneNumber'] ?? '';
const nameOf = (row: ReturnType<typeof employee>) => row['accountName'] ?? '';

/** Two people are paid with flags; the second is held for a wrong name, which is corrected in the retry file. */
async function correctedName(header: string, lines: readonly [string, string], flags: readonly string[]) {
  const service = await startPayrollService();
  const payroll = openPayroll(service);
  await enrolStaff(service, [first, second]);
  writeFileSync(join(payroll.folder, 'bonus.csv'), `${header}\n${lines.join('\n')}\n`);
  const ended = await payroll.command(['run', 'bonus.csv', ...flags, ...paying]);
  expect(ended.exit, ended.stdout + ended.stderr).toBe(3);
  expect(payroll.statuses('bonus')).toEqual(['A1 paid', 'A2 held']);
  const retry = join(payroll.folder, 'bonus.retry.csv');
  writeFileSync(retry, readFileSync(retry, 'utf8').replace('Somebody Else', nameOf(second)));
  return { service, payroll };
}

describe('where a person corrects a name, the amount stays what it was', () => {
  const header = 'paymentId,accountName,country,currency,Net Pay,Bonus,phoneNumber';
  const lines = [
    `A1,${nameOf(first)},KE,KES,85000,1000,${phoneOf(first)}`,
    `A2,Somebody Else,KE,KES,92000,1500,${phoneOf(second)}`,
  ] as const;
  const map = ['--map', 'Bonus=amount'];

  test('also where the column is another one without --map: that is refused', async () => {
    const { service, payroll } = await correctedName(header, lines, map);
    const without = await payroll.command(['run', 'bonus.retry.csv', ...paying]);
    expect(without.exit).toBe(65);
    expect(without.stdout).toContain('it was KES 1,500.00 and would now be KES 92,000.00');
    expect(without.stdout).toContain('flags: --map Bonus=amount');
    const withMap = await payroll.command(['run', 'bonus.retry.csv', ...map, ...paying]);
    expect(withMap.exit, withMap.stderr).toBe(0);
    expect(await service.sums()).toEqual([`${phoneOf(first)} 1000.00`, `${phoneOf(second)} 1500.00`]);
  });

  test('and where the person changes the amount as well, that is what is paid', async () => {
    const { service, payroll } = await correctedName(header, lines, map);
    const retry = join(payroll.folder, 'bonus.retry.csv');
    writeFileSync(retry, readFileSync(retry, 'utf8').replace(',1500,', ',1600,'));
    const ended = await payroll.command(['run', 'bonus.retry.csv', ...map, ...paying]);
    expect(ended.exit, ended.stderr).toBe(0);
    expect(await service.sums()).toEqual([`${phoneOf(first)} 1000.00`, `${phoneOf(second)} 1600.00`]);
  });
});

test('150,000 that was 150.00 is no 150,000.00 in the retry file', async () => {
  const { service, payroll } = await correctedName(
    'paymentId,accountName,country,currency,amount,phoneNumber',
    [
      `A1,${nameOf(first)},KE,KES,"100,000",${phoneOf(first)}`,
      `A2,Somebody Else,KE,KES,"150,000",${phoneOf(second)}`,
    ],
    ['--decimal', 'comma'],
  );
  const ended = await payroll.command(['run', 'bonus.retry.csv', ...paying]);
  expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
  expect(await service.sums()).toEqual([`${phoneOf(first)} 100.00`, `${phoneOf(second)} 150.00`]);
});

test('an amount with two readings has two in the retry file as well', async () => {
  const service = await startPayrollService();
  const payroll = openPayroll(service);
  await enrolStaff(service, [first, second]);
  const header = 'paymentId,accountName,country,currency,amount,phoneNumber';
  const lines = [
    `A1,${nameOf(first)},KE,KES,"12,50",${phoneOf(first)}`,
    `A2,${nameOf(second)},KE,KES,"1,500",071`,
  ];
  writeFileSync(join(payroll.folder, 'bonus.csv'), `${header}\n${lines.join('\n')}\n`);
  await payroll.command(['run', 'bonus.csv', '--skip-invalid', ...paying]);
  const paidBefore = await service.sums();
  const retry = join(payroll.folder, 'bonus.retry.csv');
  writeFileSync(retry, readFileSync(retry, 'utf8').replace(',071', `,${phoneOf(second)}`));
  const ended = await payroll.command(['run', 'bonus.retry.csv', ...paying]);
  expect(ended.exit, ended.stdout + ended.stderr).toBe(65);
  expect(ended.stdout).toContain('1,500');
  expect(await service.sums()).toEqual(paidBefore);
});

test('a wallet that was named by --default is named by it again, or nothing is paid', async () => {
  const { service, payroll } = await correctedName(
    'paymentId,accountName,country,currency,amount,phoneNumber',
    [`A1,${nameOf(first)},KE,KES,1000,${phoneOf(first)}`, `A2,Somebody Else,KE,KES,1500,${phoneOf(second)}`],
    ['--default', 'debitCurrency=USD', '--default', 'debitCountry=KE', '--max-total', 'USD=900'],
  );
  const ended = await payroll.command(['run', 'bonus.retry.csv', ...paying]);
  expect(ended.exit, ended.stdout + ended.stderr).toBe(65);
  expect(ended.stdout).toContain('the wallet that is debited');
  expect(await service.sums()).toEqual([`${phoneOf(first)} 1000.00`]);
});
