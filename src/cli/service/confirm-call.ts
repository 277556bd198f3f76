import { PayrunError } from '../../errors.ts';
import { terminalText } from '../../report/terminal-text.ts';
import { askAtTerminal, type Terminal } from '../terminal/ask-at-terminal.ts';

/** Before anything is read or asked: without a person and without --yes it ends here. */
export function refuseUnconfirmed(): void {
  if (isAtTerminal()) return;
  throw new PayrunError(
    'not-confirmed',
    'This changes something at the service, and there is nobody at a terminal to confirm it. Add --yes.',
  );
}

/** Says what will be changed, and has a whole yes typed in where the service is a real one. */
export async function confirmCall(changes: string, asks: boolean, terminal = ownTerminal()): Promise<void> {
  terminal.output.write(terminalText(`${changes}\n`));
  if (!asks) return;
  const typed = await askAtTerminal('Type yes to do it: ', terminal);
  if (typed?.trim().toLowerCase() === 'yes') return;
  throw new PayrunError('declined', 'Not confirmed: nothing was sent.');
}

export function isAtTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

export function ownTerminal(): Terminal {
  const interrupts = { signal: new AbortController().signal, exit: () => undefined };
  return { input: process.stdin, output: process.stderr, interrupts };
}
