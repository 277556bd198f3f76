import { expect, test } from 'vitest';
import { nubanFits, routingNumberFits } from '../../../src/domain/row/check-digits.ts';

test("the central bank's own example of an account number fits its bank and no other digit does", () => {
  for (let digit = 0; digit <= 9; digit += 1) expect(nubanFits('011', `000001457${digit}`)).toBe(digit === 9);
  expect(nubanFits('058', '0000014579')).toBe(false);
});

test('routing numbers of known banks fit, and with one digit changed they do not', () => {
  for (const number of ['021000021', '026009593', '121000248', '011000015']) {
    expect(routingNumberFits(number)).toBe(true);
    expect(routingNumberFits(`${number.slice(0, 8)}${(Number(number[8]) + 1) % 10}`)).toBe(false);
  }
  expect(routingNumberFits('21000021')).toBe(false);
});
