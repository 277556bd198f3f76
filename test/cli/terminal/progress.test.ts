import { expect, test } from 'vitest';
import { progressListener, withoutStages } from '../../../src/cli/terminal/progress.ts';
import type { RunEvent } from '../../../src/pipeline/run/run-events.ts';

const plain = { quiet: false, verbose: false, 'json-lines': false };

function listened(flags: typeof plain, events: readonly [atMs: number, RunEvent][]): string[] {
  const lines: string[] = [];
  let nowMs = 0;
  const listen = progressListener(
    flags,
    (text) => void lines.push(text.trimEnd()),
    () => nowMs,
  );
  for (const [atMs, event] of events) {
    nowMs = atMs;
    listen(event);
  }
  return lines;
}

const stage = (name: 'names' | 'payees' | 'submit', done: number): RunEvent => ({
  kind: 'stage',
  stage: name,
  done,
  of: 300,
});
const moved = (to: string): RunEvent => {
  const from = to === 'held' ? 'planned' : 'submitted';
  return { kind: 'moved', key: 'E1', from, to, code: '', reason: '' };
};
const waiting = (forMs: number): RunEvent => ({ kind: 'waiting', why: '2 payouts are on their way', forMs });

test('every stage that takes long says how far it is, now and then', () => {
  expect(
    listened(plain, [
      [100, stage('names', 1)],
      [2_000, stage('names', 120)],
      [2_100, stage('names', 121)],
      [4_000, stage('payees', 80)],
      [5_000, moved('held')],
      [6_000, stage('submit', 40)],
    ]),
  ).toEqual(['checking names 120 of 300', 'registering payees 80 of 300', 'sending 40 of 300, 1 held']);
});

test('no line is said twice; a long wait is said when it begins', () => {
  expect(
    listened(plain, [
      [1_000, stage('submit', 300)],
      [2_000, moved('paid')],
      [2_100, waiting(5_000)],
      [2_200, waiting(500)],
      [7_100, waiting(5_000)],
      [12_300, waiting(10_000)],
    ]),
  ).toEqual([
    '1 paid',
    '1 paid; 2 payouts are on their way (5 s)',
    '1 paid; 2 payouts are on their way (10 s)',
  ]);
});

test('alarms are said at once, even by a quiet run; notices only where more was asked for', () => {
  const events: [number, RunEvent][] = [
    [1, { kind: 'alarm', message: 'forgotten' }],
    [2, { kind: 'notice', message: 'kept' }],
    [9_000, moved('paid')],
  ];
  expect(listened({ ...plain, quiet: true }, events)).toEqual(['ALARM  forgotten']);
  expect(listened({ ...plain, verbose: true }, events)).toEqual(['ALARM  forgotten', 'kept', '1 paid']);
});

test('a log is not filled with stages', () => {
  const kept: RunEvent[] = [];
  const listen = withoutStages((event) => void kept.push(event));
  listen(stage('names', 1));
  listen(moved('paid'));
  expect(kept.map((event) => event.kind)).toEqual(['moved']);
});

test('a notice is for whoever wants more, but an answer to what was asked for is said', () => {
  const path = `/home/${'folder/'.repeat(20)}november.results.csv`;
  const events: [number, RunEvent][] = [
    [0, { kind: 'notice', message: 'payment P001 was looked up' }],
    [0, { kind: 'notice', message: `The results stay where they are: ${path}`, answers: true }],
  ];
  const answer = `The results stay where they are: ${path}`;
  expect(listened(plain, events)).toEqual([answer]);
  expect(listened({ ...plain, verbose: true }, events)).toEqual(['payment P001 was looked up', answer]);
  expect(listened({ ...plain, quiet: true }, events)).toEqual([]);
});
