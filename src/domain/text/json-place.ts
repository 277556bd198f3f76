/** Where a text stops being JSON, as editors count. JSON.parse only says so by quoting the text, which may be a secret. */
export function jsonPlace(text: string): { readonly line: number; readonly column: number } | undefined {
  const at = firstFault(text);
  if (at === undefined) return undefined;
  const before = text.slice(0, at).split(/\r\n|\r|\n/);
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 };
}

const token =
  /[{}[\],:]|"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const blanks = /[ \t\r\n]*/y;

type Expected = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'comma' | 'end';

/** One pass over the tokens, with what may come next. */
function firstFault(text: string): number | undefined {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  for (let at = skipBlanks(text, 0); ; at = skipBlanks(text, at)) {
    if (at === text.length) return expected === 'end' ? undefined : at;
    token.lastIndex = at;
    const sign = token.exec(text)?.[0];
    const next: Expected | undefined = sign === undefined ? undefined : after(sign, expected, open);
    if (sign === undefined || next === undefined) return at;
    expected = next;
    at += sign.length;
  }
}

function after(sign: string, expected: Expected, open: ('{' | '[')[]): Expected | undefined {
  const closed = (): Expected => (open.length === 0 ? 'end' : 'comma');
  if (sign === '}' || sign === ']') {
    const wasOpen = sign === '}' ? '{' : '[';
    const may = expected === 'comma' || expected === (sign === '}' ? 'first-key' : 'first-value');
    return may && open.pop() === wasOpen ? closed() : undefined;
  }
  if (sign === ',') return expected === 'comma' ? (open.at(-1) === '{' ? 'key' : 'value') : undefined;
  if (sign === ':') return expected === 'colon' ? 'value' : undefined;
  if (expected === 'key' || expected === 'first-key') return sign.startsWith('"') ? 'colon' : undefined;
  if (expected !== 'value' && expected !== 'first-value') return undefined;
  if (sign !== '{' && sign !== '[') return closed();
  open.push(sign);
  return sign === '{' ? 'first-key' : 'first-value';
}

function skipBlanks(text: string, from: number): number {
  blanks.lastIndex = from;
  return from + (blanks.exec(text)?.[0].length ?? 0);
}
