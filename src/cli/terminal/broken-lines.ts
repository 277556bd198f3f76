import { wrapText } from '../../report/wrap-text.ts';

const leastColumns = 40;
const mostColumns = 200;

/**
 * Text in lines as wide as a terminal, broken between words. What is copied from it stays whole, and the terminal folds
 * it: commands, what stands in quotes, and each of `kept`, such as a path with a blank in it.
 */
export function brokenLines(text: string, columns: number, kept: readonly string[] = []): string {
  const width = Math.min(mostColumns, Math.max(leastColumns, columns));
  return text
    .split('\n')
    .map((line) => (line.length <= width ? line : brokenLine(line, width, kept)))
    .join('\n');
}

/** No text for a terminal has it: it stands for a blank at which no line is broken. */
const bound = '\0';

function brokenLine(line: string, width: number, kept: readonly string[]): string {
  const indent = line.length - line.trimStart().length;
  const tied = kept
    .filter((each) => each.includes(' '))
    .reduce((tying, each) => tying.replaceAll(each, () => tie(each)), line)
    .replace(quoted, tie);
  const whole = line.slice(0, indent) + withWholeCommands(tied.slice(indent));
  return wrapText(whole, width, indent + 2).replaceAll(bound, ' ');
}

/** Not an apostrophe, which stands within a word or ends it. */
const quoted = /(?<![^\s=(:])(?:"[^"]*"|'[^']*')/g;

function tie(text: string): string {
  return text.replaceAll(' ', bound);
}

/** How many words of a sentence may belong to the command that stands in it, besides its flags. */
const mostArguments = 2;

function withWholeCommands(line: string): string {
  const words = line.split(' ');
  let text = '';
  let isCommand = false;
  /** It goes on to the end of what it is said in. */
  let isToEnd = false;
  let left = 0;
  for (const [place, word] of words.entries()) {
    const before = words[place - 1] ?? '';
    isCommand &&= isToEnd || left > 0 || word.startsWith('-') || before.startsWith('-');
    text += `${place === 0 ? '' : isCommand ? bound : ' '}${word}`;
    left -= 1;
    if (/[.,;)]$/.test(word)) isCommand = false;
    if (word !== 'payrun' || !/^[a-z]/.test(words[place + 1] ?? '')) continue;
    isCommand = true;
    isToEnd = place === 0 || before === 'then' || before.endsWith(':');
    left = mostArguments;
  }
  return text;
}
