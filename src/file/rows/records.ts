import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
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

/** The records of the file, blank ones too, with the line that each begins on. */
export async function* recordsOf(
  bytes: AsyncIterable<Buffer>,
  delimiter: string,
  decoder: ByteDecoder,
  watch: RecordScanner,
): AsyncGenerator<FileRecord> {
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    // The watch stops an endless record earlier; this bound is for the day it does not.
    max_record_size: 4 * maxRecordBytes,
  });
  // A failure of the source reaches the loop below through the parser.
  pipeline(textOf(bytes, decoder, watch), parser, () => {});
  // The parser's own count is of no use: it names the line a record ends on, and takes CRLF inside quotes for two.
  let line = 1;
  for await (const cells of parser as AsyncIterable<string[]>) {
    if (watch.cutLine !== undefined && line >= watch.cutLine) return;
    yield { line, cells, quoted: watch.quotedLines.has(line) };
    line += 1;
    if (watch.multiLineSeen) line += lineBreaksIn(cells);
  }
}

/** The text as UTF-8 up to its end or to where it cannot be read; then the parser is led to a clean end. */
async function* textOf(
  bytes: AsyncIterable<Buffer>,
  decoder: ByteDecoder,
  watch: RecordScanner,
): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    yield* passedOn(decoder.decode(chunk), watch);
    if (decoder.failed) watch.cut();
    if (watch.cutLine !== undefined) break;
  }
  if (watch.cutLine === undefined) yield* passedOn(decoder.finish(), watch);
  if (decoder.failed) watch.cut();
  watch.finish();
  if (watch.insideQuotes) yield Buffer.from('"');
}

function* passedOn(pieces: Iterable<Buffer>, watch: RecordScanner): Generator<Buffer> {
  for (const piece of pieces) {
    const passed = watch.pass(piece);
    if (passed.length > 0) yield passed;
    if (watch.cutLine !== undefined) return;
  }
}

function lineBreaksIn(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) {
    if (!cell.includes('\n') && !cell.includes('\r')) continue;
    count += cell.match(/\r\n?|\n/g)?.length ?? 0;
  }
  return count;
}
