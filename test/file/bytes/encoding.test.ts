import { describe, expect, test } from 'vitest';
import { detectEncoding, encodingNamed } from '../../../src/file/bytes/encoding.ts';
import { recogniseFileKind, recogniseTextKind } from '../../../src/file/bytes/file-kind.ts';

const text = 'Name,Phone,Amount\nRené,0712345678,100\n';

describe('the encoding', () => {
  test.each([
    ['utf-8', Buffer.from(text), 0],
    ['utf-8', Buffer.from(`\ufeff${text}`), 3],
    ['utf-16le', Buffer.from(text, 'utf16le'), 0],
    ['utf-16le', Buffer.from(`\ufeff${text}`, 'utf16le'), 2],
    ['utf-16be', Buffer.from(text, 'utf16le').swap16(), 0],
    ['utf-16be', Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), 2],
    ['windows-1252', Buffer.from(text, 'latin1'), 0],
    ['utf-8', Buffer.from(text).subarray(0, text.indexOf('é') + 1), 0],
    ['utf-8', Buffer.concat([Buffer.from(text), Buffer.alloc(2000)]), 0],
  ])('%s is told by the bytes', (encoding, bytes, markLength) => {
    expect(detectEncoding(bytes)).toMatchObject({ encoding, markLength });
  });

  test.each([
    ['control characters', Buffer.from('\x01\x02\x03\x04abc\x05,\x06\n')],
    ['zero bytes in the first line', Buffer.from('abc\0def\n')],
  ])('is none where %s stand', (_, bytes) => {
    expect(detectEncoding(bytes)).toBeUndefined();
  });

  test('that a person names is taken, with the mark that belongs to it', () => {
    expect(detectEncoding(Buffer.from(`\ufeff${text}`), 'utf-8')).toMatchObject({
      markLength: 3,
      certain: true,
    });
    expect(detectEncoding(Buffer.from(text), 'windows-1252')).toMatchObject({
      encoding: 'windows-1252',
      markLength: 0,
    });
    expect(encodingNamed('Latin-1')).toBe('windows-1252');
    expect(encodingNamed('UTF_16 BE')).toBe('utf-16be');
    expect(() => encodingNamed('constructor')).toThrow('is not one that payrun reads');
  });
});

describe('the kind of a file', () => {
  test('is told by content and never by a word in a cell', () => {
    expect(recogniseFileKind(Buffer.from('PK Traders,Phone\n'))).toBeUndefined();
    expect(recogniseTextKind('Name,html\n<b>,1\n')).toBeUndefined();
    expect(recogniseTextKind('[Company] payroll\nName,Phone\n')).toBeUndefined();
    expect(recogniseTextKind('  <TABLE>\n')?.code).toBe('file-html');
    expect(recogniseTextKind('\ufeff{"rows": []}')?.code).toBe('file-json');
  });
});
