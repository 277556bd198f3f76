import { X509Certificate } from 'node:crypto';
import { PayrunError } from '../../errors.ts';
import { readTrustedFile } from '../../storage/trusted-file.ts';

const mostBytes = 1024 * 1024;
const begin = '-----BEGIN CERTIFICATE-----';
const end = '-----END CERTIFICATE-----';

/** The certificates of the private authority that PAYRUN_CA_FILE names, as PEM; undefined where it names none. */
export function readCaFile(): string | undefined {
  const file = process.env['PAYRUN_CA_FILE'];
  if (file === undefined || file === '') return undefined;
  try {
    return certificatesIn(file, readTrustedFile(file, mostBytes));
  } catch (error) {
    throw new PayrunError('ca-file-invalid', `PAYRUN_CA_FILE cannot be used: ${(error as Error).message}.`);
  }
}

/** What else stands in the file, such as a note or a key, is left out. Never quoted: it may be a secret. */
function certificatesIn(file: string, text: string): string {
  const blocks = text
    .split(begin)
    .slice(1)
    .map((rest) => `${begin}${rest.slice(0, Math.max(0, rest.indexOf(end)))}${end}\n`);
  if (blocks.length === 0) throw new Error(`${file} holds no certificate (PEM, "${begin}")`);
  for (const [index, block] of blocks.entries()) {
    if (!isCertificate(block)) throw new Error(`certificate ${index + 1} in ${file} is damaged`);
  }
  return blocks.join('');
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
