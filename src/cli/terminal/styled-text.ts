import picocolors from 'picocolors';
import { terminalText } from '../../report/terminal-text.ts';
import { brokenLines } from './broken-lines.ts';

interface StyledStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Text as a stream may get it: nothing in it acts, on a terminal lines are broken between words, and the words that
 * a person must not miss have a colour. Elsewhere it stays as it is.
 */
export function styledText(text: string, stream: StyledStream, env: Env = process.env): string {
  const harmless = terminalText(text);
  const broken = stream.isTTY === true ? brokenLines(harmless, stream.columns ?? 80) : harmless;
  return hasColour(stream, env) ? coloured(broken) : broken;
}

/** Whoever says so wins; else a terminal that can. */
function hasColour({ isTTY }: StyledStream, env: Env): boolean {
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0';
  if (env['NO_COLOR']) return false;
  return isTTY === true && env['TERM'] !== 'dumb';
}

const colours = picocolors.createColors(true);
const marks: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/^LIVE(?=$|[ :])/gm, (word) => colours.bold(colours.inverse(word))],
  [/^TEST(?=$|[ :])/gm, (word) => colours.bold(colours.yellow(word))],
  [/^SANDBOX(?=$|[ :])/gm, (word) => colours.bold(colours.green(word))],
  [/^(?:REFUSED|ALARM|PAID TWICE)(?=$|[ :(])/gm, (word) => colours.bold(colours.red(word))],
];

function coloured(text: string): string {
  return marks.reduce((marked, [word, mark]) => marked.replace(word, mark), text);
}
