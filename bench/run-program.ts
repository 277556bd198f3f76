import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Used {
  /** To its end, or to the last that it said. */
  readonly wallMs: number;
  readonly cpuUs: number;
  readonly peakKb: number;
  /** Undefined where no shim can be built. */
  readonly fsyncs: number | undefined;
  readonly exit: number | null;
}

interface RunPlace {
  readonly folder: string;
  readonly origin: string;
  readonly shim: string | undefined;
  readonly fsyncMs?: number | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** It is over once it has said what became of it: closing its files is nothing that anybody waits for. */
  readonly isOverOnceSaid?: boolean | undefined;
  /** Ends that are none of its bugs. */
  readonly mayEndWith?: readonly number[];
}

const usage = new URL('./usage.mjs', import.meta.url).href;

/**
 * Runs a program to its end and says what it took. The shim notices that from outside; what is loaded into the program for it
 * takes as long as half of Node's start, so it is only where there is no shim.
 */
export function runProgram(args: readonly string[], place: RunPlace): Used {
  const { folder, origin, shim, fsyncMs = 0, env = {}, isOverOnceSaid = false, mayEndWith = [0] } = place;
  const told = { usage: join(folder, 'usage.json'), fsyncs: join(folder, 'fsyncs') };
  const isLoaded = shim === undefined;
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, isLoaded ? ['--import', usage, ...args] : args, {
    encoding: 'utf8',
    cwd: folder,
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      PAYRUN_BENCH_USAGE: told.usage,
      PAYRUN_BASE_URL: origin,
      PAYRUN_API_KEY: 'sk_bench',
      PAYRUN_PUBLIC_KEY: 'pk_bench',
      ...env,
      ...(isOverOnceSaid && { PAYRUN_BENCH_SAID: '1' }),
      ...(shim && {
        LD_PRELOAD: shim,
        PAYRUN_BENCH_FSYNCS: told.fsyncs,
        PAYRUN_BENCH_FSYNC_MS: String(fsyncMs),
      }),
    },
  });
  const endedMs = performance.now();
  if (status === null || !mayEndWith.includes(status))
    throw new Error(`${args.join(' ')} ended with ${status}: ${stderr.slice(-2000)}`);
  const used = isLoaded ? fromWithin(told.usage) : fromShim(told.fsyncs);
  const { cpuUs, peakKb, saidMs, fsyncs } = used;
  if (isOverOnceSaid && !saidMs) throw new Error(`${args.join(' ')} said nothing`);
  const wallMs = (isOverOnceSaid && saidMs ? saidMs - performance.timeOrigin : endedMs) - begun;
  return { cpuUs, peakKb, wallMs, fsyncs, exit: status };
}

interface Told {
  readonly cpuUs: number;
  readonly peakKb: number;
  readonly saidMs?: number;
  readonly fsyncs?: number;
}

function fromWithin(path: string): Told {
  return JSON.parse(readFileSync(path, 'utf8')) as Told;
}

function fromShim(path: string): Told {
  const [fsyncs = NaN, cpuUs = NaN, peakKb = NaN, saidUs = 0] = readFileSync(path, 'utf8')
    .split(' ')
    .map(Number);
  return { fsyncs, cpuUs, peakKb, saidMs: saidUs / 1000 };
}

/** What counts and slows fsync; undefined where there is no compiler. */
export function buildShim(folder: string): string | undefined {
  const path = join(folder, 'fsync.so');
  const source = fileURLToPath(new URL('./fsync-shim.c', import.meta.url));
  const built = spawnSync('gcc', ['-shared', '-fPIC', '-O2', '-o', path, source, '-ldl']);
  return built.status === 0 ? path : undefined;
}
