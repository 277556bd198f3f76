import fc from 'fast-check';
import type { HostileFile } from './judge-file.ts';

/** Payrolls written in every way that payrun says it reads, which are sound by the way they are made. */
export function soundFiles(seed: number, count: number): HostileFile[] {
  return fc
    .sample(payroll, { seed, numRuns: count })
    .map((made, index) => ({ ...fileOf(made), replay: `sound file ${index} of seed ${seed}`, sound: true }));
}

const names = [
  'Amina Otieno',
  'Ngũgĩ wa Thiong’o',
  'Zoë O’Brien',
  'Ɓala Ɗan-Asabe',
  'Nguyễn Văn An',
] as const;
/** Text of a column that is no field of ours: whatever people write. */
const remarks = [
  '',
  'ok',
  'a, b; c',
  'two\nlines',
  'say "hi"',
  'x|y\tz',
  '100%',
  '#1',
  'Total',
  'é',
] as const;

const payroll = fc.record({
  rows: fc.array(
    fc.record({
      name: fc.constantFrom(...names),
      cents: fc.integer({ min: 1, max: 99_999_999 }),
      remark: fc.constantFrom(...remarks),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  order: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 7, maxLength: 7 }),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  quoteAll: fc.boolean(),
  mark: fc.boolean(),
  utf16: fc.boolean(),
  lastLineEnd: fc.boolean(),
});

type Made = typeof payroll extends fc.Arbitrary<infer Value> ? Value : never;

const columns = [
  'paymentId',
  'accountName',
  'country',
  'currency',
  'amount',
  'phoneNumber',
  'remark of mine',
];

function fileOf({ rows, order, delimiter, lineEnd, quoteAll, mark, utf16, lastLineEnd }: Made) {
  const cell = (text: string) =>
    quoteAll || /["\r\n,;|\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const line = (cells: readonly string[]) => order.map((column) => cell(cells[column] ?? '')).join(delimiter);
  const lines = rows.map(({ name, cents, remark }, index) =>
    line([
      `P-${index + 1}`,
      name,
      'KE',
      'KES',
      `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`,
      `+2547120${String(10_000 + index)}`,
      remark,
    ]),
  );
  const text = [line(columns), ...lines].join(lineEnd) + (lastLineEnd ? lineEnd : '');
  const sum = rows.reduce((total, { cents }) => total + BigInt(cents), 0n);
  const bytes = utf16
    ? Buffer.from(`\ufeff${text}`, 'utf16le')
    : Buffer.from(`${mark ? '\ufeff' : ''}${text}`);
  return { bytes, sums: new Map([['KES', sum]]) };
}
