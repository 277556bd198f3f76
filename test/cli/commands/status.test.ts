import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { reason } from '../../../src/domain/payout/reasons.ts';
import { seedBatch } from '../../support/seed-journal.ts';
import { seededWorkspace } from '../seeded-workspace.ts';

const held = {
  hold: 'name',
  verdict: 'close',
  resolvedName: 'MARY WANJIKO',
  ...reason('noted', { text: 'close: WANJIKO' }),
} as const;
const batch = [
  { key: 'E1', state: 'paid' as const, changes: { transactionId: 'T1', settledMs: 1 } },
  { key: 'E2', state: 'held' as const, changes: held },
  {
    key: 'E3',
    state: 'held' as const,
    changes: { hold: 'limit' as const, ...reason('noted', { text: 'above the limit' }) },
  },
  {
    key: 'E4',
    state: 'unclear' as const,
    changes: { ...reason('noted', { text: 'sent 2 times without an answer' }) },
  },
  { key: 'E5', state: 'submitted' as const, changes: { transactionId: 'T5' } },
  { key: 'E6', state: 'cancelled' as const },
];

describe('payrun status', () => {
  test('one batch: counts, money, what waits for whom, and how to go on', async () => {
    const { payrun, payout, db, results, workspace } = await seededWorkspace(batch);
    const { stdout, exit } = await payrun(['status', 'payroll', '--workspace', workspace]);
    expect(exit).toBe(4);
    const same = `--workspace ${workspace}`;
    for (const text of [
      'LIVE  sandbox payroll@example.com',
      'Batch payroll',
      '  paid                 1  KES 1,500.00',
      '  on the way           1  KES 1,500.00',
      '  unknown              1  KES 1,500.00',
      '  not paid: held       2  KES 3,000.00',
      '  not paid: cancelled  1  KES 1,500.00',
      '  in the file          6  KES 9,000.00',
      '1 payout held for the name (close)',
      'E2, Mary Wanjiku …0002, KES 1,500.00: close: WANJIKO; the service says MARY WANJIKO',
      `payrun release payroll --verdict close --reason why ${same}`,
      '1 payout held for the limit',
      `payrun release payroll --payment E3 --reason why ${same}`,
      payout('E4').reference,
      `payrun decide payroll --payment E4 --not-paid --reason why ${same}`,
      `Next: payrun resume payroll ${same}`,
    ]) {
      expect(stdout).toContain(text);
    }
    expect(stdout).not.toContain(payout('E2').number);

    writeFileSync(results, '');
    const json = await payrun(['status', 'payroll', '--json']);
    const times = { lastSendAt: null, begunAt: expect.any(String), oldestPendingAt: expect.any(String) };
    expect(JSON.parse(json.stdout)).toEqual({
      kind: 'status',
      ...times,
      batch: 'payroll',
      environment: 'sandbox payroll@example.com',
      exit: 4,
      statuses: { paid: 1, held: 2, unknown: 1, pending: 1, cancelled: 1 },
      totals: {
        KES: {
          file: '9000.00',
          paidNow: '0.00',
          paidBefore: '1500.00',
          left: '6000.00',
          onTheWay: '1500.00',
          unknown: '1500.00',
        },
      },
      results,
      retry: null,
      journal: { event: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(json.exit).toBe(4);

    await seedBatch(db, [{ key: 'E2', state: 'held', changes: held }], { name: 'vendors' });
    const all = await payrun(['status']);
    expect(all.exit).toBe(0);
    expect(all.stdout).toMatch(
      /vendors .*KES 0\.00 +KES 1,500\.00\n {2}1 held\npayroll .*KES 1,500\.00 +KES 7,500\.00\n/,
    );
  });

  test('a batch that is not known is 2, a journal that is not there 78 and not made', async () => {
    const { payrun, folder } = await seededWorkspace(batch);
    const { exit, stderr } = await payrun(['status', 'payrol']);
    expect(exit).toBe(2);
    expect(stderr).toContain('Did you mean payroll?');
    const elsewhere = `${folder}/elsewhere`;
    const none = await payrun(['status'], { PAYRUN_WORKSPACE: elsewhere });
    expect(none.exit).toBe(78);
    expect(none.stderr).toContain(`There is no journal in ${elsewhere}. Is it another workspace?`);
    expect(existsSync(elsewhere)).toBe(false);
  });
});
