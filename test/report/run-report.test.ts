import { describe, expect, test } from 'vitest';
import type { RunSummary } from '../../src/pipeline/finish-run.ts';
import { nothingPaid, runReport } from '../../src/report/run-report.ts';
import { sumsOf } from './sums.ts';

const commands = { resume: 'payrun resume p', status: 'payrun status p', runRetry: (path: string) => path };

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
    watched: 0,
    paidTwice: [],
    stopped: undefined,
    sends: 1,
    readWith: {},
  };
}

describe('the end of a run', () => {
  test('one and many are told apart', () => {
    const one = runReport(summary({ state: 'submitted' }, { state: 'held', everSent: false }), commands);
    expect(one).toContain('1  on its way: the service has it and has not said how it ended');
    expect(one).toContain('1  held: it waits for your decision');
    const two = runReport(summary({ state: 'submitted' }, { state: 'submitted' }), commands);
    expect(two).toContain('2  on their way: the service has them');
  });

  test('that nothing was paid is said of one payment, of some and of all', () => {
    const said = (...rows: Parameters<typeof sumsOf>) => nothingPaid({ ...summary(...rows), sends: 0 });
    expect(said({ state: 'paid' })).toContain('nothing was paid: its one payment was paid on 1 January 1970');
    expect(said({ state: 'paid' }, { state: 'failed' })).toContain('1 of 2 was paid on');
    expect(said({ state: 'paid' }, { state: 'paid' })).toContain('all 2 were paid on');
  });
});
