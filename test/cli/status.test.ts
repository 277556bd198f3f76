import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { seedBatch } from '../support/seed-journal.ts';
import { seededWorkspace } from './seeded-workspace.ts';

const held = {
  hold: 'name',
  verdict: 'close',
  resolvedName: 'MARY WANJIKO',
  reason: 'close: WANJIKO',
} as const;
const batch = [
  { key: 'E1', state: 'paid' as const, changes: { transactionId: 'T1', settledMs: 1 } },
  { key: 'E2', state: 'held' as const, changes: held },
  { key: 'E3', state: 'held' as const, changes: { hold: 'limit' as const, reason: 'above the limit' } },
  { key: 'E4', state: 'unclear' as const, changes: { reason: 'sent 2 times without an answer' } },
  { key: 'E5', state: 'submitted' as const, changes: { transactionId: 'T5' } },
  { key: 'E6', state: 'cancelled' as const },
];

describe('payrun status', () => {
  test('one batch: counts, money, what waits for whom, and how to go on', async () => {
    const { payrun, payout } = await seededWorkspace(batch);
    const { stdout, exit } = await payrun(['status', 'payroll']);
    expect(exit).toBe(4);
    for (const text of [
      'LIVE  sandbox payroll@example.com',
      'Batch payroll',
      'KES 9,000.00 in the file, KES 1,500.00 paid, KES 6,000.00 left',
      '1 payout held for the name (close)',
      'payrun release payroll --verdict close --reason why',
      '1 payout held for the limit',
      'payrun release payroll --payment E3 --reason why',
      payout('E4').reference,
      'payrun decide payroll --payment E4 --not-paid --reason why',
      'Next: payrun resume payroll',
    ]) {
      expect(stdout).toContain(text);
    }
    expect(stdout).not.toContain(payout('E2').number);
  });

  test('--json is the document of a run', async () => {
    const { payrun, results } = await seededWorkspace(batch);
    writeFileSync(results, '');
    const { stdout, exit } = await payrun(['status', 'payroll', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      batch: 'payroll',
      environment: 'sandbox payroll@example.com',
      exit: 4,
      statuses: { paid: 1, held: 2, unknown: 1, pending: 1, cancelled: 1 },
      totals: { KES: { file: '9000.00', paidNow: '0.00', paidBefore: '1500.00', left: '6000.00' } },
      results,
      retry: null,
    });
    expect(exit).toBe(4);
  });

  test('the exit code is that of the batch: 0 when all is paid or cancelled, 3 when a person must act', async () => {
    const { payrun, db } = await seededWorkspace([batch[0], batch[5]].filter((each) => each !== undefined));
    expect((await payrun(['status', 'payroll'])).exit).toBe(0);
    await seedBatch(db, [{ key: 'E2', state: 'held', changes: held }], { name: 'vendors' });
    expect((await payrun(['status', 'vendors'])).exit).toBe(3);

    const all = await payrun(['status']);
    expect(all.exit).toBe(0);
    expect(all.stdout).toMatch(
      /vendors[\s\S]*held\s+1 {2}KES 1,500\.00[\s\S]*payroll[\s\S]*paid\s+1 {2}KES 1,500\.00/,
    );
    expect(JSON.parse((await payrun(['status', '--json'])).stdout).batches[1]).toEqual({
      batch: 'payroll',
      environment: 'sandbox payroll@example.com',
      statuses: { paid: 1, cancelled: 1 },
      amounts: { KES: { paid: '1500.00', cancelled: '1500.00' } },
    });
  });

  test('a batch that is not known is 2, with the one that may be meant', async () => {
    const { payrun } = await seededWorkspace(batch);
    const { exit, stderr } = await payrun(['status', 'payrol']);
    expect(exit).toBe(2);
    expect(stderr).toContain('Did you mean payroll?');
  });
});
