import { Writable } from 'node:stream';
import { askAtTerminal, type Terminal } from './ask-at-terminal.ts';

/** An answer that nobody reads over the shoulder, nor later by scrolling back. Empty where the input ended. */
export async function askHidden(question: string, terminal: Terminal): Promise<string> {
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
  terminal.output.write(question);
  const typed = await askAtTerminal('', { ...terminal, output: nowhere }, 'hidden');
  terminal.output.write('\n');
  return typed?.trim() ?? '';
}
