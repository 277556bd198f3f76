import { vi } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import type { Finished } from './run-payrun.ts';

/** The command line in this process, one command at a time: what it prints, and the exit code that it leaves. */
export async function runInProcess(words: readonly string[]): Promise<Finished> {
  const printed = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text, ...rest) => {
      printed[name] += String(text);
      for (const done of rest) if (typeof done === 'function') done();
      return true;
    }),
  );
  const before = process.exitCode;
  process.exitCode = undefined;
  try {
    await runCommand(words);
    return { exit: Number(process.exitCode ?? 0), ...printed };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
}
