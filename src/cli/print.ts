import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { terminalText } from '../report/terminal-text.ts';

/** A report on stdout. Nothing that came from a file or a service acts on the terminal. */
export function printText(text: string): Promise<void> {
  return printPieces([terminalText(`${text}\n`)]);
}

/** Pieces of one document, as fast as the reader takes them. A reader that has seen enough (`| head`) is no error. */
export async function printPieces(pieces: Iterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(pieces, { objectMode: true }), process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
