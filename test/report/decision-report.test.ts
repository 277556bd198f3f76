import { describe, expect, test } from 'vitest';
import { type DecisionOutcome, decisionDocument, decisionReport } from '../../src/report/decision-report.ts';

const outcome: DecisionOutcome = {
  batch: 'payroll',
  place: 'LIVE  here',
  done: 'released',
  moved: 2,
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
        'Next: payrun resume payroll',
      ].join('\n'),
    );
    expect(decisionDocument(outcome)).toEqual({
      kind: 'decision',
      batch: 'payroll',
      moved: 2,
      left: [],
      toSend: { payouts: 3, amounts: { KES: '4500.00' } },
      next: 'payrun resume payroll',
    });
  });

  test('it does not say that the batch sent nothing', () => {
    const cancelled = decisionReport({ ...outcome, done: 'cancelled', moved: 1, toSend: undefined });
    expect(cancelled).toContain('1 payout cancelled');
    expect(cancelled).toContain('This command sends nothing; what was sent before stays as it is.');
    expect(cancelled).not.toContain('Nothing was sent');
  });

  test('where nothing moved, nothing was changed', () => {
    const none = decisionReport({ ...outcome, moved: 0, movedMinor: new Map(), next: undefined });
    expect(none).toBe('LIVE  here\nBatch payroll: no payout released. Nothing was changed.');
  });
});
