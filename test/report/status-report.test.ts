import { describe, expect, test } from 'vitest';
import type { Payout } from '../../src/domain/payout/payout.ts';
import type { HeldGroup } from '../../src/journal/payouts/status-queries.ts';
import { runDocumentSchema } from '../../src/report/schemas/run-document-schema.ts';
import { statusDocument } from '../../src/report/status-document.ts';
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

function reportOf(changes: Partial<StatusReport>): StatusReport {
  return {
    ...sumsOf({ state: 'held', everSent: false }),
    batch: 'payroll',
    environment: 'here',
    resultsPath: undefined,
    retryPath: undefined,
    paidTwice: [],
    chainEnd: { seq: 1, hash: '' },
    begunMs: 0,
    lastSendMs: null,
    oldestPendingMs: null,
    timeZone: 'UTC',
    held: [],
    unclear: [],
    doubts: [],
    command: (name, ...more) => `payrun ${[name, 'payroll', ...more, '--sandbox'].join(' ')}`,
    runFile: (path) => `payrun run ${path} --sandbox`,
    ...changes,
  };
}

function said(group: Omit<HeldGroup, 'count'>, retryPath?: string): string {
  return statusReport(reportOf({ held: [{ ...group, count: group.first.length }], retryPath }));
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

describe('a batch that was left to workers', () => {
  const seen = { doing: 'batch payroll, chunk 2', seenMsAgo: 1_200 };
  const work = {
    chunks: { all: 5, toDo: 3 },
    stopped: undefined,
    pausedForMs: 2_300,
    workers: [
      { ...seen, name: 'a:1', ratePerSecond: 50 },
      { ...seen, name: 'b:2', ratePerSecond: 20 },
    ],
  };
  const documentOf = (report: StatusReport) => runDocumentSchema.parse(statusDocument(report)).work;

  test('tells chunks, workers, pace and pause, for people and for programs', () => {
    const report = reportOf({ work });
    expect(statusReport(report)).toContain(`Left to workers: 3 of 5 chunks to do.
  a:1: batch payroll, chunk 2, seen 1 s ago
  b:2: batch payroll, chunk 2, seen 1 s ago
  Together they make at most 50 calls a second.
  The service asked for a pause: 3 s more.`);
    expect(documentOf(report)).toEqual({
      chunks: { all: 5, toDo: 3 },
      workers: [
        { name: 'a:1', doing: 'batch payroll, chunk 2', seenSecondsAgo: 1, ratePerSecond: 50 },
        { name: 'b:2', doing: 'batch payroll, chunk 2', seenSecondsAgo: 1, ratePerSecond: 20 },
      ],
      pace: { ratePerSecond: 50, pausedForSeconds: 3 },
      givenBack: null,
    });
  });

  test('with a worker that was told no rate, there is none', () => {
    const [first] = work.workers;
    const workers = [...(first ? [first] : []), { ...seen, name: 'c:3', ratePerSecond: undefined }];
    const report = reportOf({ work: { ...work, workers } });
    expect(statusReport(report)).toContain('No rate was set for all of them.');
    expect(documentOf(report)?.pace.ratePerSecond).toBeNull();
    expect(documentOf(reportOf({ work: { ...work, workers: [] } }))?.pace.ratePerSecond).toBeNull();
  });

  test('and where its results are, once they are done: what was written before may lack what they did since', () => {
    const done = { work, ...sumsOf({ state: 'paid', everSent: true }) };
    const unwritten = statusReport(reportOf(done));
    expect(unwritten).toContain('Its results are written by: payrun results payroll --sandbox');
    const written = statusReport(reportOf({ ...done, resultsPath: '/x/payroll.results.csv' }));
    expect(written).toContain('Results: /x/payroll.results.csv');
    expect(written).toContain('since they were written is added by: payrun results payroll --sandbox');
  });

  test('and why they gave it back', () => {
    const stopped = { code: 'service-down', message: 'No answer.', exit: 5 } as const;
    const report = reportOf({ work: { ...work, stopped } });
    expect(statusReport(report)).toContain('Workers gave it back: No answer.');
    expect(documentOf(report)?.givenBack).toEqual({ code: 'service-down', message: 'No answer.' });
    expect(documentOf(reportOf({}))).toBeUndefined();
  });
});
