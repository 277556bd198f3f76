import { describe, expect, test } from 'vitest';
import { findHeader } from '../../../src/file/header/find-header.ts';

const linesOf = (...lines: readonly string[]) => lines.map((line) => line.split(','));

describe('the line of column names', () => {
  test.each([
    [
      'is the first of two tables, even where the second has more of them',
      0,
      linesOf(
        'Name,Phone,Amount',
        'A B,0712345678,100',
        'Name,Account No,Bank Code,Amount,Country',
        'C D,01,68,200,KE',
      ),
    ],
    [
      'is not a title that has some of them',
      2,
      linesOf('Currency,KES,,Country,KE', 'Account,01,Amount,500,Currency,KES', 'Name,Phone,Amount'),
    ],
    [
      'is the one with the most of them where none is whole',
      1,
      linesOf('Currency,KES', 'Name,Phone,Department', 'A B,0712345678,Stores'),
    ],
    ['is found when all are misspelt', 0, linesOf('Nmae,Ammount,Phonne', 'A B,100,0712345678')],
    ['is not a line of data', undefined, linesOf('1,A B,0712345678,100', '2,C D,0722345678,200')],
    ['is not a single known word in a title', undefined, linesOf('Bank:,Equity', '1,A B,0712345678')],
  ])('%s', (_, index, lines) => {
    expect(findHeader(lines, [])).toBe(index);
  });

  test('is found by what --map says alone', () => {
    const choices = [
      { header: 'Jina', field: 'accountName' },
      { header: 'Kiasi', field: 'amount' },
    ] as const;
    expect(findHeader(linesOf('Mishahara', 'JINA,kiasi', 'A B,100'), choices)).toBe(1);
  });
});
