import { withoutTrailing } from '../../domain/text/without-trailing.ts';
import type { LinePosition } from '../bytes/byte-decoder.ts';
import type { ProblemLog } from '../problem-log.ts';

/** A record is a line, or the lines of a row with line breaks inside quotes. */
export const maxRecordBytes = 1024 * 1024;

/** No header is looked for further down. */
const quotedLinesKept = 1000;

/**
 * Walks the text ahead of the CSV parser, which cannot tell where a quote was opened, lets a misplaced one swallow rows
 * without a word, and keeps an endless line of empty cells in memory. Nothing is parsed here: bytes are only counted.
 */
export class RecordScanner implements LinePosition {
  /** The physical line of the next byte. */
  line = 1;
  /** The line on which the unreadable record begins: records from there on are not rows. */
  cutLine: number | undefined;
  /** Until a cell spans lines, every record is one line. */
  multiLineSeen = false;
  /** The longest record so far, so that cells need to be measured only in files that have a long one. */
  longestRecordBytes = 0;
  /** Of the first lines, those that have a cell in quotes. */
  readonly quotedLines = new Set<number>();
  readonly #kinds: Uint8Array;
  readonly #problems: ProblemLog;
  #state: 'outside' | 'quoted' | 'quoteSeen' = 'outside';
  #afterReturn = false;
  #cellBegins = true;
  #recordLine = 1;
  #recordBytes = 0;
  #quoteLine = 0;
  #strayLine = 0;
  #formulaLine = 0;
  #lastByte = 0;

  constructor(delimiter: string, problems: ProblemLog) {
    this.#problems = problems;
    this.#kinds = new Uint8Array(256);
    this.#kinds[0] = kind.zero;
    this.#kinds[0x0a] = kind.newline;
    this.#kinds[0x0d] = kind.return;
    this.#kinds[0x22] = kind.quote;
    this.#kinds[delimiter.charCodeAt(0)] = kind.delimiter;
  }

  get insideQuotes(): boolean {
    return this.#state === 'quoted';
  }

