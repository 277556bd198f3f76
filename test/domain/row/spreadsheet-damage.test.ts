import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDateLike } from '../../../src/domain/row/spreadsheet-damage.ts';
import { bankRow, codesOf, judgeRow, mobileRow } from './judge-row.ts';

describe('cells that hold no value', () => {
  test.each(['#####', '##', '#REF!', '#N/A', '#VALUE!', '#NAME?', '#DIV/0!', '#VALEUR!', 'Err:502'])(
    '%s is refused in every column that counts, and is the only thing said of it',
    (text) => {
      for (const field of [
        'paymentId',
        'accountName',
        'country',
        'currency',
        'amount',
        'phoneNumber',
      ] as const) {
        expect(codesOf(judgeRow({ ...mobileRow, [field]: text }))).toEqual(['spreadsheet-error']);
      }
      for (const field of [
        'accountNumber',
        'bankCode',
        'branchCode',
        'debitCurrency',
        'debitCountry',
      ] as const) {
        expect(codesOf(judgeRow({ ...bankRow, [field]: text }))).toEqual(['spreadsheet-error']);
      }
    },
  );

  test('the message says what to do in the spreadsheet', () => {
    expect(judgeRow({ ...mobileRow, amount: '#####' }).problems[0]?.message).toContain('Widen the column');
    expect(judgeRow({ ...mobileRow, amount: '#REF!' }).problems[0]?.message).toContain('Correct the formula');
    expect(judgeRow({ ...mobileRow, phoneNumber: '2.54708E+11' }).problems[0]?.message).toContain(
      'Format the column as text',
    );
  });

  test('a number sign in ordinary text is no error value', () => {
    expect(codesOf(judgeRow({ ...mobileRow, paymentId: '#17' }))).toEqual([]);
  });

  test('formulas are refused, text written as a formula is not', () => {
    expect(codesOf(judgeRow({ ...mobileRow, accountName: '=CONCAT(A1;B1)' }))).toEqual(['formula']);
    expect(codesOf(judgeRow({ ...mobileRow, accountName: '@SUM(A1)' }))).toEqual(['formula']);
    expect(codesOf(judgeRow({ ...mobileRow, accountName: '@Mary Wanjiku' }))).toEqual([]);
    expect(codesOf(judgeRow({ ...mobileRow, paymentId: '="00017"' }))).toEqual(['text-mark']);
    expect(judgeRow({ ...mobileRow, paymentId: '="00017"' }).row?.paymentId).toBe('00017');
    expect(codesOf(judgeRow({ ...mobileRow, accountName: '="Mary"' }))).toEqual(['formula']);
  });

  test('control characters and cells of endless text are refused', () => {
    expect(codesOf(judgeRow({ ...mobileRow, accountName: 'Mary\u0000Kamau' }))).toEqual([
      'control-characters',
    ]);
    expect(codesOf(judgeRow({ ...mobileRow, accountName: `Mary ${'x'.repeat(100_000)}` }))).toEqual([
      'cell-too-long',
    ]);
    expect(codesOf(judgeRow({ ...mobileRow, debitCurrency: `${'\u200b'.repeat(5000)}USD` }))).toEqual([
      'cell-too-long',
    ]);
    expect(judgeRow({ ...mobileRow, debitCurrency: ' '.repeat(100_000) }).problems).toEqual([]);
  });
});

test('a text mark that holds nothing leaves an empty cell', () => {
  expect(codesOf(judgeRow({ ...mobileRow, paymentId: '=""' }))).toEqual(['payment-id-missing']);
});

test('what a text mark holds is judged like any cell', () => {
  expect(codesOf(judgeRow({ ...mobileRow, paymentId: '="=A1"' }))).toEqual(['formula']);
  expect(codesOf(judgeRow({ ...mobileRow, paymentId: '="#N/A"' }))).toEqual(['spreadsheet-error']);
  expect(codesOf(judgeRow({ ...mobileRow, paymentId: "'N/A" }))).toEqual(['payment-id-missing']);
  expect(judgeRow({ ...mobileRow, paymentId: "''17" }).row?.paymentId).toBe('17');
  expect(judgeRow({ ...mobileRow, paymentId: '="17.0"' }).row?.paymentId).toBe('17');
});

test('repairs say what was there and what was made of it, under the header of the file', () => {
  const { repairs } = judgeRow(
    { ...mobileRow, phoneNumber: '254712345678.0' },
    { columns: { phoneNumber: 'Mobile No' } },
  );
  expect(repairs).toEqual([
    {
      line: 7,
      column: 'Mobile No',
      code: 'trailing-zero',
      message: 'A spreadsheet added .0 to the number: read as 254712345678.',
      from: '254712345678.0',
      to: '254712345678',
    },
  ]);
});

test.each([
  '12-Mar',
  'Mar-12',
  '12 March 2026',
  '12-mar-26',
  '2026-03-12',
  '12/03/2026',
  '3/12/26',
  '2026-03-12 00:00:00',
  'Sep-1',
])('%s looks like a date', (text) => {
  expect(isDateLike(text)).toBe(true);
});

test.each(['EMP-12', 'Mary-12', '12-3', '12345678', '2026-13-12', 'Marching-12', 'INV/2026/03'])(
  '%s does not look like a date',
  (text) => {
    expect(isDateLike(text)).toBe(false);
  },
);

/** Cells are first looked at in short: whatever a pattern of damage finds must still reach it. */
describe('no damage is passed over, however it is written', () => {
  const upperOrLower = (text: string) =>
    fc.mixedCase(fc.constant(text), { toggleCase: (sign) => sign.toLowerCase() });
  const digits = (least: number, most: number) =>
    fc
      .array(fc.constantFrom(...'123456789'), { minLength: least, maxLength: most })
      .map((each) => each.join(''));
  const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((each) => each.join(''));
  const point = fc.constantFrom('.', ',');

  test.each([
    ['an error', 'accountName', upperOrLower('#NAME?'), 'spreadsheet-error'],
    ['an error of LibreOffice', 'country', joined(upperOrLower('ERR:'), digits(3, 3)), 'spreadsheet-error'],
    ['hashes', 'amount', fc.nat(20).map((more) => `##${'#'.repeat(more)}`), 'spreadsheet-error'],
    ['a formula', 'accountName', fc.string().map((rest) => `=x${rest}`), 'formula'],
    ['a formula of old', 'accountName', joined(upperOrLower('@SUM('), fc.string()), 'formula'],
    [
      'an exponent',
      'paymentId',
      joined(digits(1, 1), point, digits(1, 6), fc.constantFrom('E+', 'e'), digits(1, 3)),
      'scientific-notation',
    ],
    [
      'an exponent of one digit',
      'paymentId',
      joined(digits(1, 1), fc.constantFrom('E+', 'e+'), digits(1, 3)),
      'scientific-notation',
    ],
    [
      'a zero behind a point',
      'paymentId',
      joined(digits(1, 9), point, fc.constantFrom('0', '00')),
      'trailing-zero',
    ],
    ['groups', 'phoneNumber', fc.constantFrom('254,712,345,678', '712,345,678'), 'digit-grouping'],
  ] as const)('%s', (_, field, text, code) => {
    fc.assert(
      fc.property(text, (cell) => {
        expect(codesOf(judgeRow({ ...mobileRow, [field]: cell }))).toContain(code);
      }),
    );
  });
});
