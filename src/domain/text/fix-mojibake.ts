import { windows1252 } from './windows-1252.ts';

/** What a text was before its UTF-8 was read as Windows-1252 (`JosÃ©` was `José`); undefined where that is not what happened. */
export function fixMojibake(text: string): string | undefined {
  const bytes: number[] = [];
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 0;
    const at = windows1252.indexOf(sign);
    if (code > 0xff && at < 0) return undefined;
    bytes.push(code <= 0xff ? code : 0x80 + at);
  }
  const read = Buffer.from(bytes).toString('utf8');
  return read === text || read.includes('\ufffd') ? undefined : read;
}
