const longestShown = 80;

/** Text from a file as a problem may show it: short, and with nothing in it that acts on a terminal or hides. */
export function readableText(text: string): string {
  if (text.length <= longestShown && plain.test(text)) return text;
  // Cut before and after: the first bounds the work, the second the length of what was made visible.
  const visible = text.slice(0, longestShown + 1).replace(invisible, codePoint);
  const characters = Array.from(visible);
  const cut = text.length > longestShown || characters.length > longestShown;
  return cut ? `${characters.slice(0, longestShown - 1).join('')}…` : visible;
}

const plain = /^[\x20-\x7e]*$/;
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/** Instead of a sign that nobody sees. */
export function codePoint(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}
