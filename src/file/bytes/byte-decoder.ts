import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { readableText } from '../../domain/text/readable-text.ts';
import { windows1252 } from '../../domain/text/windows-1252.ts';
import type { ProblemLog } from '../problem-log.ts';
import type { DetectedEncoding, Encoding } from './encoding.ts';
import { incompleteTailLength } from './encoding.ts';

/** Says on which physical line the text passed on so far ends. */
export interface LinePosition {
  readonly line: number;
}

/**
 * Turns the file's bytes into UTF-8. Pieces are handed out one by one, and nothing is said about a byte before all text
 * in front of it was taken: only then does `position` know the line.
 */
export class ByteDecoder {
  /** Text that cannot be decoded was met; nothing after it is handed out. */
  failed = false;
  #encoding: Encoding;
  readonly #certain: boolean;
  readonly #problems: ProblemLog;
  readonly #position: LinePosition;
  readonly #utf16: TextDecoder | undefined;
  #held: Buffer = Buffer.alloc(0);
  #markLeft: number;
  #firstMultiByteLine: number | undefined;
  #firstAssumedLine: number | undefined;

  constructor(detected: DetectedEncoding, problems: ProblemLog, position: LinePosition) {
    this.#encoding = detected.encoding;
    this.#certain = detected.certain;
    this.#markLeft = detected.markLength;
    this.#problems = problems;
    this.#position = position;
    const isUtf16 = detected.encoding === 'utf-16le' || detected.encoding === 'utf-16be';
    this.#utf16 = isUtf16 ? new TextDecoder(detected.encoding, { fatal: true, ignoreBOM: true }) : undefined;
  }

  get encoding(): Encoding {
    return this.#encoding;
  }

  *decode(chunk: Buffer): Generator<Buffer> {
    const bytes = this.#markLeft > 0 ? chunk.subarray(this.#markLeft) : chunk;
    this.#markLeft -= chunk.length - bytes.length;
    if (this.#utf16) {
      yield* this.#decodeUtf16(bytes, true);
      return;
    }
    const all = this.#held.length > 0 ? Buffer.concat([this.#held, bytes]) : bytes;
    const tail = incompleteTailLength(all);
    // A copy: the chunk's memory belongs to the stream.
    this.#held = Buffer.from(all.subarray(all.length - tail));
    yield* this.#decodeBytes(all.subarray(0, all.length - tail));
  }

  /** The end of the file: half a character that was held back has no other half. */
  *finish(): Generator<Buffer> {
    if (this.failed) return;
    if (this.#utf16) yield* this.#decodeUtf16(Buffer.alloc(0), false);
    else if (this.#held.length > 0) yield* this.#decodeBytes(this.#held);
  }

  *#decodeBytes(bytes: Buffer): Generator<Buffer> {
    if (bytes.length === 0) return;
    if (isAscii(bytes)) yield bytes;
    else if (this.#encoding === 'windows-1252') yield* this.#decodeWindows1252(bytes);
    else yield* this.#decodeUtf8(bytes);
  }

  *#decodeUtf8(bytes: Buffer): Generator<Buffer> {
    const validLength = isUtf8(bytes) ? bytes.length : lengthOfValidUtf8(bytes);
    const valid = bytes.subarray(0, validLength);
    if (!isAscii(valid)) this.#firstMultiByteLine ??= this.#position.line + lineBreaksBefore(valid);
    yield valid;
    if (validLength === bytes.length) return;
    const line = this.#position.line;
    if (this.#certain) {
      this.#fail('encoding-invalid', `Line ${line} holds bytes that are not UTF-8. ${exportAgain}`, line);
    } else if (this.#firstMultiByteLine !== undefined) {
      this.#failAsMixed(this.#firstMultiByteLine, line);
    } else {
      this.#encoding = 'windows-1252';
      yield* this.#decodeWindows1252(bytes.subarray(validLength));
    }
  }

  *#decodeWindows1252(bytes: Buffer): Generator<Buffer> {
    const text = bytes.toString('latin1');
    const undefinedAt = text.search(undefinedInWindows1252);
    const utf8At = this.#certain ? -1 : text.search(utf8Sequence);
    const stopAt = Math.min(undefinedAt < 0 ? text.length : undefinedAt, utf8At < 0 ? text.length : utf8At);
    const firstAt = text.search(nonAscii);
    if (this.#firstAssumedLine === undefined && firstAt < stopAt) {
      yield Buffer.from(text.slice(0, firstAt), 'latin1');
      this.#firstAssumedLine = this.#position.line;
      if (!this.#certain) this.#warnOfAssumption(textAround(text, firstAt));
      yield toUtf8(text.slice(firstAt, stopAt));
    } else {
      yield toUtf8(text.slice(0, stopAt));
    }
    if (stopAt === text.length) return;
    const line = this.#position.line;
    if (stopAt === utf8At) this.#failAsMixed(line, this.#firstAssumedLine);
    else
      this.#fail(
        'encoding-invalid',
        `Line ${line} holds bytes that are no text in Windows-1252. ${exportAgain}`,
        line,
      );
  }

