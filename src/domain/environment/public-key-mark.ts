import { createHash } from 'node:crypto';

const shortestWithEnding = 16;

/**
 * What a public key is known by, in the journal and to people: its end and a checksum. The key itself is half of what a
 * token is made with, and stands in no file of ours.
 */
export function publicKeyMark(publicKey: string): string {
  if (publicKey === '') return '';
  const sum = createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
  const ending = publicKey.length < shortestWithEnding ? '' : publicKey.slice(-4);
  return `…${ending} (${sum})`;
}
