import { expect, test } from 'vitest';
import { release } from '../../../src/decisions/release.ts';
import { calls } from '../../support/failed-attempt.ts';
import { employee, enrolStaff, openPayroll, type Payroll, phoneOf, staff } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { watchService } from '../../support/watched-service.ts';

/** Room for two payouts of three. */
const upToTwo = {
  limits: { confirmTotal: new Map<string, bigint>(), maxTotal: new Map([['KES', 210_000n]]) },
  limitsNeeded: true,
};

const secondHasFailed = calls((_id, shown) =>
  JSON.stringify(shown).includes('1002') ? 'FAILED' : undefined,
);

/** The first is held for its name, the others go out. */
async function beginNovember() {
  const service = await watchService(await startPayrollService('on'));
  const payroll = openPayroll(service);
  await enrolStaff(service, [employee(2), employee(3)]);
  await service.enrol([{ number: phoneOf(1), name: 'Somebody Quite Different' }]);
  return { service, payroll };
}

async function payThree(payroll: Payroll): Promise<void> {
  await payroll.run(payroll.write('november.csv', staff(2)), upToTwo);
  await payroll.run(payroll.write('november.csv', staff(3)), upToTwo);
  await payroll.decide('november', (run) => ({
    choice: { kind: 'states', states: ['held'] },
    rule: (payout) => release(payout, 'named', run, 'seen'),
    repeats: undefined,
  }));
}

test('what had failed and was paid after all leaves no room for others: nothing is sent beyond what was confirmed', async () => {
  const { service, payroll } = await beginNovember();
  service.interfere(secondHasFailed);
  await payThree(payroll);
  expect(payroll.statuses('november')).toEqual(['P001 held', 'P002 failed', 'P003 paid']);
  service.interfere();

  const resumed = await payroll.resume('november');

  expect(resumed.exit).toBe(6);
  expect(payroll.statuses('november')).toEqual(['P001 not_sent', 'P002 paid', 'P003 paid']);
  expect((await service.payouts()).map(({ number }) => number)).not.toContain(phoneOf(1));
});

test('what came back makes room for others, and is called returned', async () => {
  const { service, payroll } = await beginNovember();
  await payThree(payroll);
  expect(payroll.statuses('november')).toEqual(['P001 held', 'P002 paid', 'P003 paid']);
  service.interfere(secondHasFailed);

  const resumed = await payroll.resume('november');

  expect(resumed.exit).toBe(3);
  expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 returned', 'P003 paid']);
});
