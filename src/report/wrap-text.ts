/** Text in lines of at most so many columns, broken between words; lines after the first are indented. */
export function wrapText(text: string, width: number, indent: number): string {
  const lines: string[] = [];
  const [, lead = '', rest = ''] = /^( *)(.*)$/s.exec(text) ?? [];
  let line = lead;
  for (const word of rest.split(' ')) {
    const isBegun = line.trim() !== '';
    if (isBegun && line.length + 1 + word.length > width) {
      lines.push(line);
      line = `${' '.repeat(indent)}${word}`;
    } else line = isBegun ? `${line} ${word}` : `${line}${word}`;
  }
  return [...lines, line].join('\n');
}
