import { statSync } from 'node:fs';
import { PayrunError } from '../../errors.ts';
import { terminalText } from '../../report/terminal-text.ts';
import { readTrustedFile } from '../../storage/trusted-file.ts';

const mostBytes = 64 * 1024;
const readableByOthers = 0o044;

/** The secret in the file that an environment variable names. */
export function readSecretFile(
  variable: string,
  file: string,
  code: 'credentials-missing' | 'webhook-secret-missing',
): string {
  try {
    const secret = readTrustedFile(file, mostBytes).trim();
    const others = (statSync(file).mode & readableByOthers) !== 0;
    if (others) process.stderr.write(terminalText(`${file} can be read by others: chmod 600 it.\n`));
    return secret;
  } catch (error) {
    throw new PayrunError(code, `${variable} cannot be used: ${(error as Error).message}.`);
  }
}
