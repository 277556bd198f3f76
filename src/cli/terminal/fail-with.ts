import { homedir } from 'node:os';
import { maskPayees } from '../../domain/text/mask-numbers.ts';
import { exitCode, PayrunError } from '../../errors.ts';
import { jsonText, terminalText } from '../../report/terminal-text.ts';
import { brokenLines } from './broken-lines.ts';

/**
 * Says what stopped a command, once, and gives the exit code. What we foresaw is said without a stack; a bug with one.
 */
export function failWith(
  error: unknown,
  as: { readonly json: boolean; readonly jsonLines: boolean },
): number {
  const known = error instanceof PayrunError;
  const exit = known ? error.exit : exitCode.unexpected;
  const message = maskPayees(error instanceof Error ? error.message : String(error));
  const document = { error: { code: known ? error.code : 'unexpected', message, exit } };
  if (as.json) process.stdout.write(`${jsonText(document)}\n`);
  if (as.jsonLines) {
    process.stderr.write(`${jsonText({ kind: 'error', ...document })}\n`);
    return exit;
  }
  const stack = error instanceof Error && error.stack ? error.stack : message;
  const said = known ? message : `an unexpected error; run the same command again\n${stack}`;
  const text = terminalText(`payrun: ${said}\n`);
  const { isTTY, columns } = process.stderr;
  // A stack is for whoever mends payrun: it stays as it is.
  process.stderr.write(isTTY && known ? brokenLines(text, columns || 80, pathsKnown()) : text);
  return exit;
}

/** Where a message may have a path with a blank in it from, besides a file that it names in quotes. */
function pathsKnown(): string[] {
  const values = process.argv.slice(2).map((word) => word.replace(/^--[\w-]+=/, ''));
  const env = ['PAYRUN_WORKSPACE', 'XDG_STATE_HOME'].map((name) => process.env[name] ?? '');
  return [...values, ...env, process.cwd(), homedir()];
}
