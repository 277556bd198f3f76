import { describe, expect, test } from 'vitest';
import type { Payout } from '../../src/domain/payout/payout.ts';
import type { HeldGroup } from '../../src/journal/payouts/status-queries.ts';
import { type StatusReport, statusReport } from '../../src/report/status-report.ts';
import { sumsOf } from './sums.ts';

const held = (key: string, changes: Partial<Payout>): Payout =>
  ({
    key,
    accountName: 'Mary Wanjiku',
    number: '+254700000001',
    amountMinor: 100_000n,
    currency: 'KES',
    code: '',
    details: '{}',
    hold: 'name',
    verdict: 'close',
    resolvedName: '',
    ...changes,
  }) as Payout;

function said(group: Omit<HeldGroup, 'count'>, retryPath?: string): string {
  const report: StatusReport = {
    ...sumsOf({ state: 'held', everSent: false }),
    batch: 'payroll',
    environment: 'here',
    resultsPath: undefined,
    retryPath,
    paidTwice: [],
    chainEnd: { seq: 1, hash: '' },
    begunMs: 0,
    lastSendMs: null,
    oldestPendingMs: null,
    timeZone: 'UTC',
    held: [{ ...group, count: group.first.length }],
    unclear: [],
    command: (name, ...more) => `payrun ${[name, 'payroll', ...more, '--sandbox'].join(' ')}`,
    runFile: (path) => `payrun run ${path} --sandbox`,
  };
  return statusReport(report);
}

describe('what a person can do about held payouts', () => {
  test('an account that does not exist is corrected or cancelled: a release by its verdict would be refused', () => {
    const first = [held('E1', { verdict: 'no-account' }), held('E2', { verdict: 'no-account' })];
    const text = said({ hold: 'name', verdict: 'no-account', first }, 'payroll.retry.csv');
    expect(text).not.toContain('release');
    expect(text).toContain('2 payouts held for an account that does not exist');
    expect(text).toContain(
      'correct the number in payroll.retry.csv, then: payrun run payroll.retry.csv --sandbox',
    );
    expect(text).toContain('or drop them: payrun cancel payroll --payment E1 E2 --reason why --sandbox');
  });

  test('a name is released by its verdict, anything else by its payments', () => {
    expect(said({ hold: 'name', verdict: 'close', first: [held('E1', {})] })).toContain(
      'if it is right: payrun release payroll --verdict close',
    );
    const first = [held('E1', { hold: 'limit' }), held('E2', { hold: 'limit' })];
    expect(said({ hold: 'limit', verdict: '', first })).toContain(
      'if they are right: payrun release payroll --payment E1 E2',
    );
  });
});
