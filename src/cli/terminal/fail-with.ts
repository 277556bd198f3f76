import { maskPayees } from '../../domain/text/mask-numbers.ts';
import { exitCode, PayrunError } from '../../errors.ts';
import { jsonText, terminalText } from '../../report/terminal-text.ts';

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
  process.stderr.write(terminalText(`payrun: ${said}\n`));
  return exit;
}