  /** Takes note of the next piece of text and returns up to where it holds the ends of whole records. */
  pass(piece: Buffer): number {
    let recordStart = 0;
    for (let index = 0; index < piece.length; index += 1) {
      const byteKind = this.#kinds[piece[index] ?? 0] ?? kind.ordinary;
      if (byteKind === kind.ordinary && this.#state !== 'quoteSeen') {
        this.#cellBegins = false;
        this.#afterReturn = false;
        continue;
      }
      if (byteKind === kind.zero) return this.#cutAtZero(recordStart);
      const recordLine = this.#recordLine;
      if (!this.#step(byteKind, piece, index)) continue;
      if (this.#isTooLong(index + 1 - recordStart, recordLine)) return recordStart;
      this.#recordBytes = 0;
      recordStart = index + 1;
    }
    this.#isTooLong(piece.length - recordStart, this.#recordLine);
    this.#lastByte = piece.at(-1) ?? this.#lastByte;
    return recordStart;
  }

  /** The end of the file, or of what can be read of it. */
  finish(): void {
    if (this.#state === 'quoted' && this.cutLine === undefined) this.#cutAtOpenQuote();
  }

  /** What follows cannot be read: the record begun is no row. */
  cut(): void {
    this.cutLine ??= this.#recordLine;
  }

  /** Whether the record ends with this byte; a line feed behind a return belongs to the end already seen. */
  #step(byteKind: number, piece: Buffer, index: number): boolean {
    const secondHalf = byteKind === kind.newline && this.#afterReturn;
    this.#afterReturn = byteKind === kind.return;
    if (secondHalf) return false;
    if (this.#state === 'quoteSeen' && this.#resolveQuote(byteKind, piece, index)) return false;
    switch (byteKind) {
      case kind.newline:
      case kind.return:
        this.line += 1;
        if (this.#state === 'quoted') {
          this.multiLineSeen = true;
          return false;
        }
        this.#recordLine = this.line;
        this.#cellBegins = true;
        return true;
      case kind.quote:
        this.#meetQuote(piece, index);
        return false;
      default:
        this.#cellBegins = byteKind === kind.delimiter;
        return false;
    }
  }

  #meetQuote(piece: Buffer, index: number): void {
    if (this.#state === 'quoted') {
      this.#state = 'quoteSeen';
    } else if (this.#cellBegins) {
      this.#state = 'quoted';
      this.#quoteLine = this.line;
      this.#cellBegins = false;
      if (this.quotedLines.size < quotedLinesKept) this.quotedLines.add(this.line);
    } else if (!this.#isFormulaText(piece, index)) this.#reportStray(piece, index);
  }

  /** A spreadsheet's ="0712" is a habit of exports and no slip; neither of its quotes is worth a word. */
  #isFormulaText(piece: Buffer, index: number): boolean {
    if ((index > 0 ? piece[index - 1] : this.#lastByte) === 0x3d) this.#formulaLine = this.line;
    return this.#formulaLine === this.line;
  }

  /** A quote inside quotes: doubled it is a sign of the text; else it ends the cell, if a cell can end there. */
  #resolveQuote(next: number, piece: Buffer, index: number): boolean {
    if (next === kind.quote) {
      this.#state = 'quoted';
      return true;
    }
    this.#state = 'outside';
    if (next !== kind.ordinary) return false;
    if (this.#quoteLine < this.line) this.#reportSwallowedRows();
    else this.#reportStray(piece, index);
    return false;
  }

  #isTooLong(bytesHere: number, recordLine: number): boolean {
    this.#recordBytes += bytesHere;
    if (this.#recordBytes > this.longestRecordBytes) this.longestRecordBytes = this.#recordBytes;
    if (this.#recordBytes <= maxRecordBytes) return false;
    if (this.#state === 'quoted') {
      this.#cutAtOpenQuote();
      return true;
    }
    this.#problems.add('record-too-long', {
      line: recordLine,
      message: `Line ${recordLine} is longer than 1 MiB. No payroll has such a line: look whether the file has line ends at all, and export it again.`,
    });
    this.cutLine = recordLine;
    return true;
  }

  #cutAtOpenQuote(): void {
    this.#problems.add('quote-unclosed', {
      line: this.#quoteLine,
      message: `A quote (") opens a cell on line ${this.#quoteLine} and is never closed, so all that follows would be one cell. Remove the quote, or close it.`,
    });
    this.cut();
  }

  #cutAtZero(recordStart: number): number {
    this.#problems.add('zero-bytes', {
      line: this.line,
      message: `From line ${this.line} on the file holds zero bytes, as after a failed copy or a full disk: rows may be missing. Export it again.`,
    });
    this.cut();
    return recordStart;
  }

  #reportSwallowedRows(): void {
    // Said once for the line; the quotes behind it are the same slip.
    this.#strayLine = this.line;
    this.#problems.add('quote-unclosed', {
      line: this.#quoteLine,
      message: `A quote (") opens a cell on line ${this.#quoteLine}, and the next quote, on line ${this.line}, stands in the middle of a cell: the rows between would be lost. Remove the quote on line ${this.#quoteLine}, or close it.`,
    });
  }

  #reportStray(piece: Buffer, index: number): void {
    if (this.#strayLine === this.line) return;
    this.#strayLine = this.line;
    this.#problems.add('quote-stray', {
      line: this.line,
      message: `Line ${this.line} has a quote (") in the middle of a cell. It was read as part of the text; if the cell was meant to be quoted, the quotes must be its first and last sign.`,
      value: textAround(piece, index),
    });
  }
}

/** A few signs of the line on either side; a letter that the cut goes through is left out. */
function textAround(piece: Buffer, index: number): string {
  const before = piece
    .subarray(Math.max(0, index - 20), index)
    .toString('utf8')
    .replace(/^\ufffd+/, '');
  const behind = withoutTrailing(piece.subarray(index, index + 20).toString('utf8'), '\ufffd');
  return before.replace(/^.*[\r\n]/s, '') + behind.replace(/[\r\n].*$/s, '');
}

const kind = { ordinary: 0, newline: 1, return: 2, quote: 3, delimiter: 4, zero: 5 } as const;
