import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repeatWindowFlag } from '../../../src/cli/flags/duration-flag.ts';
import { employee, openPayroll } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';

test('a guard is not switched off by a short window, nor by one below zero: 2, and nothing is sent', async () => {
  const service = await startPayrollService();
  const payroll = openPayroll(service);
  payroll.write('november.csv', [employee(1)]);
  const paying = ['run', 'november.csv', '--yes', '--max-total', 'KES=5000'];

  for (const window of ['0s', '-5h']) {
    const ran = await payroll.payrun([...paying, '--repeat-window', window]);
    expect([window, ran.exit]).toEqual([window, 2]);
    expect(ran.stderr).toContain('--repeat-window takes a duration');
    expect(ran.stdout).toBe('');
  }
  expect(await service.payouts()).toEqual([]);
  const wrong = expect.objectContaining({ exit: 2, message: expect.stringContaining('--allow-repeats N') });
  for (const window of ['0s', '3599s', '-1', '5', '', '999999999d']) {
    expect(() => repeatWindowFlag(window), window).toThrow(wrong);
  }
  expect(repeatWindowFlag('1h')).toBe(3_600_000);
});

test('other durations and amounts that cannot be meant are told in a sentence as well', async () => {
  const service = await startPayrollService();
  const payroll = openPayroll(service);
  payroll.write('november.csv', [employee(1)]);
  const paying = ['run', 'november.csv', '--yes'];
  const wrong = [
    ['--timeout', '0s'],
    ['--deadline', '30d'],
    ['--max-total', '-5h'],
  ];
  for (const flags of wrong) {
    const ran = await payroll.payrun([...paying, ...flags]);
    expect([...flags, ran.exit]).toEqual([...flags, 2]);
    expect(ran.stderr).toMatch(new RegExp(`${flags[0]} takes a (duration|currency)`));
  }
  expect(await service.payouts()).toEqual([]);
});

test('the configuration takes no shorter window either (78)', async () => {
  const service = await startPayrollService();
  const payroll = openPayroll(service);
  payroll.write('november.csv', [employee(1)]);
  for (const wrong of [{ repeatWindow: '0s' }, { repeatWindow: '59m' }, { timeout: '0s' }]) {
    writeFileSync(join(payroll.workspace, 'payrun.config.json'), JSON.stringify(wrong), { mode: 0o600 });
    const ran = await payroll.payrun(['plan', 'november.csv']);
    expect([wrong, ran.exit]).toEqual([wrong, 78]);
    expect(ran.stderr).toContain(Object.keys(wrong)[0]);
  }
});
