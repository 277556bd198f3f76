import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

export interface Watched {
  /** Null where it had to be killed because it did not end. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The most memory that it was seen to take. */
  readonly peakMegabytes: number;
  readonly tookMs: number;
}

export interface WatchOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Readable | undefined;
  readonly limitMs?: number;
}

const program = fileURLToPath(new URL('../../../dist/command/payrun.js', import.meta.url));
const mostOutput = 4 * 1024 * 1024;

/** The real command line, watched from outside: its memory as the kernel counts it, and its time. */
export async function watchPayrun(
  args: readonly string[],
  { cwd, env = {}, input, limitMs = 300_000 }: WatchOptions,
): Promise<Watched> {
  const begunMs = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TZ: 'UTC', ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (stdout.length < mostOutput) stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < mostOutput) stderr += text;
  });
  let peakMegabytes = 0;
  const measuring = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, peakOf(child.pid ?? 0));
  }, 100);
  const killing = setTimeout(() => child.kill('SIGKILL'), limitMs);
  // It may well end before it has read everything: that is what it should do.
  if (input) void pipeline(input, child.stdin).catch(() => undefined);
  else child.stdin.end();
  const exit = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  clearInterval(measuring);
  clearTimeout(killing);
  input?.destroy();
  return { exit, stdout, stderr, peakMegabytes, tookMs: performance.now() - begunMs };
}

function peakOf(pid: number): number {
  try {
    const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    // It has ended, or the system does not tell.
    return 0;
  }
}
