import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { neutralise, removeMark } from '../../../src/domain/text/formula-mark.ts';

describe('the mark against formulas', () => {
  test.each([
    '=1+1',
    '+SUM(A1)',
    '-2+3+cmd',
    '@SUM(A1)',
    '\tx',
    '\rx',
    '\nx',
    '＝1+1',
    '＋1',
    "'=1+1",
    '-A1',
    '+',
    '-',
  ])('stands in front of %j', (text) => {
    expect(neutralise(text)).toBe(`'${text}`);
  });

  test.each([
    '+254712345678',
    '+254 712 345 678',
    '+254-712-345-678',
    '+(254) 712.345.678',
    '-1,250.50',
    '+1250',
    '-1.5E+10',
    "'0712345678",
    "'+254712345678",
    'Wanjiku Kamau',
    "O'Brien",
    '',
  ])('harms neither numbers nor plain text: %j', (text) => {
    expect(neutralise(text)).toBe(text);
    expect(removeMark(text)).toBe(text);
  });

  test('is taken away again from any text whatever', () => {
    const beginnings = fc.stringMatching(/^['=+\-@\t\r\n＝0-9 .a]{0,4}$/);
    fc.assert(
      fc.property(beginnings, fc.string({ unit: 'binary' }), (beginning, rest) => {
        const text = beginning + rest;
        expect(removeMark(neutralise(text))).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  test('leaves no text that a spreadsheet would run', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^['=+\-@\t]{0,3}[A-Z(=]{1,5}/), (text) => {
        expect(neutralise(text)).not.toMatch(/^[=+\-@\t\r\n]/);
      }),
    );
  });
});
