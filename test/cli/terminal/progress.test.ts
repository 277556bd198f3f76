import { expect, test } from 'vitest';
import { openProgress, withoutStages } from '../../../src/cli/terminal/progress.ts';
import { createRunView } from '../../../src/cli/terminal/run-view.ts';
import type { PayoutState } from '../../../src/domain/payout/payout-state.ts';
import type { RunEvent, Stage } from '../../../src/pipeline/run/run-events.ts';
import { progressBlock } from '../../../src/report/progress-lines.ts';
import { createPulse } from '../../../src/service/pulse.ts';

const plain = { quiet: false, verbose: 0, 'json-lines': false };

type Step = [atMs: number, RunEvent | 'nothing'];

function written(
  flags: typeof plain,
  steps: readonly Step[],
  isTTY = false,
  silentFromMs?: number,
): string[] {
  const texts: string[] = [];
  let nowMs = 0;
  const pulse = createPulse({ monotonicMs: () => nowMs });
  const progress = openProgress(flags, {
    stream: { isTTY, columns: 80, write: (text: string) => void texts.push(text) },
    pulse,
    nowMs: () => nowMs,
    env: { TERM: 'xterm', NO_COLOR: '1' },
  });
  for (const [atMs, event] of steps) {
    nowMs = atMs;
    if (atMs === silentFromMs) pulse.began();
    if (event !== 'nothing') progress.onEvent(event);
    progress.tick();
  }
  progress.close();
  return texts;
}

function listened(flags: typeof plain, steps: readonly Step[], silentFromMs?: number): string[] {
  return written(flags, steps, false, silentFromMs).map((text) => text.trimEnd());
}

const stage = (name: Stage, done: number): RunEvent => ({ kind: 'stage', stage: name, done, of: 300 });
const moved = (to: PayoutState, from: PayoutState = to === 'held' ? 'planned' : 'submitted'): RunEvent => ({
  kind: 'moved',
  key: 'E1',
  from,
  to,
  currency: 'KES',
  amount: '1000.50',
  code: '',
  reason: '',
});
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
  ).toEqual(['checking names 120 of 300', 'registering payees 80 of 300', 'sending 40 of 300; 1 held']);
});

test('a long wait is said when it begins, and again while it lasts: no line is dropped for being equal', () => {
  expect(
    listened(plain, [
      [0, moved('paid')],
      [2_100, waiting(500)],
      [3_000, waiting(60_000)],
      [5_000, 'nothing'],
      [6_000, stage('settle', 1)],
      [16_000, 'nothing'],
      [26_000, 'nothing'],
    ]),
  ).toEqual([
    '1 paid; 2 payouts are on their way: 1 s',
    '1 paid; 2 payouts are on their way: 1 min',
    '1 paid; 2 payouts are on their way: 58 s',
    'waiting for the outcome 1 of 300; 1 paid',
    'waiting for the outcome 1 of 300; 1 paid',
  ]);
});

test('the longer a run takes the fewer lines are written of it', () => {
  const steps = Array.from({ length: 7_200 }, (_, second): Step => [second * 500, stage('settle', second)]);
  const places = listened(plain, steps).map(
    (line) => Number(/outcome ([\d,]+) of/.exec(line)?.[1]?.replace(',', '')) / 2,
  );
  const apart = places.map((place, index) => place - (places[index - 1] ?? 0));
  expect(places.filter((place) => place <= 10)).toEqual([2, 4, 6, 8, 10]);
  expect(places.filter((place) => place <= 120).length).toBeLessThan(25);
  expect(Math.max(...apart)).toBe(60);
  expect(apart.slice(-10)).toEqual(Array(10).fill(60));
});

test('a service that is silent before anything is known of the run is named too', () => {
  const silent = listened(
    plain,
    [
      [0, 'nothing'],
      [4_000, 'nothing'],
      [6_000, 'nothing'],
    ],
    0,
  );
  expect(silent).toEqual([expect.stringContaining('6 s')]);
});

test('a service that does not answer is named from five seconds on, though nothing happens', () => {
  expect(
    listened(
      plain,
      [
        [0, stage('settle', 0)],
        [100, 'nothing'],
        [4_000, 'nothing'],
        [6_000, 'nothing'],
        [36_000, 'nothing'],
      ],
      100,
    ),
  ).toEqual([
    'waiting for the outcome 0 of 300',
    'waiting for the outcome 0 of 300; the service has not answered for 6 s (1 call open)',
    'waiting for the outcome 0 of 300; the service has not answered for 36 s (1 call open)',
  ]);
});

test('on a terminal one block is drawn over itself, and what is said stands above it', () => {
  const texts = written(
    plain,
    [
      [0, { kind: 'sending', payouts: 300, amounts: [{ currency: 'KES', amount: '300150.00' }] }],
      [100, stage('submit', 0)],
      [200, moved('submitted', 'submitting')],
      [5_000, stage('submit', 150)],
      [5_100, { kind: 'alarm', message: 'forgotten' }],
    ],
    true,
  );
  expect(texts.at(-4)).toBe(
    [
      '\x1b[3A\r\x1b[0J  sending                   ███████████████░░░░░░░░░░░░░░░░  50 %   150 of 300',
      '  KES 1,000.50 of 300,150.00 sent, 31 a second, about 5 s left',
      '  1 on the way',
      '',
    ].join('\n'),
  );
  expect(texts.at(-3)).toBe('\x1b[3A\r\x1b[0JALARM  forgotten\n');
  expect(texts.at(-1)).toBe('\x1b[3A\r\x1b[0J');
});

test.each([60, 80, 140, 200])('no line of the block is wider than %i columns', (columns) => {
  const view = createRunView(
    () => 0,
    () => ({ silentMs: 700_000, callsOpen: 8, triedAgain: 12 }),
  );
  for (const event of [
    stage('look-up', 1_000),
    moved('paid'),
    moved('held'),
    moved('failed'),
    { kind: 'waiting', why: 'what another run may still have on its way must land first', forMs: 7_200_000 },
  ] as const)
    view.take(event);
  const block = progressBlock(view.read(), columns);
  expect(block.length).toBeGreaterThan(3);
  for (const line of block) expect(line.length).toBeLessThan(columns);
});

test('alarms are said at once, even by a quiet run; notices only where more was asked for', () => {
  const events: [number, RunEvent][] = [
    [1, { kind: 'alarm', message: 'forgotten' }],
    [2, { kind: 'notice', message: 'kept' }],
    [9_000, moved('paid')],
  ];
  expect(listened({ ...plain, quiet: true }, events)).toEqual(['ALARM  forgotten']);
  expect(listened({ ...plain, verbose: 1 }, events)).toEqual(['ALARM  forgotten', 'kept', '1 paid']);
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
  expect(listened({ ...plain, verbose: 1 }, events)).toEqual(['payment P001 was looked up', answer]);
  expect(listened({ ...plain, quiet: true }, events)).toEqual([]);
});
