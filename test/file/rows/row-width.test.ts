import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readRows } from '../../../src/pipeline/1-read-rows.ts';
import { collectRows } from '../collect.ts';

const header = 'Staff No,Name,Country,Currency,Phone,Net Pay,Remarks';

async function problemsOf(...lines: readonly string[]) {
  const reading = await readRows(Readable.from([Buffer.from(`${lines.join('\n')}\n`)]));
  const rows = await collectRows(reading);
  return rows.flatMap(({ problems }) =>
    problems.map(({ line, code, message, blocking }) => ({ line, code, message, blocking })),
  );
}

const codes = (problems: readonly { line: number; code: string }[]) =>
  problems.map(({ line, code }) => [line, code]);

describe('a row with more cells than the header', () => {
  test('is refused even if the last cell is empty, where other rows have not as many', async () => {
    const problems = await problemsOf(
      header,
      'E1,Amina Otieno,KE,KES,0712345671,12,500,',
      'E2,John Kamau,KE,KES,0722345672,900,',
    );
    expect(codes(problems)).toEqual([[2, 'row-too-many-cells']]);
    expect(problems[0]?.message).toMatch(/8 cells.*header.* 7.*12,500.*split.*12500.*"12,500"/);
  });

  test('is refused where most rows have one cell more and some have not', async () => {
    const wide = (id: number) => `E${id},Amina Otieno,KE,KES,071234567${id},900,ok,`;
    const problems = await problemsOf(header, wide(1), wide(2), 'E3,John Kamau,KE,KES,0722345673,900,');
    expect(codes(problems)).toEqual([
      [2, 'row-too-many-cells'],
      [3, 'row-too-many-cells'],
    ]);
    expect(problems[0]?.message).toMatch(/one cell more than the header.*12,500.*quotes/);
  });

  test('is sound where every row ends in an empty cell more, as some exports write them', async () => {
    const wide = (id: number) => `E${id},Amina Otieno,KE,KES,071234567${id},9000,ok,`;
    expect(await problemsOf(header, wide(1), wide(2), wide(3), 'Total,,,,,27000,')).toEqual([]);
  });

  test('is refused where every row has the cell more because every amount was split', async () => {
    const problems = await problemsOf(
      header,
      'E1,Amina Otieno,KE,KES,0712345671,12,500,',
      'E2,John Kamau,KE,KES,0722345672,8,250.50,',
    );
    expect(codes(problems)).toEqual([
      [2, 'row-too-many-cells'],
      [3, 'row-too-many-cells'],
    ]);
    expect(problems[1]?.message).toContain('8,250.50');
  });

  test('is refused far below the lines that were read in search of the header', async () => {
    const rows = Array.from(
      { length: 60 },
      (_, id) => `E${id},Amina Otieno,KE,KES,07123456${10 + id},900,ok`,
    );
    const problems = await problemsOf(header, ...rows, 'F1,John Kamau,KE,KES,0722345672,900,ok,');
    expect(codes(problems)).toEqual([[62, 'row-too-many-cells']]);
  });

  test('names an amount of millions whole', async () => {
    const problems = await problemsOf(header, 'E1,Amina Otieno,KE,KES,0712345671,1,250,000.00,ok');
    expect(codes(problems)).toEqual([[2, 'row-too-many-cells']]);
    expect(problems[0]?.message).toContain('1,250,000.00');
    expect(problems[0]?.message).toContain('1250000.00');
  });

  test('says that text which does not belong there can be deleted', async () => {
    const problems = await problemsOf(header, 'E1,Amina Otieno,KE,KES,0712345671,9000,ok,one more');
    expect(problems[0]?.message).toMatch(/"one more".*delete it/);
  });
});

describe('an amount split at its comma in a row that is as long as the header', () => {
  test('is refused where the cell behind it cannot be three digits', async () => {
    const problems = await problemsOf(
      'Staff No,Name,Country,Currency,Net Pay,Phone,Remarks',
      'E1,Amina Otieno,KE,KES,12,500.00,0712345671',
      'E2,John Kamau,KE,KES,900.00,0722345672,ok',
    );
    expect(codes(problems)).toEqual([[2, 'amount-split']]);
    expect(problems[0]?.message).toMatch(/12,500\.00.*Write it as 12500\.00, or in quotes: "12,500\.00"/);
  });

  test('is a warning where the cell behind it may hold three digits', async () => {
    const problems = await problemsOf(
      `${header},Dept`,
      'E1,Amina Otieno,KE,KES,0712345671,12,500,',
      'E2,John Kamau,KE,KES,0722345672,900,,',
    );
    expect(problems).toMatchObject([{ line: 2, code: 'amount-split-perhaps', blocking: false }]);
  });

  test('is not suspected where amounts and the column behind them are plain numbers', async () => {
    const problems = await problemsOf(
      'Staff No,Name,Country,Currency,Phone,Net Pay,Bonus',
      'E1,Amina Otieno,KE,KES,0712345671,900.00,500.00',
      'E2,John Kamau,KE,KES,0722345672,900,500',
      'E3,Mary Wanjiku,KE,KES,0722345673,12500,500.00',
    );
    expect(problems).toEqual([]);
  });

  test('is not suspected in a file that is not separated by commas', async () => {
    const problems = await problemsOf(
      header.replaceAll(',', ';'),
      'E1;Amina Otieno;KE;KES;0712345671;12;500',
    );
    expect(problems).toEqual([]);
  });
});

describe('a row that is not whole', () => {
  test('names everything that is missing at its end, and what to do', async () => {
    const problems = await problemsOf(header, 'E1,Amina Otieno,KE');
    expect(codes(problems)).toEqual([[2, 'row-too-few-cells']]);
    expect(problems[0]?.message).toMatch(/"Currency", "Phone" and "Net Pay".*Fill in.*or delete/);
  });

  test('is one message where a template row was left unfilled', async () => {
    const problems = await problemsOf(
      header,
      'E1,Amina Otieno,KE,KES,0712345671,900,ok',
      ',,KE,KES,,,',
      'E2,John Kamau,KE,KES,0722345672,900,',
    );
    expect(problems).toEqual([
      {
        line: 3,
        code: 'row-unfilled',
        message: 'Line 3 is empty but for Country and Currency. Fill it in, or delete the line.',
        blocking: true,
      },
    ]);
  });
});
