import { expect, test } from 'vitest';
import { cancel } from '../../../src/decisions/cancel.ts';
import { employee, enrolStaff, openPayroll, patientFlags, phoneOf } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';

const resumeAll = ['resume', ...patientFlags];

test('what a person decided is in the results after the next resume, also where the decision was killed before it wrote them', async () => {
  const service = await startPayrollService();
  const payroll = openPayroll(service);
  await service.enrol([{ number: phoneOf(1), name: 'HASSAN MUKASA' }]);
  await enrolStaff(service, [employee(2)]);
  await payroll.run(payroll.write('november.csv', [employee(1), employee(2)]));
  // What is paid was read again today: nothing else is left to do.
  expect((await payroll.payrun(resumeAll)).exit).toBe(3);
  expect((await payroll.payrun(resumeAll)).exit).toBe(0);
  await payroll.decide('november', () => ({
    choice: { kind: 'named', ids: ['P001'] },
    rule: (payout) => cancel(payout, 'left the company', []),
    repeats: undefined,
  }));
  expect(payroll.statuses('november')).toEqual(['P001 held', 'P002 paid']);

  const resumed = await payroll.payrun(resumeAll);

  expect(resumed.exit).toBe(0);
  expect(resumed.stdout).toContain('Batch november');
  expect(payroll.statuses('november')).toEqual(['P001 cancelled', 'P002 paid']);
  expect((await payroll.payrun(resumeAll)).stdout).not.toContain('november');
});
