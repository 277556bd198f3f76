import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readRows } from '../../../src/pipeline/1-read-rows.ts';
import { collectRows } from '../collect.ts';

const head = 'Staff No;Name;Country;Currency;Net Pay;Phone';
const rows = [
  'E1;Amina Otieno;KE;KES;1,000.00;0712345671',
  'E2;Brian Kamau;KE;KES;2,000.00;0712345672',
  'E3;Okello Mukasa;UG;UGX;350,000;0772345672',
  'E4;Carol Njeri;KE;KES;500.50;0712345674',
];

async function read(...lines: readonly string[]) {
  const reading = await readRows(Readable.from([Buffer.from(`${[head, ...lines].join('\n')}\n`)]));
  await collectRows(reading);
  return { totals: reading.facts.controlTotals, problems: reading.problems };
}

describe('a total below a file of several currencies', () => {
  test('is that of the currency in its cell or in its words', async () => {
    const { totals, problems } = await read(...rows, 'TOTAL;;;KES;3,500.50;', 'TOTAL UGX;;;;350,000;');
    expect(problems).toEqual([]);
    expect(totals).toEqual([
      { line: 6, total: '3,500.50', sum: '3500.50', equal: true, currency: 'KES' },
      { line: 7, total: '350,000', sum: '350000', equal: true, currency: 'UGX' },
    ]);
  });

  test('that is not the sum of its currency is told by that sum', async () => {
    const { problems } = await read(...rows, 'TOTAL;;;KES;353,500.50;');
    expect(problems).toMatchObject([{ code: 'total-mismatch', line: 6 }]);
    expect(problems[0]?.message).toContain('the 3 amounts in KES above it add up to 3,500.50.');
  });

  test('that names none is the sum of all amounts; else a person is told how to name one', async () => {
    expect((await read(...rows, 'TOTAL;;;;353,500.50;')).problems).toEqual([]);
    const { problems } = await read(...rows, 'TOTAL;;;;3,500.50;');
    expect(problems[0]?.message).toContain('the 4 amounts above it add up to 353,500.50.');
    expect(problems[0]?.message).toContain('names it in its currency cell');
    expect((await read(...rows, 'TOTAL KES UGX;;;;353,500.50;')).problems).toEqual([]);
  });

  test('is read as the whole file writes its numbers', async () => {
    // 350,000 alone could be 350: that commas part thousands is seen in the other currency.
    expect((await read(...rows, 'TOTAL;;;UGX;350;')).problems).toHaveLength(1);
  });
});

test('with one currency nothing is said of currencies, and what is no amount is counted', async () => {
  const one = [rows[0] ?? '', 'E2;Brian Kamau;KE;KES;-200;0712345672'];
  const { totals, problems } = await read(...one, 'TOTAL;;;KES;800;');
  expect(totals).toEqual([{ line: 4, total: '800', sum: '1000.00', equal: false }]);
  expect(problems.find(({ code }) => code === 'total-mismatch')?.message).toBe(
    'The total on line 4 is 800, but the 2 amounts above it add up to 1,000.00 (1 of them is no amount that can be paid and counts as nothing). A row is missing, doubled or changed: correct the row or the total.',
  );
});
