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

test.each(['lying-401', 'lying-429'] as const)(
  'look-ups that were proven by a payout whose answer never came are waited for as long as they take: %s',
  async (kind) => {
    const { world, office } = openCalmOffice({
      odd: { dedupe: false, listLagMs: 5_000, lagIsSteady: true },
      faults: [{ kind: 'reply-lost', resets: false }, { kind }],
    });
    await office.go(office.run(payrollOf(['K1', 'K2'])));
    expect(world.service.ledger().map(({ number, status }) => `${number} ${status}`)).toEqual([
      '+254712353590 SUCCESSFUL',
      '+254712361509 SUCCESSFUL',
    ]);
    expect(world.violations).toEqual([]);
  },
);
