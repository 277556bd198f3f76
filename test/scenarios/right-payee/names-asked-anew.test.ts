import { expect, test } from 'vitest';
import { release } from '../../../src/decisions/release.ts';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { employee, enrolStaff, openPayroll, phoneOf, staff } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { type SeenCall, watchService } from '../../support/watched-service.ts';

const isResolve = ({ path }: SeenCall) => path.includes('/account/resolve');
const declines = { confirm: async () => false };

async function openCase() {
  const service = await watchService(await startPayrollService());
  const payroll = openPayroll(service);
  await enrolStaff(service, staff(2));
  await service.enrol([{ number: phoneOf(1), name: 'HASSAN MUKASA' }]);
  const asked = () => service.calls.filter(isResolve).length;
  return { service, payroll, asked };
}

test('a name that spoke against a row is asked anew by the next run, and one that did not is not', async () => {
  const { service, payroll, asked } = await openCase();
  const file = payroll.write('november.csv', staff(2));
  const refused = await payroll.run(file, declines);
  expect(refused.planned?.view?.names?.counts).toMatchObject({ match: 1, mismatch: 1 });
  expect(asked()).toBe(2);

  await enrolStaff(service, [employee(1)]);
  const ran = await payroll.run(file);

  expect(ran.exit).toBe(0);
  expect(asked()).toBe(3);
  expect(payroll.results('november').map((row) => row['payrun_verdict'])).toEqual(['match', 'match']);
  await expectPaidOnce(service, staff(2));
});

test('where the service does not answer, what it said against a row stands', async () => {
  const { service, payroll } = await openCase();
  const file = payroll.write('november.csv', staff(2));
  await payroll.run(file, declines);
  service.interfere((call) => (isResolve(call) ? { kind: 'answer', status: 503, body: {} } : undefined));

  await payroll.run(file);

  expect(payroll.statuses('november')).toEqual(['P001 held', 'P002 paid']);
  await expectPaidOnce(service, [employee(2)]);
});

test('a released name is asked once more before it is paid: of another one nobody has said anything', async () => {
  const { service, payroll, asked } = await openCase();
  await payroll.run(payroll.write('november.csv', staff(2)));
  expect(payroll.statuses('november')).toEqual(['P001 held', 'P002 paid']);
  const before = asked();
  const releaseOne = () =>
    payroll.decide('november', (run) => ({
      choice: { kind: 'named', ids: ['P001'] },
      rule: (payout) => release(payout, 'named', run, 'seen his ID'),
      repeats: undefined,
    }));
  await releaseOne();
  await service.enrol([{ number: phoneOf(1), name: 'SOMEBODY ELSE' }]);

  await payroll.resume('november');
  expect(asked()).toBe(before + 1);
  expect(payroll.results('november')[0]).toMatchObject({
    payrun_status: 'held',
    payrun_verdict: 'mismatch',
    payrun_resolved_name: 'SOMEBODY ELSE',
  });

  await releaseOne();
  await payroll.resume('november');
  await expectPaidOnce(service, staff(2));
});
