import { describe, expect, test } from 'vitest';
import type { RunSummary } from '../../src/pipeline/finish-run.ts';
import { nothingPaid, runReport } from '../../src/report/run-report.ts';
import { sumsOf } from './sums.ts';

const commands = {
  resume: 'payrun resume p',
  status: 'payrun status p',
  log: (payment: string) => `payrun log p --payment ${payment}`,
  runRetry: (path: string) => path,
};

function summary(...rows: Parameters<typeof sumsOf>): RunSummary {
  return {
    ...sumsOf(...rows),
    batch: 'p',
    environment: 'here',
    exit: 4,
    timeZone: 'UTC',
    resultsPath: 'p.results.csv',
    retryPath: undefined,
    chainEnd: { seq: 1, hash: 'f'.repeat(64) },
    decided: 0,
    watched: 0,
    paidTwice: [],
    stopped: undefined,
    sends: 1,
    readWith: {},
  };
}

describe('the end of a run', () => {
  test('says what to do as numbered steps of one command each, and to carry on last', () => {
    const ended = summary({ state: 'submitted' }, { state: 'held', everSent: false }, { state: 'failed' });
    const report = runReport({ ...ended, retryPath: 'p.retry.csv' }, commands);
    expect(report.split('What to do:\n')[1]?.split('\n')).toEqual([
      '  1. 1 payout waits for your decision. See why, and what to do about each:',
      '     payrun status p',
      '  2. Correct what can be corrected of 2 rows in p.retry.csv, then:',
      '     p.retry.csv',
      '  3. Carry on:',
      '     payrun resume p',
    ]);
    expect(runReport(summary({ state: 'paid' }), commands)).not.toContain('What to do');
  });

  test('that nothing was paid is said of one payment, of some and of all', () => {
    const said = (...rows: Parameters<typeof sumsOf>) => nothingPaid({ ...summary(...rows), sends: 0 });
    expect(said({ state: 'paid' })).toContain('nothing was paid: its one payment was paid on 1 January 1970');
    expect(said({ state: 'paid' }, { state: 'failed' })).toContain('1 of 2 was paid on');
    expect(said({ state: 'paid' }, { state: 'paid' })).toContain('all 2 were paid on');
  });
});
