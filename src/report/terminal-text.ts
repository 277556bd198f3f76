/**
 * Text as a terminal may get it: whatever came from a file, a bank or a service, nothing in it moves the cursor, sets
 * colours, or turns the direction of writing. Line breaks are ours.
 */
export function terminalText(text: string): string {
  return plain.test(text) ? text : text.replace(acting, (sign) => `<U+${codeOf(sign)}>`);
}

/** JSON that reads back as the same values, and acts on no terminal either. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  return plain.test(text) ? text : text.replace(acting, escaped);
}

const plain = /^[\x20-\x7e\n]*$/;
const acting = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029](?<!\n)/gu;

function codeOf(sign: string): string {
  return (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

function escaped(sign: string): string {
  return sign.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
