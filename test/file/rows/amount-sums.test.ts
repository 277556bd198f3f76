import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AmountSums, type DecimalMark } from '../../../src/file/rows/amount-sums.ts';
import { ExactSum } from '../../../src/file/rows/exact-sum.ts';

describe('an exact sum', () => {
  test('is what integers give, for any decimals', () => {
    const amount = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.nat(4));
    fc.assert(
      fc.property(fc.array(amount), (amounts) => {
        const sum = new ExactSum();
        let units = 0n;
        for (const [value, decimals] of amounts) {
          const digits = value.toString().padStart(decimals + 1, '0');
          sum.add(digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals));
          units += value * 10n ** BigInt(4 - decimals);
        }
        const [whole = '', fraction = ''] = sum.toString().split('.');
        expect(BigInt(whole) * 10n ** 4n + BigInt(fraction.padEnd(4, '0'))).toBe(units);
      }),
    );
  });

  test('of a hundred times ten cents is ten, not almost ten', () => {
    const sum = new ExactSum();
    for (let time = 0; time < 100; time += 1) sum.add('0', '10');
    expect(sum.toString()).toBe('10.00');
  });
});

describe('the sums of an amount column', () => {
  const sumsOf = (...texts: readonly string[]) => {
    const sums = new AmountSums();
    for (const text of texts) sums.add(text);
    return sums;
  };

  test.each([
    [['1000', '2000.50'], '3000.50', '3000.50', true, false],
    [['1,200.50', '12,500'], '13700.50', '1213.00', true, false],
    [['1.200,50', '12.500'], '1213.00', '13700.50', false, true],
    [['12,500', '8,250'], '20750', '20.75', false, false],
    [['1 200,50', "1'000"], '2200.50', '2200.50', false, true],
    [['KSh 1,200.50', '500/=', 'abc', ''], '1700.50', '1700.50', true, false],
  ])('of %j are %s with points and %s with commas', (texts, point, comma, pointSeen, commaSeen) => {
    const sums = sumsOf(...texts);
    expect([sums.sum('point').toString(), sums.sum('comma').toString()]).toEqual([point, comma]);
    expect([sums.decimalPointSeen, sums.decimalCommaSeen]).toEqual([pointSeen, commaSeen]);
  });

  test('equal a total in the way that the file shows', () => {
    const isEqual = (sums: AmountSums, total: string, declared: DecimalMark | undefined) =>
      sums.equals(total, sums.marks(declared));
    expect(isEqual(sumsOf('1.000,00', '2.500'), '3.500', undefined)).toBe(true);
    expect(isEqual(sumsOf('1,000.00', '2,500'), '3,500.00', undefined)).toBe(true);
    expect(isEqual(sumsOf('1,000.00', '2,500'), '1,002.50', undefined)).toBe(false);
    expect(isEqual(sumsOf('12,500', '8,250'), '20,750', undefined)).toBe(true);
    expect(isEqual(sumsOf('12,500', '8,250'), '20750', 'comma')).toBe(false);
    expect(isEqual(sumsOf('12,500'), 'n/a', undefined)).toBe(false);
  });
});
