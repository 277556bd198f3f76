import { Readable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteDecoder } from '../../../src/file/bytes/byte-decoder.ts';
import { ProblemLog } from '../../../src/file/problem-log.ts';
import { RecordScanner } from '../../../src/file/rows/record-scanner.ts';
import { type FileRecord, recordsOf } from '../../../src/file/rows/records.ts';
import { collect } from '../collect.ts';

const parts = ['a', '7', 'é', '😀', '\ufeff', ' ', ',', ',', ';', '\n', '\n', '\r\n', '\r', '=', '\u001f'];
const plainText = fc.array(fc.constantFrom(...parts), { maxLength: 30 }).map((signs) => signs.join(''));
const anyText = fc
  .array(fc.constantFrom(...parts, '"', '"', '""', ',"', '",', '"\n', '\n"'), { maxLength: 30 })
  .map((signs) => signs.join(''));
const delimiters = fc.constantFrom(',', ';', '\t', '|');
const pieceLengths = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 });

interface Read {
  readonly records: readonly FileRecord[];
  readonly cutLine: number | undefined;
}

async function readInPieces(text: string, delimiter: string, lengths: readonly number[]): Promise<Read> {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  const problems = new ProblemLog();
  const watch = new RecordScanner(delimiter, problems);
  const decoder = new ByteDecoder({ encoding: 'utf-8', markLength: 0, certain: true }, problems, watch);
  const records = await collect(recordsOf(Readable.from(pieces), delimiter, decoder, watch));
  return { records, cutLine: watch.cutLine };
}

/** The whole text at once, by the parser alone; a quote that is never closed is closed behind it. */
function parsedAtOnce(text: string, delimiter: string): string[][] {
  const options = {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
  };
  try {
    return parse(text, options);
  } catch {
    return parse(`${text}"`, options);
  }
}

describe('records, read in whatever pieces the file comes', () => {
  test('are those of the parser where no quote is', async () => {
    await fc.assert(
      fc.asyncProperty(plainText, delimiters, pieceLengths, async (text, delimiter, lengths) => {
        const { records } = await readInPieces(text, delimiter, lengths);
        expect(records.map(({ cells }) => cells)).toEqual(parsedAtOnce(text, delimiter));
        expect(records.map(({ line }) => line)).toEqual(records.map((_, index) => index + 1));
      }),
      { numRuns: 1000 },
    );
  });

  test('are those of the parser with quotes anywhere, up to one that is never closed', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, delimiters, pieceLengths, async (text, delimiter, lengths) => {
        const { records, cutLine } = await readInPieces(text, delimiter, lengths);
        const parsed = parsedAtOnce(text, delimiter);
        const whole = cutLine === undefined ? parsed : parsed.slice(0, -1);
        expect(records.map(({ cells }) => cells)).toEqual(whole);
      }),
      { numRuns: 3000 },
    );
  });

  test('are the same in one piece and sign by sign', async () => {
    const text = 'a,b\r\n"c\r\nd",e\r\r\nf,"g""h"\n\ni,j';
    const once = await readInPieces(text, ',', [1000]);
    expect(await readInPieces(text, ',', [1])).toEqual(once);
    expect(once.records).toEqual([
      { line: 1, cells: ['a', 'b'], quoted: false },
      { line: 2, cells: ['c\r\nd', 'e'], quoted: true },
      { line: 4, cells: [''], quoted: false },
      { line: 5, cells: ['f', 'g"h'], quoted: true },
      { line: 6, cells: [''], quoted: false },
      { line: 7, cells: ['i', 'j'], quoted: false },
    ]);
  });
});
