import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const payrunPath = fileURLToPath(new URL('../../dist/command/payrun.js', import.meta.url));

export interface Finished {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface SpawnWishes {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What stands before the command, and becomes it. */
  readonly under?: readonly string[];
}

/** The real command line, as a process of its own. */
export function spawnPayrun(
  args: readonly string[],
  { under = [], ...options }: SpawnWishes = {},
): ChildProcessWithoutNullStreams {
  const env = { PATH: process.env['PATH'], HOME: options.cwd ?? process.env['HOME'], ...options.env };
  const [command = '', ...words] = [...under, process.execPath, payrunPath, ...args];
  return spawn(command, words, { ...options, env });
}

export function runPayrun(...parameters: Parameters<typeof spawnPayrun>): Promise<Finished> {
  const child = spawnPayrun(...parameters);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.end();
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit) => resolve({ exit, stdout, stderr }));
  });
}
