import { createInterface } from 'node:readline/promises';
import { systemClock } from '../../clock.ts';
import { type ExitCode, exitCode, PayrunError } from '../../errors.ts';
import type { Interrupts } from './interrupts.ts';

/** Where the question is asked and answered, and what may come instead of an answer. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly interrupts: Pick<Interrupts, 'signal' | 'exit'>;
}

/**
 * Undefined where the input ended instead (Ctrl-D). Ctrl-C is no answer either, and has an exit code of its own; nor is a
 * deadline that passes, which is said: whoever comes back finds no question any more.
 */
export async function askAtTerminal(
  question: string,
  terminal: Terminal,
  answer: 'shown' | 'hidden' = 'shown',
): Promise<string | undefined> {
  const { input, output, interrupts } = terminal;
  if (input.isTTY) await discardTyped(input);
  // Told so, it takes the keys itself, and what is typed goes to the output alone: nowhere, where that is nowhere.
  const lines = createInterface({
    input,
    output,
    ...(answer === 'hidden' && { terminal: true, historySize: 0 }),
  });
  const leave = new AbortController();
  let exit: ExitCode | undefined;
  lines.once('SIGINT', () => {
    exit = exitCode.interrupted;
    leave.abort();
  });
  lines.once('close', () => leave.abort());
  try {
    const given = await lines.question(question, {
      signal: AbortSignal.any([leave.signal, interrupts.signal]),
    });
    // What was typed in the same moment is read before the terminal takes Ctrl-C again: a person who thought better of it.
    await new Promise(setImmediate);
    if (exit === undefined) return given;
    throw notConfirmed(exit);
  } catch (error) {
    if (!leave.signal.aborted && !interrupts.signal.aborted) throw error;
    output.write('\n');
    exit ??= interrupts.exit();
    if (exit !== undefined) throw notConfirmed(exit);
    if (!leave.signal.aborted) throw tooLate();
    return undefined;
  } finally {
    lines.close();
  }
}

/** What was typed before the question stood there answers another one. */
async function discardTyped(input: NodeJS.ReadableStream): Promise<void> {
  const ignore = () => undefined;
  input.on('data', ignore);
  input.resume();
  await systemClock.sleep(typedAheadMs);
  input.off('data', ignore);
  input.pause();
}

const typedAheadMs = 50;

function tooLate(): PayrunError {
  return new PayrunError(
    'declined',
    'Not confirmed: the time of --deadline was over before the question was answered. Nothing was accepted and nothing was sent.',
  );
}

function notConfirmed(exit: ExitCode): PayrunError {
  return new PayrunError('declined', 'Not confirmed: nothing was accepted and nothing was sent.', { exit });
}
