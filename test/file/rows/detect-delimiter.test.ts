import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectDelimiter, firstRecords } from '../../../src/file/rows/detect-delimiter.ts';

describe('the delimiter', () => {
  test.each([
    [
      'the header decides over signs that are as regular',
      'Name|Phone|Amount|Place, town\nA B|1|2|X, Y\nC D|3|4|Z, W\n',
      '|',
    ],
    ['commas inside quotes do not count', '"Name";"Phone";"a,b,c,d"\n"A";"1";"x,y,z,w"\n', ';'],
    ['a separator line says it', 'sep=|\na,b,c\n1,2,3\n', '|'],
    ['a separator line may be quoted', '"sep=;"\r\na,b\r\n', ';'],
    ['without a known header the most regular sign wins', 'a;b;c\nd;e,f;g\nh;i;j\n', ';'],
    ['a single column needs none', 'amount\n1\n2\n', ','],
    ['nothing at all is no reason to stumble', '', ','],
    ['a preview that ends inside quotes is enough', 'Name;Phone;Amount\nA;1;"2\n3;', ';'],
    ['lines may end in a return alone', 'Name\tPhone\tAmount\rA\t1\t2\r', '\t'],
  ])('%s', (_, text, delimiter) => {
    expect(detectDelimiter(text, [])).toBe(delimiter);
  });

  test('is told by headers that --map makes known', () => {
    const text = 'Jina,la mtu;Simu;Kiasi,KES\nA,b;1;2,00\n';
    expect(detectDelimiter(text, [{ header: 'Simu', field: 'phoneNumber' }])).toBe(';');
  });

  test('is looked for in the cells that a parser sees, also where there is nothing to parse', () => {
    const signs = ['a', 'é', '\ufeff', ' ', ',', ',', ';', '\t', '\n', '\r\n', '\r', '\u2028'];
    const plainText = fc.array(fc.constantFrom(...signs), { maxLength: 60 }).map((each) => each.join(''));
    const notBlank = (records: readonly string[][]) => records.filter((cells) => cells.join('') !== '');
    fc.assert(
      fc.property(plainText, fc.constantFrom(',', ';', '\t'), (text, delimiter) => {
        const parsed: string[][] = parse(text, {
          delimiter,
          record_delimiter: ['\r\n', '\n', '\r'],
          relax_column_count: true,
        });
        expect(notBlank(firstRecords(text, delimiter))).toStrictEqual(notBlank(parsed));
      }),
    );
  });
});
