import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRows } from '../../src/pipeline/1-read-rows.ts';
import { collectRows } from './collect.ts';

/** A way in which some system writes CSV. */
interface Dialect {
  readonly delimiter: string;
  readonly lineEnd: string;
  readonly encoding: keyof typeof encoders;
  readonly quoteAll: boolean;
  readonly lastLineEnd: boolean;
  readonly blankLineEvery: number;
  readonly titles: number;
}

const encoders = {
  'utf-8': (text: string) => Buffer.from(text),
  'utf-8 with mark': (text: string) => Buffer.from(`\ufeff${text}`),
  'utf-16le': (text: string) => Buffer.from(text, 'utf16le'),
  'utf-16le with mark': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be': (text: string) => Buffer.from(text, 'utf16le').swap16(),
  'utf-16be with mark': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'windows-1252': (text: string) =>
    Buffer.from(text.replaceAll('’', '\x92').replaceAll('€', '\x80'), 'latin1'),
};

const dialect: fc.Arbitrary<Dialect> = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  encoding: fc.constantFrom(...(Object.keys(encoders) as (keyof typeof encoders)[])),
  quoteAll: fc.boolean(),
  lastLineEnd: fc.boolean(),
  blankLineEvery: fc.constantFrom(0, 0, 1, 3),
  titles: fc.constantFrom(0, 0, 1, 3),
});

/** Letters that every one of the encodings has, and the signs on which readers of CSV fail. */
const cell = fc
  .array(
    fc.constantFrom(
      'a',
      'B',
      '7',
      ' ',
      'é',
      'ñ',
      '’',
      '€',
      ',',
      ';',
      '\t',
      '|',
      '"',
      "'",
      '\n',
      '\r',
      '\r\n',
      '=',
      '-',
    ),
    {
      maxLength: 12,
    },
  )
  .map((signs) => signs.join(''));
const anyCell = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\0', ''));

const header = ['accountName', 'country', 'currency', 'amount', 'phoneNumber', 'narration', 'my note'];

function write(rows: readonly (readonly string[])[], how: Dialect): { bytes: Buffer; lines: number[] } {
  const quoted = (text: string) =>
    how.quoteAll || /["\r\n]/.test(text) || text.includes(how.delimiter)
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  const lines: number[] = [];
  let text = '';
  let line = 1;
  const put = (cells: readonly string[]) => {
    const written = cells.map(quoted).join(how.delimiter) + how.lineEnd;
    text += written;
    line += written.match(/\r\n?|\n/g)?.length ?? 0;
  };
  for (let title = 0; title < how.titles; title += 1) put([`ACME, payroll ${title}`]);
  put(header);
  for (const [index, cells] of rows.entries()) {
    lines.push(line);
    put(cells);
    if (how.blankLineEvery > 0 && index % how.blankLineEvery === 0) put(['']);
  }
  if (!how.lastLineEnd) text = text.slice(0, -how.lineEnd.length);
  return { bytes: encoders[how.encoding](text), lines };
}

async function expectReadBack(
  texts: readonly (readonly [string, string, string])[],
  how: Dialect,
  chunk: number,
) {
  const rows = texts.map(([name, narration, note], index) => [
    name,
    'KE',
    'KES',
    `${index + 1}.50`,
    `+2547120${10000 + index}`,
    narration,
    note,
  ]);
  const { bytes, lines } = write(rows, how);
  const chunks = [];
  for (let start = 0; start < bytes.length; start += chunk) chunks.push(bytes.subarray(start, start + chunk));
  const reading = await readRows(Readable.from(chunks));
  const read = await collectRows(reading);
  expect(read.map(({ cells }) => cells)).toEqual(rows);
  expect(read.map(({ line }) => line)).toEqual(lines);
  expect(read.map(({ values }) => values.accountName)).toEqual(texts.map(([name]) => name));
  expect(reading.facts).toMatchObject({ complete: true, delimiter: how.delimiter, rowCount: rows.length });
}

const timeoutMs = 60_000;

describe('rows written in any dialect', () => {
  test(
    'read back as they were, with the lines they begin on',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 12 }),
          dialect,
          fc.constantFrom(3, 11, 100, 100_000),
          expectReadBack,
        ),
        { numRuns: 200 },
      );
    },
    timeoutMs,
  );

  test(
    'read back in every letter that Unicode has',
    async () => {
      const marked = dialect.filter(({ encoding }) => encoding.includes('mark') || encoding === 'utf-8');
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(anyCell, anyCell, anyCell), { minLength: 1, maxLength: 12 }),
          marked,
          fc.constantFrom(3, 11, 100, 100_000),
          expectReadBack,
        ),
        { numRuns: 150 },
      );
    },
    timeoutMs,
  );
});
