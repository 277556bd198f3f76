import { randomBytes } from 'node:crypto';

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const idLength = 20;

/** Twenty letters and digits, as the service's samples have them (assumption `id-form`). */
export function newId(): string {
  let id = '';
  for (const byte of randomBytes(idLength)) id += letters[byte % letters.length];
  return id;
}
