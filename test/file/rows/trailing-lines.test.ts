import { describe, expect, test } from 'vitest';
import { countsIn, TrailingLines } from '../../../src/file/rows/trailing-lines.ts';

const lines = new TrailingLines(
  new Map([
    ['paymentId', 0],
    ['accountName', 1],
    ['phoneNumber', 2],
    ['amount', 3],
  ]),
  6,
);

describe('a line below the table', () => {
  test.each([
    ['total', 'Total,,,100.00'],
    ['total', 'GRAND TOTAL:,,,"'],
    ['total', ',Sub-Total,,100.00'],
    ['total', 'Total net pay,,,KES 100'],
    ['total', 'TOTAL (KES),,,100'],
    ['total', 'Jumla kuu,,,100'],
    ['total', 'Total général,,,100'],
    ['total', ',,,100.00,250.00,12'],
    ['count', 'Number of employees: 12,,,'],
    ['count', 'Total records,12,,'],
    ['count', 'No. of payments,,,12'],
    ['footer', 'Prepared by: Jane Wanjiru'],
    ['footer', ',,Approved by,'],
    ['footer', 'Date: 30/11/2026'],
    ['footer', 'Date:,,30/11/2026,'],
    ['footer', 'Page 1 of 3'],
    ['footer', '*** End of report ***'],
    [undefined, 'Total Kenya PLC,,,100.00'],
    [undefined, 'Total,,+254712345678,100.00'],
    [undefined, '12,Jane Wanjiru,,100.00'],
    [undefined, '12,,,100.00'],
    [undefined, ',Jane Wanjiru,,100.00'],
    [undefined, 'Jane Wanjiru,,,'],
    [undefined, '12,Jane Page,0712345678,'],
    [undefined, 'E1,Summer Atieno,,50'],
  ])('is %s: %s', (kind, text) => {
    expect(lines.kindOf(text.replace('"', '100').split(','), false)).toBe(kind);
  });

  test('is a footer by its place alone where others stand above it, unless it could be a payment', () => {
    expect(lines.kindOf(['Jane Wanjiru', '', '', ''], true)).toBe('footer');
    expect(lines.kindOf(['12', 'Jane Wanjiru', '', ''], true)).toBeUndefined();
    expect(lines.kindOf(['Jane', 'Wanjiru', 'CFO', '', 'x', 'y'], true)).toBeUndefined();
    expect(lines.kindOf(['Jane Wanjiru', '', '0712345678', ''], true)).toBeUndefined();
  });

  test('counts in whichever cell the number stands', () => {
    expect(countsIn(['Number of employees: 12', '', '3'])).toEqual([12, 3]);
    expect(countsIn(['Total staff', '1,200.50'])).toEqual([]);
  });
});
