/** What a text was before its UTF-8 was read as Windows-1252 (`JosÃ©` was `José`); undefined where that is not what happened. */
export function ungarbledText(text: string): string | undefined {
  const bytes: number[] = [];
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 0;
    const byte = code <= 0xff ? code : windows1252Bytes.get(sign);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  const read = Buffer.from(bytes).toString('utf8');
  return read === text || read.includes('\ufffd') ? undefined : read;
}

/** From 0x80 on; the blanks are not defined. */
const windows1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';
const windows1252Bytes = new Map(Array.from(windows1252, (sign, index) => [sign, 0x80 + index] as const));
windows1252Bytes.delete(' ');
