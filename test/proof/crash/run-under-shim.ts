import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the shim strikes, and how. */
export type ShimOrder =
  | { readonly mode: 'count' }
  | { readonly mode: 'kill' | 'stop'; readonly at: number; readonly when: 'before' | 'after' }
  | {
      readonly mode: 'power';
      readonly at: number;
      readonly when: 'before' | 'after';
      /** What survives is put here, on the same file system. */
      readonly durable: string;
    }
  | {
      readonly mode: 'fail';
      readonly at: number;
      readonly error: 'EIO' | 'ENOSPC';
      readonly lasting: boolean;
    };

export interface UnderShim {
  readonly shim: string;
  /** The disk: only operations on files below it count, and on TCP sockets. */
  readonly disk: string;
  readonly report: string;
  readonly order: ShimOrder;
}

/** How a run ended, whichever way it did. */
export interface EndedRun {
  /** Null for one that was killed. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** It did not end within the bound, and the harness ended it. */
  readonly hung: boolean;
  /** Operations that the shim counted. */
  readonly counted: number;
  /** At which operation the shim struck; undefined where it did not. */
  readonly struck: string | undefined;
  /** A letter for each operation: t of TCP, w a write, s a sync, n a change of names. */
  readonly kinds: string;
}

export interface RunWishes {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly under?: UnderShim | undefined;
  /** The compiled program; default that of this checkout. */
  readonly program?: string | undefined;
  /** After which it counts as hung. */
  readonly longestMs?: number | undefined;
  /** For a harness that has plans with the process. */
  readonly started?: (child: ChildProcess) => void;
}

const ownProgram = fileURLToPath(new URL('../../../dist/command/payrun.js', import.meta.url));
const usualLongestMs = 300_000;

/** The real command line, as a process of its own. */
export async function runUnderShim(args: readonly string[], wishes: RunWishes): Promise<EndedRun> {
  const { cwd, under, program = ownProgram, longestMs = usualLongestMs } = wishes;
  if (under) rmSync(under.report, { force: true });
  const env = {
    PATH: process.env['PATH'],
    HOME: cwd,
    // What goes through a ring is seen by no shim.
    UV_USE_IO_URING: '0',
    ...wishes.env,
    ...(under ? settingsOf(under) : {}),
  };
  const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  wishes.started?.(child);
  let hung = false;
  const limit = setTimeout(() => {
    hung = true;
    child.kill('SIGKILL');
  }, longestMs);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const exit = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  clearTimeout(limit);
  return { exit, ...texts, hung, ...reportOf(under?.report) };
}

function settingsOf({ shim, disk, report, order }: UnderShim): Record<string, string> {
  const common = { LD_PRELOAD: shim, SHIM_FOLDER: disk, SHIM_REPORT: report, SHIM_MODE: order.mode };
  switch (order.mode) {
    case 'count':
      return common;
    case 'kill':
    case 'stop':
      return { ...common, SHIM_AT: String(order.at), SHIM_WHEN: order.when };
    case 'power':
      return { ...common, SHIM_AT: String(order.at), SHIM_WHEN: order.when, SHIM_DURABLE: order.durable };
    case 'fail': {
      const lasting = order.lasting ? '1' : '0';
      return { ...common, SHIM_AT: String(order.at), SHIM_ERROR: order.error, SHIM_LASTING: lasting };
    }
  }
}

/** As shim.c lays it out: two numbers of 64 bits, then two texts that end with a zero. */
export function reportOf(path: string | undefined): Pick<EndedRun, 'counted' | 'struck' | 'kinds'> {
  const bytes = path !== undefined && existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  if (bytes.length === 0) return { counted: 0, struck: undefined, kinds: '' };
  const struck = bytes.readBigInt64LE(8) > 0n ? textAt(bytes, 16) : undefined;
  return { counted: Number(bytes.readBigInt64LE(0)), struck, kinds: textAt(bytes, 256) };
}

function textAt(bytes: Buffer, start: number): string {
  return bytes.subarray(start, bytes.indexOf(0, start)).toString();
}
