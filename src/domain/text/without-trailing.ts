/** A text without the signs of one kind at its end. As a pattern (`/0+$/`) this would take the square of their number. */
export function withoutTrailing(text: string, sign: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === sign) end -= 1;
  return text.slice(0, end);
}
