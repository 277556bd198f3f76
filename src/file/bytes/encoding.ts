import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { PayrunError } from '../../errors.ts';

const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;

export type Encoding = (typeof encodings)[number];

export interface DetectedEncoding {
  readonly encoding: Encoding;
  /** Bytes of the byte-order mark, which are no text. */
  readonly markLength: number;
  /** Said by a byte-order mark or by `--encoding`; then no other encoding is tried. */
  readonly certain: boolean;
}

/** Which encoding the file's first bytes are in; undefined where they are not text. */
export function detectEncoding(prefix: Buffer, wanted?: Encoding): DetectedEncoding | undefined {
  const marked = byteOrderMarks.find(({ mark }) => prefix.subarray(0, mark.length).equals(mark));
  if (wanted !== undefined) {
    return {
      encoding: wanted,
      markLength: marked?.encoding === wanted ? marked.mark.length : 0,
      certain: true,
    };
  }
  if (marked) return { encoding: marked.encoding, markLength: marked.mark.length, certain: true };
  const unmarked = detectUnmarkedUtf16(prefix);
  if (unmarked) return { encoding: unmarked, markLength: 0, certain: false };
  if (!looksLikeText(prefix)) return undefined;
  const whole = prefix.subarray(0, prefix.length - incompleteTailLength(prefix));
  return { encoding: isUtf8(whole) ? 'utf-8' : 'windows-1252', markLength: 0, certain: false };
}

/** What `--encoding` may say. */
export function encodingNamed(name: string): Encoding {
  const encoding = encodingNames.get(name.toLowerCase().replace(/[\s_-]/g, ''));
  if (encoding) return encoding;
  throw new PayrunError(
    'usage',
    `The encoding "${name}" is not one that payrun reads. Use one of: ${encodings.join(', ')}.`,
  );
}

/** Bytes at the end that begin a UTF-8 character which the next chunk may complete. */
export function incompleteTailLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? back : 0;
    }
  }
  return 0;
}

/** Text of the first bytes, good enough to guess delimiter and kind by; what is read for real is decoded strictly. */
export function previewText(prefix: Buffer, { encoding, markLength }: DetectedEncoding): string {
  const bytes = prefix.subarray(markLength);
  switch (encoding) {
    case 'utf-8':
      return bytes.subarray(0, bytes.length - incompleteTailLength(bytes)).toString('utf8');
    case 'utf-16le':
    case 'utf-16be':
      return new TextDecoder(encoding).decode(bytes.subarray(0, bytes.length - (bytes.length % 2)));
    case 'windows-1252':
      return bytes.toString('latin1');
  }
}

const byteOrderMarks: readonly { readonly encoding: Encoding; readonly mark: Buffer }[] = [
  { encoding: 'utf-8', mark: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: 'utf-16le', mark: Buffer.from([0xff, 0xfe]) },
  { encoding: 'utf-16be', mark: Buffer.from([0xfe, 0xff]) },
];

/** By what a person may call them. */
const encodingNames = new Map<string, Encoding>([
  ['utf8', 'utf-8'],
  ['utf16', 'utf-16le'],
  ['utf16le', 'utf-16le'],
  ['utf16be', 'utf-16be'],
  ['windows1252', 'windows-1252'],
  ['cp1252', 'windows-1252'],
  ['ansi', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['iso88591', 'windows-1252'],
]);

/** In UTF-16 the digits, delimiters and most letters of a payroll have a zero in one and the same half. */
function detectUnmarkedUtf16(prefix: Buffer): Encoding | undefined {
  const pairs = Math.floor(Math.min(prefix.length, 4096) / 2);
  if (pairs < 2) return undefined;
  let zerosFirst = 0;
  let zerosSecond = 0;
  for (let pair = 0; pair < pairs; pair += 1) {
    if (prefix[2 * pair] === 0) zerosFirst += 1;
    if (prefix[2 * pair + 1] === 0) zerosSecond += 1;
  }
  const many = pairs * 0.4;
  const few = pairs * 0.05;
  if (zerosSecond >= many && zerosFirst <= few) return 'utf-16le';
  if (zerosFirst >= many && zerosSecond <= few) return 'utf-16be';
  return undefined;
}

/**
 * Control characters mean that it is no text. What follows a first zero byte is not judged: text that ends in zeros is
 * a damaged text file, and the reader says at which line.
 */
function looksLikeText(prefix: Buffer): boolean {
  const zero = prefix.indexOf(0);
  if (zero >= 0 && !prefix.subarray(0, zero).includes(0x0a) && !prefix.subarray(0, zero).includes(0x0d))
    return false;
  const text = zero < 0 ? prefix : prefix.subarray(0, zero);
  let controls = 0;
  for (const byte of text) {
    if (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1a) controls += 1;
  }
  return controls * 100 <= text.length;
}
