import { expect, test } from 'vitest';
import { employee, enrolStaff, openPayroll, phoneOf } from '../support/pay-run.ts';
import { startPayrollService } from '../support/payroll-service.ts';

const close = employee(3, { phoneNumber: phoneOf(3, '99012') });
const noAccount = employee(7, { phoneNumber: phoneOf(7, '99004') });
const everyone = [employee(1), close, noAccount];

async function heldSums(onClose: 'hold' | 'pay') {
  const service = await startPayrollService('on');
  const payroll = openPayroll(service);
  await enrolStaff(service, everyone);
  const ran = await payroll.run(payroll.write('november.csv', everyone), {
    policy: { onClose },
  });
  const held = payroll.statuses('november').filter((status) => status.endsWith('held'));
  return { sums: ran.planned?.view?.names?.held, held };
}

test('what is said to be held for its name is what the run then holds', async () => {
  const both = await heldSums('hold');
  expect(both.sums).toEqual([{ currency: 'KES', rows: 2, amountMinor: 201_000n }]);
  expect(both.held).toHaveLength(2);
  const one = await heldSums('pay');
  expect(one.sums).toEqual([{ currency: 'KES', rows: 1, amountMinor: 100_700n }]);
  expect(one.held).toHaveLength(1);
});
