import type { Clock } from '../../clock.ts';
import { type ExitCode, exitCode } from '../../errors.ts';
import type { ListedBatch } from '../../index.ts';
import { terminalText } from '../../report/terminal-text.ts';

interface Watching {
  readonly read: () => Promise<ListedBatch | undefined>;
  readonly show: (listed: ListedBatch) => string;
  readonly stdout: { readonly isTTY?: boolean; write(text: string): unknown };
  readonly clock: Pick<Clock, 'sleep' | 'monotonicMs'>;
  /** Aborted: nobody watches any more. */
  readonly signal: AbortSignal;
}

const leastPauseMs = 1_000;
/** A long batch takes a while to count: most of the time is for the run that works on it. */
const pauseForEachMs = 4;

/** Shows a batch until it has ended, in one place of a terminal, or anew whenever it has changed. Gives its exit code. */
export async function watchBatch({ read, show, stdout, clock, signal }: Watching): Promise<ExitCode> {
  let shown = '';
  for (;;) {
    const begunMs = clock.monotonicMs();
    const listed = await read();
    if (!listed) return exitCode.ok;
    const text = `${terminalText(show(listed))}\n`;
    if (text !== shown) stdout.write(stdout.isTTY ? `${upOver(shown)}${text}` : text);
    shown = text;
    if (listed.overdue === 0 || signal.aborted) return listed.exit;
    const tookMs = clock.monotonicMs() - begunMs;
    await clock.sleep(Math.max(leastPauseMs, tookMs * pauseForEachMs), signal);
  }
}

/** Back to where the block began, with nothing of it left, nor of what a key has echoed behind it. */
function upOver(block: string): string {
  const lines = block.split('\n').length - 1;
  return lines === 0 ? '' : `\r\u001b[${lines}A\u001b[0J`;
}
