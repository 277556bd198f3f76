import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberKeys, numberTail } from '../../../src/domain/payee/number-keys.ts';
import { countries } from '../../../src/domain/reference-data/countries.ts';
import { numberPlan } from '../../../src/domain/row/number-plan.ts';

test('one number has a key in common with itself, however it is written', () => {
  const [first, ...others] = ['0712 345678', '254712345678', '+254712345678', '+254 (0)712-345-678'].map(
    (number) => new Set(numberKeys(number, 'KE')),
  );
  for (const keys of others) expect([...keys].some((key) => first?.has(key))).toBe(true);
  expect(numberTail('07 12')).toBe('712');
});

describe.each(countries)('the tail of a number of $iso2', (country) => {
  test('is that of all its keys, whatever stands in front and between', () => {
    const plan = numberPlan(country);
    const digit = fc.nat({ max: 9 }).map(String);
    const digits = (minLength: number, maxLength: number) =>
      fc.array(digit, { minLength, maxLength }).map((each) => each.join(''));
    const between = fc.constantFrom('', '', '', ' ', '-', '.', ' (', ') ', 'A', '–', '٣', 'ext');
    const front = fc.constantFrom('', '0', '00', `+${plan.dialingCode}`, plan.dialingCode, '(0)', ' ');
    const near = fc.oneof(
      digits(0, 4).map((end) => numberLike(plan.example.replace(/\D/g, ''), end)),
      digits(0, 16),
    );
    let several = 0;
    fc.assert(
      fc.property(front, near, fc.array(between, { maxLength: 4 }), (before, rest, marks) => {
        const spread = [...rest].map((each, at) => `${marks[at % 4] ?? ''}${each}`).join('');
        const number = `${before}${spread}`;
        const tail = numberTail(number);
        if (tail === '') return;
        const keys = numberKeys(number, country.iso2);
        if (keys.length > 1) several += 1;
        expect(new Set(keys.map(numberTail))).toEqual(new Set([tail]));
      }),
      { numRuns: 1_000 },
    );
    expect(several).toBeGreaterThan(20);
  });
});

function numberLike(example: string, end: string): string {
  return example.slice(0, example.length - end.length) + end;
}
