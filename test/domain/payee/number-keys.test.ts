import { expect, test } from 'vitest';
import { numberKeys } from '../../../src/domain/payee/number-keys.ts';

test('one number has a key in common with itself, however it is written, and none with another', () => {
  const keysOf = (number: string) => new Set(numberKeys(number, 'KE'));
  const first = keysOf('0712 345678');
  for (const number of ['254712345678', '+254712345678', '+254 (0)712-345-678', '712345678'])
    expect(
      [...keysOf(number)].some((key) => first.has(key)),
      number,
    ).toBe(true);
  expect([...keysOf('0712 345679')].some((key) => first.has(key))).toBe(false);
});
