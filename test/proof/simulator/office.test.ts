import { expect, test } from 'vitest';
import { openCalmOffice, payrollOf } from './calm-office.ts';

test.each([
  { change: 'taken out', first: ['K1', 'K2'], second: ['K1'] },
  { change: 'put in', first: ['K1'], second: ['K1', 'K2'] },
])(
  'a row $change just before a run reads its file is judged as the run read it',
  async ({ first, second }) => {
    const { world, office } = openCalmOffice();
    await office.go(office.run(payrollOf(first)), office.run(payrollOf(second)));
    expect(office.resultsOf('payroll')?.map((row) => row['payrun_key'])).toEqual(second);
    expect([...(office.batches.get('payroll')?.taken ?? [])]).toEqual(second);
    expect(world.violations).toEqual([]);
  },
);
