import type { Measured, Scene } from './measure.ts';
import type { ProgramName } from './programs.ts';

/** What everything of a group took in one round, by its name there. */
export type Round = ReadonlyMap<string, Measured>;

/** A program, and how its conditions differ from the group's. */
export interface Variant {
  readonly program: ProgramName;
  readonly scene?: Partial<Scene>;
}

export interface Bar {
  readonly what: string;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** The figure of one round; NaN where it cannot be told here. */
  readonly figure: Figure;
  /** What it would come to if checks took no time: the same of a program that only calls and writes. */
  readonly limit?: Figure;
}

type Figure = (round: Round, scene: Scene) => number;

/** Programs that pay the same file under the same conditions, one after the other, in another order each round. */
export interface Group {
  readonly name: string;
  readonly scene: Scene;
  /** Fewer rows, for a first look. */
  readonly quickRows?: number;
  /** One is enough where nothing is timed, or nothing compared. */
  readonly rounds?: number;
  readonly variants: Readonly<Record<string, Variant>>;
  readonly bars: readonly Bar[];
}

export const groups: readonly Group[] = [
  {
    name: 'at once',
    scene: { rows: 20_000, concurrency: 32, service: {} },
    quickRows: 3_000,
    variants: of('payrun', 'script-undici', 'script-fetch', 'bare-client', 'bare-journal'),
    bars: [
      { what: 'rows/s against script-undici', atLeast: 0.55, ...against('script-undici') },
      { what: 'rows/s against script-fetch', atLeast: 2.6, ...against('script-fetch') },
      { what: 'rows/s against the bare client', atLeast: 0.45, ...against('bare-client') },
      { what: 'commits a row', atMost: 0.3, figure: commitsPerRow },
    ],
  },
  {
    name: '50 ms, 32 at a time',
    scene: { rows: 20_000, concurrency: 32, service: { latencyMs: 50 } },
    quickRows: 1_500,
    variants: of('payrun'),
    bars: [
      { what: 'against the latency ideal', atLeast: 0.93, ...againstLatency() },
      { what: 'commits a row', atMost: 0.6, figure: commitsPerRow },
    ],
  },
  {
    name: '50 ms, 128 at a time',
    scene: { rows: 20_000, concurrency: 128, service: { latencyMs: 50 } },
    quickRows: 3_000,
    variants: of('payrun', 'script-fetch', 'bare-journal'),
    bars: [
      { what: 'against the latency ideal', atLeast: 0.85, ...againstLatency() },
      { what: 'rows/s against script-fetch', atLeast: 1.7, ...against('script-fetch') },
    ],
  },
  {
    name: 'a payroll: 50 ms, 8 at a time',
    scene: { rows: 400, concurrency: 8, service: { latencyMs: 50 }, isOverOnceSaid: true },
    variants: of('payrun'),
    bars: [{ what: 'against the ideal of its calls', atLeast: 0.85, figure: againstIdeal }],
  },
  ...[50, 500].map(
    (callsPerSecond): Group => ({
      name: `${callsPerSecond} calls a second`,
      scene: { rows: callsPerSecond * 8, concurrency: 32, service: { latencyMs: 5, callsPerSecond } },
      quickRows: callsPerSecond * 4,
      variants: of('payrun'),
      bars: [{ what: 'useful calls against the limit', atLeast: 0.95, figure: usefulCalls(callsPerSecond) }],
    }),
  ),
  {
    name: 'calls: new payees',
    rounds: 1,
    scene: { rows: 10_000, concurrency: 32, service: {} },
    quickRows: 4_000,
    variants: of('payrun'),
    bars: [{ what: 'calls a row', atMost: 3.3, figure: callsPerRow }],
  },
  {
    name: 'calls: payees and names known',
    rounds: 1,
    scene: { rows: 10_000, concurrency: 32, service: {} },
    quickRows: 4_000,
    variants: { payrun: { program: 'payrun, payees known' } },
    bars: [{ what: 'calls a row', atMost: 1.3, figure: callsPerRow }],
  },
  {
    name: '5 ms fsync, 50 ms, 32 at a time',
    // Of a smaller batch every payout is looked up first, which is measured apart.
    scene: { rows: 4_000, concurrency: 32, service: { latencyMs: 50 }, fsyncMs: 5 },
    quickRows: 500,
    variants: of('payrun', 'commit-per-step'),
    bars: [{ what: 'rows/s against commit-per-step', atLeast: 5, ...against('commit-per-step') }],
  },
  {
    name: 'one call in fifty answered 429, 20 ms',
    scene: { rows: 2_000, concurrency: 32, service: { latencyMs: 20 } },
    quickRows: 600,
    variants: {
      payrun: { program: 'payrun', scene: { service: { latencyMs: 20, tooManyOneIn: 50 } } },
      undisturbed: { program: 'payrun' },
    },
    bars: [{ what: 'rows/s against the same without', atLeast: 0.4, ...against('undisturbed') }],
  },
  {
    name: 'a durable queue, at once',
    scene: { rows: 4_000, concurrency: 32, service: {} },
    quickRows: 500,
    variants: of('payrun', 'bullmq', 'dbos', 'bare-journal'),
    bars: [
      { what: 'rows/s against BullMQ', atLeast: 1.5, ...against('bullmq') },
      { what: 'rows/s against DBOS', atLeast: 10, ...against('dbos') },
    ],
  },
  {
    name: 'growth',
    rounds: 1,
    scene: { rows: 3_000, concurrency: 32, service: { latencyMs: 50 } },
    quickRows: 300,
    variants: {
      '32 at a time, 50 ms': { program: 'payrun' },
      '32 at a time, 10 ms': { program: 'payrun', scene: { service: { latencyMs: 10 } } },
      '32 at a time, 150 ms': { program: 'payrun', scene: { service: { latencyMs: 150 } } },
      '8 at a time, 50 ms': { program: 'payrun', scene: { concurrency: 8 } },
      '128 at a time, 50 ms': { program: 'payrun', scene: { concurrency: 128 } },
      '32 at a time, 50 ms, 5 ms fsync': { program: 'payrun', scene: { fsyncMs: 5 } },
      '32 at a time, 50 ms, 20 ms fsync': { program: 'payrun', scene: { fsyncMs: 20 } },
    },
    bars: [],
  },
  {
    name: 'validate',
    scene: { rows: 300_000, concurrency: 1, service: {} },
    quickRows: 50_000,
    variants: { payrun: { program: 'validate' }, 'csv-parse': { program: 'csv-parse' } },
    bars: [{ what: 'rows/s against bare csv-parse', atLeast: 0.2, ...against('csv-parse') }],
  },
  {
    name: 'start-up',
    scene: { rows: 12, concurrency: 1, service: {} },
    variants: of('node', '--version', '--help', 'validate', 'status'),
    bars: [
      { what: '--version against node', atMost: 1.9, figure: startUp('--version') },
      { what: '--help against node', atMost: 2.5, figure: startUp('--help') },
      { what: 'validate of 12 rows against node', atMost: 4, figure: startUp('validate') },
      { what: 'status against node', atMost: 3, figure: startUp('status') },
    ],
  },
];

