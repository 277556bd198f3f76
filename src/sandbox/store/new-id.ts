import { randomBytes } from 'node:crypto';

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const idLength = 20;

let pool = Buffer.alloc(0);
let place = 0;

/** Twenty letters and digits, as the service's samples have them (assumption `id-form`). */
export function newId(): string {
  if (place + idLength > pool.length) {
    pool = randomBytes(idLength * 200);
    place = 0;
  }
  let id = '';
  for (let index = 0; index < idLength; index += 1)
    id += letters[pool.readUInt8(place + index) % letters.length];
  place += idLength;
  return id;
}
