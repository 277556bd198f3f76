import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Country, countries } from '../../../src/domain/reference-data/countries.ts';
import { mayBeNumber, parsedNumber, plainNumber } from '../../../src/domain/row/mobile-number.ts';
import { numberPlan } from '../../../src/domain/row/number-plan.ts';

/** Several countries stand behind the code of the United States: a pattern alone does not tell them apart. */
const decided = countries.filter(({ iso2 }) => iso2 !== 'US');

describe.each(decided)('the pattern of mobile numbers of $iso2', (country) => {
  it('takes no number that the whole parse refuses or reads otherwise', () => {
    const national = nationalExample(country);
    const before = fc.constantFrom(`+${country.dialingCode}`, country.dialingCode, '0', '00', '');
    const near = fc
      .tuple(fc.nat({ max: national.length }), digits(0, 4))
      .map(([at, put]) => national.slice(0, at) + put + national.slice(at + put.length));
    let taken = 0;
    fc.assert(
      fc.property(before, fc.oneof(near, digits(5, 12)), (front, rest) => {
        const plain = plainNumber(`${front}${rest}`, country);
        if (!plain) return;
        taken += 1;
        expect(parsedNumber(`${front}${rest}`, country)).toMatchObject(plain);
      }),
      { numRuns: 2_000 },
    );
    expect(taken).toBeGreaterThan(100);
  });

  it('is at the end of all digits that the whole parse takes, whatever stands in front', () => {
    const national = nationalExample(country);
    const { dialingCode } = country;
    const inFront = [`+${dialingCode}`, dialingCode, `+${dialingCode}0`, `00${dialingCode}`, '000', '0', ''];
    const front = fc.oneof(fc.constantFrom(...inFront), digits(0, 4));
    const near = fc
      .tuple(fc.nat({ max: national.length }), digits(0, 4))
      .map(([at, put]) => national.slice(0, at) + put + national.slice(at));
    let spared = 0;
    fc.assert(
      fc.property(front, fc.oneof(near, digits(5, 14)), fc.constantFrom('', '+'), (before, rest, plus) => {
        const text = `${before.startsWith('+') ? '' : plus}${before}${rest}`;
        if (mayBeNumber(text, country)) return;
        spared += 1;
        expect(parsedNumber(text, country)).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
    expect(spared).toBeGreaterThan(100);
  });

  it('decides a number that is written with the code', () => {
    expect(plainNumber(`+${country.dialingCode}${nationalExample(country)}`, country)).toEqual({
      number: `+${country.dialingCode}${nationalExample(country)}`,
      nationalNumber: nationalExample(country),
    });
  });
});

function nationalExample(country: Country): string {
  return parsedNumber(numberPlan(country).example.replace(/\D/g, ''), country)?.nationalNumber ?? '';
}

function digits(least: number, most: number): fc.Arbitrary<string> {
  const digit = fc.nat({ max: 9 });
  return fc.array(digit, { minLength: least, maxLength: most }).map((each) => each.join(''));
}
