import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decimalFromMinor,
  jsonNumberFromMinor,
  minorFromDecimal,
  minorFromReply,
} from '../../../src/domain/money/money.ts';

const minor = fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n });
const decimals = fc.constantFrom(0, 2, 3);

describe('money', () => {
  test('an amount of up to fifteen digits travels as a JSON number and comes back exactly', () => {
    fc.assert(
      fc.property(minor, decimals, (amount, places) => {
        const text = JSON.stringify({ amount: jsonNumberFromMinor(amount, places) });
        expect(text).not.toMatch(/[0-9]e/i);
        expect(minorFromReply(JSON.parse(text).amount, places)).toBe(amount);
        // The text itself is the amount: no other reader could see anything else.
        const written = /:(-?[0-9.]+)}/.exec(text)?.[1] ?? '';
        expect(minorFromDecimal(written, places)).toBe(amount);
      }),
      { numRuns: 2000 },
    );
  });

  test('a longer amount is a bug of the caller', () => {
    expect(() => jsonNumberFromMinor(10n ** 15n, 2)).toThrow(/15 digits/);
  });

  test('decimal text is read exactly or not at all', () => {
    expect(minorFromDecimal('1250.50', 2)).toBe(125050n);
    expect(minorFromDecimal('1250.5', 2)).toBe(125050n);
    expect(minorFromDecimal('0.1', 2)).toBe(10n);
    expect(minorFromDecimal('-0.01', 2)).toBe(-1n);
    expect(minorFromDecimal('1250.500', 2)).toBe(125050n);
    for (const text of ['1250.505', '1,250', '1e3', '', ' 1', '1.', '.5', '0x10', '１']) {
      expect(minorFromDecimal(text, 2), text).toBeUndefined();
    }
    expect(minorFromDecimal('1250.5', 0)).toBeUndefined();
    expect(minorFromDecimal('1250.00', 0)).toBe(1250n);
  });

  test('minor units are shown with exactly the decimals of the currency', () => {
    expect(decimalFromMinor(5n, 2)).toBe('0.05');
    expect(decimalFromMinor(-5n, 2)).toBe('-0.05');
    expect(decimalFromMinor(125050n, 2)).toBe('1250.50');
    expect(decimalFromMinor(1250n, 0)).toBe('1250');
  });

  test('replies are compared as decimals, be they numbers or text', () => {
    expect(minorFromReply(1250.5, 2)).toBe(125050n);
    expect(minorFromReply('1250.50', 2)).toBe(125050n);
    expect(minorFromReply(0.1 + 0.2, 2)).toBeUndefined();
    expect(minorFromReply(1e21, 2)).toBeUndefined();
    expect(minorFromReply(Number.NaN, 2)).toBeUndefined();
  });
});
