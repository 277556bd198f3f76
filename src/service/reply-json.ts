/** Nothing in the contract nests deeper than five; beyond this, code that walks the value could run out of stack. */
export const deepestNesting = 64;

/** The value of a JSON text, wrapped because `null` is one too; undefined where it cannot be read. */
export function replyJson(text: string, deepest = deepestNesting): { readonly value: unknown } | undefined {
  if (nestsTooDeep(text, deepest)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function nestsTooDeep(text: string, deepest: number): boolean {
  if (!opensMore(text, deepest)) return false;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const letter = text.charCodeAt(index);
    if (inString) {
      if (letter === backslash) index++;
      else if (letter === quote) inString = false;
    } else if (letter === quote) {
      inString = true;
    } else if (letter === openBracket || letter === openBrace) {
      if (++depth > deepest) return true;
    } else if (letter === closeBracket || letter === closeBrace) {
      depth--;
    }
  }
  return false;
}

/** Whether more is opened than may be nested, in strings or not: seldom so, and told much faster than the depth. */
function opensMore(text: string, most: number): boolean {
  let opened = 0;
  for (const bracket of '[{')
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++opened > most) return true;
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
