import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import type { Finished } from './run-payrun.ts';

export interface HereOptions {
  /** The folder that it is called in. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What standard input holds. */
  readonly input?: string;
  /** Is told what was written to stdout so far, each time. */
  readonly onStdout?: (text: string) => void;
}

let isRunning = false;

/** The command line in this process: half a second less than in one of its own. One at a time. */
export async function runHere(words: readonly string[], options: HereOptions = {}): Promise<Finished> {
  if (isRunning) throw new Error('what runs at once needs processes of its own');
  isRunning = true;
  const { env, exitCode } = process;
  const cwd = process.cwd();
  if (options.cwd !== undefined) process.chdir(options.cwd);
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin');
  const said = { stdout: '', stderr: '' };
  const streams = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((...written: unknown[]) => {
      said[name] += String(written[0]);
      if (name === 'stdout') options.onStdout?.(said.stdout);
      const done = written.find((each) => typeof each === 'function');
      if (done) queueMicrotask(() => done());
      return true;
    }),
  );
  process.env = { PATH: env['PATH'], HOME: '/nonexistent', TZ: 'UTC', ...options.env };
  Object.defineProperty(process, 'stdin', {
    value: Readable.from([Buffer.from(options.input ?? '')]),
    configurable: true,
  });
  process.exitCode = undefined;
  try {
    await runCommand(words);
    return { exit: Number(process.exitCode ?? 0), ...said };
  } finally {
    isRunning = false;
    process.chdir(cwd);
    process.env = env;
    process.exitCode = exitCode;
    if (stdin) Object.defineProperty(process, 'stdin', stdin);
    for (const stream of streams) stream.mockRestore();
  }
}
