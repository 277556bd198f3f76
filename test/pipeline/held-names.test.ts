import { expect, test } from 'vitest';
import { release } from '../../src/decisions/release.ts';
import { goesNow } from '../../src/pipeline/plan/goes-now.ts';
import { planTotals } from '../../src/report/plan-totals.ts';
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

test('what a person has let pass is not said to be held, and goes out as the plan says', async () => {
  const unchecked = employee(4, { phoneNumber: phoneOf(4, '99016') });
  const service = await startPayrollService('on');
  const payroll = openPayroll(service);
  const rows = [employee(1), unchecked, noAccount];
  await enrolStaff(service, rows);
  const file = payroll.write('november.csv', rows);
  const policy = { onUnchecked: 'hold' } as const;
  await payroll.run(file, { policy });
  expect(payroll.statuses('november')).toEqual(['P001 paid', 'P004 held', 'P007 held']);
  await payroll.decide('november', (run) => ({
    choice: { kind: 'named', ids: ['P004'] },
    rule: (payout) => release(payout, 'named', run, 'seen'),
    repeats: undefined,
  }));
  const again = await payroll.run(file, { policy });
  expect(again.planned && goesNow(again.planned)).toEqual([
    { currency: 'KES', count: 1, minor: 100_400n, heldCount: 0, heldMinor: 0n },
  ]);
  expect(payroll.statuses('november')).toEqual(['P001 paid', 'P004 paid', 'P007 held']);

  await payroll.decide('november', (run) => ({
    choice: { kind: 'named', ids: ['P007'] },
    rule: (payout) => release(payout, 'named', run, 'seen'),
    repeats: undefined,
  }));
  // A changed row is another question: nobody has said anything about it.
  const renamed = { ...noAccount, accountName: 'Somebody Else' };
  const changed = await payroll.run(payroll.write('november.csv', [employee(1), unchecked, renamed]), {
    policy,
  });
  expect(changed.planned && goesNow(changed.planned)).toMatchObject([{ count: 0, heldCount: 1 }]);
});

test('what is above the limit does not go out now, unless a person has let it pass', async () => {
  const service = await startPayrollService('on');
  const payroll = openPayroll(service);
  const rows = [employee(1), employee(2, { amount: '5000.00' }), { ...noAccount, amount: '6000.00' }];
  await enrolStaff(service, rows);
  const file = payroll.write('november.csv', rows);
  const policy = { limitPayout: new Map([['KES', 200_000n]]) };
  const ran = await payroll.run(file, { policy });
  // Held once, though there are two reasons for the last.
  const shown = { currency: 'KES', count: 1, minor: 100_100n, heldCount: 2, heldMinor: 1_100_000n };
  expect(ran.planned && goesNow(ran.planned)).toEqual([shown]);
  expect(ran.planned?.view?.aboveLimit).toEqual([{ currency: 'KES', rows: 1, amountMinor: 500_000n }]);
  expect(ran.planned && planTotals(ran.planned)).toContain('held above the limit  1  KES  5,000.00\n');
  expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 held', 'P007 held']);
  await payroll.decide('november', (run) => ({
    choice: { kind: 'named', ids: ['P002'] },
    rule: (payout) => release(payout, 'named', run, 'seen'),
    repeats: undefined,
  }));
  const again = await payroll.run(file, { policy });
  expect(again.planned && goesNow(again.planned)).toMatchObject([
    { count: 1, minor: 500_000n, heldCount: 0 },
  ]);
  expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 paid', 'P007 held']);
});
