import { PayrunError } from '../../errors.ts';
import { readTrustedFile } from '../../storage/trusted-file.ts';

const mostBytes = 64 * 1024;

/** The secret in the file that an environment variable names. */
export function readSecretFile(
  variable: string,
  file: string,
  code: 'credentials-missing' | 'webhook-secret-missing',
): string {
  try {
    return readTrustedFile(file, mostBytes).trim();
  } catch (error) {
    throw new PayrunError(code, `${variable} cannot be used: ${(error as Error).message}.`);
  }
}