function of(...names: readonly ProgramName[]): Group['variants'] {
  return Object.fromEntries(names.map((name) => [name, { program: name }]));
}

function taken(round: Round, name: string): Measured {
  const measured = round.get(name);
  if (!measured) throw new Error(`${name} was not measured`);
  return measured;
}

function against(other: string): Pick<Bar, 'figure' | 'limit'> {
  return ofPayrunAndLimit(
    (rowsPerSecond, round) => rowsPerSecond / (round.get(other)?.rowsPerSecond ?? Number.NaN),
  );
}

function ofPayrunAndLimit(
  figure: (rowsPerSecond: number, round: Round, scene: Scene) => number,
): Pick<Bar, 'figure' | 'limit'> {
  return {
    figure: (round, scene) => figure(taken(round, 'payrun').rowsPerSecond, round, scene),
    limit: (round, scene) => figure(round.get('bare-journal')?.rowsPerSecond ?? Number.NaN, round, scene),
  };
}

function startUp(name: string): Bar['figure'] {
  return (round) => taken(round, name).wallMs / taken(round, 'node').wallMs;
}

/** Of a program that makes the calls of a row one after the other, as the scripts do, and is never busy itself. */
function againstLatency(): Pick<Bar, 'figure' | 'limit'> {
  return ofPayrunAndLimit(
    (rowsPerSecond, _, { concurrency, service: { latencyMs = 0 } }) =>
      rowsPerSecond / ((concurrency * 1000) / (callsOfScripts * latencyMs)),
  );
}

const callsOfScripts = 4;

/** So long would its calls take if nothing else took any time: all of them, so many at a time. */
function againstIdeal(round: Round, { concurrency, service: { latencyMs = 0 } }: Scene): number {
  const { calls, wallMs } = taken(round, 'payrun');
  return (calls * latencyMs) / concurrency / wallMs;
}

function callsPerRow(round: Round, { rows }: Scene): number {
  return taken(round, 'payrun').calls / rows;
}

function commitsPerRow(round: Round, { rows }: Scene): number {
  return (taken(round, 'payrun').fsyncs ?? Number.NaN) / rows;
}

/** The bucket is full at the beginning: that second is given. */
function usefulCalls(callsPerSecond: number): Bar['figure'] {
  return (round) => {
    const { useful, spanMs } = taken(round, 'payrun');
    return useful / (callsPerSecond * (1 + spanMs / 1000));
  };
}
