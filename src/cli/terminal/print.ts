import { PayrunError } from '../../errors.ts';
import { terminalText } from '../../report/terminal-text.ts';

/** A report on stdout. Nothing that came from a file or a service acts on the terminal. */
export async function printText(text: string): Promise<void> {
  await printPieces([await shown(`${text}\n`, process.stdout)]);
}

/** What breaks lines and has colours is loaded only where somebody looks. */
async function shown(text: string, stream: { readonly isTTY?: boolean | undefined }): Promise<string> {
  if (stream.isTTY !== true && !process.env['FORCE_COLOR']) return terminalText(text);
  return (await import('./styled-text.ts')).styledText(text, stream);
}

/** Pieces of one document, as fast as the reader takes them. */
export function printPieces(pieces: Iterable<string>): Promise<void> {
  return toStdout(async () => {
    for (const piece of pieces) await written(piece);
  });
}

/** By hand: what Node has for it takes longer to load than a short report to make. Once it failed, it may fail again. */
function written(piece: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const { stdout } = process;
    stdout.on('error', reject);
    stdout.write(piece, (error) => {
      if (error) return reject(error);
      stdout.off('error', reject);
      resolve();
    });
  });
}

/** A reader that has seen enough (`| head`) is no error; a disk that is full is one that is foreseen. */
export async function toStdout(print: () => Promise<unknown>): Promise<void> {
  try {
    await print();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EPIPE') return;
    if (code !== 'ENOSPC' && code !== 'EIO') throw error;
    throw new PayrunError(
      'output-not-written',
      `The report could not be written to standard output (${code}). The journal is safe: payrun status and payrun results print it again.`,
      { cause: error },
    );
  }
}

/** Nobody who listens is a reason to stop a payroll: a terminal that was closed, a log on a full disk. */
export function outliveStderr(): void {
  process.stderr.on('error', () => undefined);
}
