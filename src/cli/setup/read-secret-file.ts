import { statSync } from 'node:fs';
import { PayrunError } from '../../errors.ts';
import { readTrustedFile } from '../../storage/trusted-file.ts';
import { sayNotice } from '../terminal/say-notice.ts';

const mostBytes = 64 * 1024;
const readableByOthers = 0o044;

/** The secret in the file that an environment variable names. */
export function readSecretFile(
  variable: string,
  file: string,
  code: 'credentials-missing' | 'webhook-secret-missing' | 'journal-url-invalid',
): string {
  try {
    const secret = readTrustedFile(file, mostBytes).trim();
    const others = (statSync(file).mode & readableByOthers) !== 0;
    if (others) sayNotice(`${file} can be read by others: chmod 600 it.`);
    return secret;
  } catch (error) {
    throw new PayrunError(code, `${variable} cannot be used: ${(error as Error).message}.`);
  }
}
