import { describe, expect, test } from 'vitest';
import type { Payout } from '../../src/domain/payout/payout.ts';
import { type DecisionOutcome, decisionDocument, decisionReport } from '../../src/report/decision-report.ts';

const person = (key: string, accountName: string, amountMinor: bigint) =>
  ({ key, accountName, amountMinor, currency: 'KES' }) as Payout;

const outcome: DecisionOutcome = {
  batch: 'payroll',
  place: 'LIVE  here',
  done: 'released',
  moved: 2,
  first: [person('E1', 'Amina Otieno', 120_000n), person('E2', 'Moses Kiplagat', 180_000n)],
  movedMinor: new Map([['KES', 300_000n]]),
  left: [],
  toSend: { payouts: 3, amounts: new Map([['KES', 450_000n]]) },
  next: 'payrun resume payroll',
};

describe('what a decision came to', () => {
  test('the sum that the next resume will send is said, with what was unsent before', () => {
    expect(decisionReport(outcome)).toBe(
      [
        'LIVE  here',
        'Batch payroll: 2 payouts released, KES 3,000.00. This command sends nothing; the next resume will send up to KES 4,500.00 in 3 payouts.',
        '  E1: Amina Otieno, KES 1,200.00',
        '  E2: Moses Kiplagat, KES 1,800.00',
        'Next: payrun resume payroll',
      ].join('\n'),
    );
    expect(decisionDocument(outcome)).toEqual({
      kind: 'decision',
      batch: 'payroll',
      moved: 2,
      first: ['E1', 'E2'],
      left: [],
      toSend: { payouts: 3, amounts: { KES: '4500.00' } },
      next: 'payrun resume payroll',
    });
  });

  test('of many the first are named, and how many more there are', () => {
    expect(decisionReport({ ...outcome, moved: 1_012 })).toContain(
      '  E2: Moses Kiplagat, KES 1,800.00\n  and 1,010 more\n',
    );
  });

  test('it does not say that the batch sent nothing', () => {
    const cancelled = decisionReport({ ...outcome, done: 'cancelled', moved: 1, toSend: undefined });
    expect(cancelled).toContain('1 payout cancelled');
    expect(cancelled).toContain('This command sends nothing; what was sent before stays as it is.');
    expect(cancelled).not.toContain('Nothing was sent');
  });

  test('where nothing moved, nothing was changed', () => {
    const none = decisionReport({ ...outcome, moved: 0, first: [], movedMinor: new Map(), next: undefined });
    expect(none).toBe('LIVE  here\nBatch payroll: no payout released. Nothing was changed.');
  });
});
