import { expect, test } from 'vitest';
import { openPayrun } from '../../../src/index.ts';
import { forgottenReport, namesReport } from '../../../src/report/names-report.ts';
import { employee, openPayroll } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';

test('a pair of names that was forgotten is held again, and the log says who forgot it and why', async () => {
  const service = await startPayrollService();
  const payroll = openPayroll(service);
  const row = employee(1, { accountName: 'Grace Achieng' });
  await service.enrol([{ number: row['phoneNumber'] ?? '', name: 'ACHIENG OTIENO PETER' }]);
  const { url: baseUrl, apiKey, publicKey } = service;
  const payrun = openPayrun({
    workspace: payroll.workspace,
    journalUrl: payroll.env['PAYRUN_JOURNAL_URL'],
    service: { baseUrl, apiKey, publicKey },
    operator: 'amina',
  });
  try {
    await payroll.run(payroll.write('november.csv', [row]));
    expect(payroll.statuses('november')).toEqual(['P001 held']);
    await payrun.release('november', { payments: ['P001'], reason: 'seen her card' });
    await payroll.resume('november');
    expect(payroll.statuses('november')).toEqual(['P001 paid']);
    const next = { ...row, amount: '2000.00' };
    await payroll.run(payroll.write('december.csv', [next]));
    expect(payroll.statuses('december')).toEqual(['P001 paid']);

    const [pair, ...others] = await payrun.names();
    expect(others).toEqual([]);
    expect(pair).toMatchObject({ resolved: 'ACHIENG OTIENO PETER', batchName: 'december', payment: 'P001' });
    const text = namesReport(pair ? [pair] : []);
    expect(text).toContain(`${pair?.id}  Grace Achieng is ACHIENG OTIENO PETER at …0101`);
    expect(text).not.toContain('2547120');

    const wrong = payrun.forgetNames([pair?.id ?? '', 'nothing'], 'a mistake');
    await expect(wrong).rejects.toMatchObject({ code: 'names-unknown', exit: 2 });
    expect(await payrun.names()).toHaveLength(1);
    const forgotten = await payrun.forgetNames([pair?.id ?? ''], 'it was her brother');
    expect(forgottenReport(forgotten)).toContain('Forgotten: Grace Achieng is ACHIENG OTIENO PETER');
    expect(await payrun.names()).toEqual([]);

    await payroll.run(payroll.write('january.csv', [{ ...row, amount: '3000.00' }]));
    expect(payroll.statuses('january')).toEqual(['P001 held']);
    const { log } = await payrun.log('december');
    expect([...log.eventsOfPeople()].at(-1)).toMatchObject({
      operator: 'amina',
      from: 'remembered',
      to: 'forgotten',
      why: 'forgotten that "Grace Achieng" is "ACHIENG OTIENO PETER" at …0101: it was her brother',
    });
    expect((await payrun.audit()).findings).toEqual([]);
  } finally {
    await payrun.close();
  }
});