  *#decodeUtf16(bytes: Buffer, more: boolean): Generator<Buffer> {
    let text: string;
    try {
      text = this.#utf16?.decode(bytes, { stream: more }) ?? '';
    } catch {
      const line = this.#position.line;
      this.#fail(
        'encoding-invalid',
        `Near line ${line} the file holds bytes that are not UTF-16. ${exportAgain}`,
        line,
      );
      return;
    }
    if (text !== '') yield Buffer.from(text);
  }

  #warnOfAssumption(sample: string): void {
    const shown = readableText(sample);
    this.#problems.add('encoding-assumed', {
      line: this.#position.line,
      message: `The file is not UTF-8; it was read as Windows-1252, in which this cell is "${shown}". If that is wrong, save the file as "CSV UTF-8", or name its encoding with --encoding.`,
      value: sample,
    });
  }

  #failAsMixed(utf8Line: number, otherLine: number | undefined): void {
    const line = Math.max(utf8Line, otherLine ?? 0);
    const other = otherLine === undefined ? 'other lines are not' : `line ${otherLine} is not`;
    this.#fail(
      'encoding-mixed',
      `Line ${utf8Line} is written in UTF-8 and ${other}: names would be garbled. The file seems to be put together from two systems, or names were cut off in the middle of a letter. ${exportAgain}`,
      line,
    );
  }

  #fail(code: 'encoding-invalid' | 'encoding-mixed', message: string, line: number): void {
    this.failed = true;
    this.#problems.add(code, { line, message });
  }
}

const exportAgain = 'Export it again as "CSV UTF-8", or name its encoding with --encoding.';

/** Not defined in Windows-1252; decoders that let them pass make invisible control characters of them. */
const undefinedInWindows1252 = /[\x81\x8d\x8f\x90\x9d]/;
/** Latin letters, signs and curly quotes in UTF-8; as Windows-1252 they would be the likes of `Ã©`, which no name has. */
const utf8Sequence = /\xc3[\x80-\xbf]|\xc2[\xa0-\xbf]|\xe2\x80[\x90-\xbf]/;
const nonAscii = /[\x80-\xff]/;

/** The built-in decoder of some Node releases takes Windows-1252 for Latin-1. */
function toUtf8(latin1: string): Buffer {
  return Buffer.from(
    latin1.replace(/[\x80-\x9f]/g, (sign) => windows1252[sign.charCodeAt(0) - 0x80] ?? sign),
  );
}

/** The cell in which the first accented letter stands, near enough. */
function textAround(text: string, at: number): string {
  const before = /[^,;|\t\r\n"]{0,20}$/.exec(text.slice(Math.max(0, at - 20), at))?.[0] ?? '';
  const behind = /^[^,;|\t\r\n"]{0,20}/.exec(text.slice(at, at + 20))?.[0] ?? '';
  return toUtf8(before + behind).toString();
}

function lengthOfValidUtf8(bytes: Buffer): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >>> 1;
    const part = bytes.subarray(0, middle);
    if (isUtf8(part.subarray(0, middle - incompleteTailLength(part)))) valid = middle;
    else invalid = middle;
  }
  const part = bytes.subarray(0, valid);
  return valid - incompleteTailLength(part);
}

function lineBreaksBefore(text: Buffer): number {
  const firstMultiByte = text.findIndex((byte) => byte >= 0x80);
  return (
    text
      .subarray(0, firstMultiByte)
      .toString('latin1')
      .match(/\r\n?|\n/g)?.length ?? 0
  );
}
