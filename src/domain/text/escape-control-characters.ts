import { codePoint } from './readable-text.ts';

/**
 * Signs that act instead of being seen: they move the cursor, set colours, turn the direction of writing, or hide.
 * Whatever came from a file, a bank or a service, none of them reaches a terminal or a log. Line breaks are ours.
 */
export function nameControlCharacters(text: string): string {
  return plain.test(text) ? text : text.replace(acting, codePoint);
}

/** For a text of JSON, which reads back as the same values. */
export function escapeControlCharacters(json: string): string {
  return plain.test(json) ? json : json.replace(acting, escaped);
}

const plain = /^[\x20-\x7e\n]*$/;
const acting = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029](?<!\n)/gu;

function escaped(sign: string): string {
  return sign.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
