import { parse } from 'csv-parse/sync';
import type { ByteDecoder } from '../bytes/byte-decoder.ts';
import { maxRecordBytes, type RecordScanner } from './record-scanner.ts';

/** One line of the file, or the lines that a quoted cell holds together. */
export interface FileRecord {
  /** The physical line on which it begins. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Whether a cell of it is in quotes; known of the first lines only. */
  readonly quoted: boolean;
}

/** The records of the file, blank ones too, with the line that each begins on; many at once, as they are read. */
export async function* recordsOf(
  bytes: AsyncIterable<Buffer>,
  delimiter: string,
  decoder: ByteDecoder,
  watch: RecordScanner,
): AsyncGenerator<readonly FileRecord[]> {
  // The parser's own count is of no use: it names the line a record ends on, and takes CRLF inside quotes for two.
  let line = 1;
  const recordOf = (cells: readonly string[]): FileRecord => {
    const record = { line, cells, quoted: watch.quotedLines.has(line) };
    line += 1;
    if (watch.multiLineSeen) line += lineBreaksIn(cells);
    return record;
  };
  for await (const block of wholeRecords(bytes, decoder, watch))
    yield cellsIn(block, delimiter).map(recordOf);
}

/** The text as UTF-8 up to its end or to where it cannot be read, in blocks that end where a record ends. */
async function* wholeRecords(
  bytes: AsyncIterable<Buffer>,
  decoder: ByteDecoder,
  watch: RecordScanner,
): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  let afterReturn = false;
  const blockWith = (end: Buffer): Buffer => {
    const text = Buffer.concat([...begun, end]);
    begun = [];
    // The second half of a line end whose first half ended the block before.
    const block = afterReturn && text[0] === lineFeed ? text.subarray(1) : text;
    afterReturn = text.at(-1) === carriageReturn;
    return block;
  };
  function* blocksOf(pieces: Iterable<Buffer>): Generator<Buffer> {
    for (const piece of pieces) {
      const end = watch.pass(piece);
      if (end > 0) yield blockWith(piece.subarray(0, end));
      if (watch.cutLine !== undefined) return;
      // A copy: the memory of a piece belongs to the stream.
      if (end < piece.length) begun.push(Buffer.from(piece.subarray(end)));
    }
  }
  for await (const chunk of bytes) {
    yield* blocksOf(decoder.decode(chunk));
    if (decoder.failed) watch.cut();
    if (watch.cutLine !== undefined) return;
  }
  yield* blocksOf(decoder.finish());
  if (decoder.failed) watch.cut();
  watch.finish();
  if (watch.cutLine === undefined) yield blockWith(Buffer.alloc(0));
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const quote = 0x22;

/** Without a quote there is nothing to parse. Each line is a text of its own: a cell that is kept must not keep the block. */
function cellsIn(block: Buffer, delimiter: string): readonly (readonly string[])[] {
  if (block.includes(quote)) return parse(block, { ...parserOptions, delimiter });
  const records: string[][] = [];
  for (let start = 0; start < block.length; ) {
    let end = start;
    while (end < block.length && block[end] !== lineFeed && block[end] !== carriageReturn) end += 1;
    records.push(block.toString('utf8', start, end).split(delimiter));
    start = end + (block[end] === carriageReturn && block[end + 1] === lineFeed ? 2 : 1);
  }
  return records;
}

const parserOptions = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_quotes: true,
  relax_column_count: true,
  // The watch stops an endless record earlier; this bound is for the day it does not.
  max_record_size: 4 * maxRecordBytes,
};

function lineBreaksIn(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) {
    if (!cell.includes('\n') && !cell.includes('\r')) continue;
    count += cell.match(/\r\n?|\n/g)?.length ?? 0;
  }
  return count;
}
