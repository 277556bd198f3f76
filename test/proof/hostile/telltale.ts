/** What a text that payrun shows or writes must never hold, in half a sentence; undefined where it holds none of it. */
export function telltaleIn(text: string): string | undefined {
  const acting = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029](?<![\n])/u.exec(text);
  if (acting) {
    const code = (acting[0].codePointAt(0) ?? 0).toString(16);
    return `a sign that acts on terminals (U+${code.padStart(4, '0')}) near ${around(text, acting.index)}`;
  }
  const stack = /^\s+at .*\.(?:js|ts):\d+/m.exec(text);
  if (stack) return `a stack: ${stack[0].trim()}`;
  return /unexpected error|UnhandledPromise|FATAL ERROR|heap out of memory/.exec(text)?.[0];
}

/** A cell that a spreadsheet would run. */
export function isLiveFormula(cell: string): boolean {
  return (
    /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/.test(cell) &&
    !/^[+-]?[\d .,()\u00a0\u202f-]*(?:[eE][+-]?\d+)?$/.test(cell)
  );
}

function around(text: string, index: number): string {
  return JSON.stringify(text.slice(Math.max(0, index - 30), index + 30));
}
