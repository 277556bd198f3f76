import { nearestText } from '../../domain/text/nearest-text.ts';

/** Between a code and its values. No shell gives it to a program by accident. */
const mark = '\u001f';
const plural = (text: string) => ({ one: text, other: text });
const codes = {
  'Not enough non-option arguments: got %s, need at least %s': plural(`missing-word${mark}%s${mark}%s`),
  'Unknown argument: %s': plural(`unknown${mark}%s`),
  'Unknown command: %s': plural(`unknown${mark}%s`),
  'Not enough arguments following: %s': `no-value${mark}%s`,
  'Invalid values:': 'wrong-choice',
  'Argument: %s, Given: %s, Choices: %s': `${mark}%s${mark}%s${mark}%s`,
  'Did you mean %s?': `near-command${mark}%s`,
};

/** What yargs is to say instead of its sentences: a code and the values. Where a count decides there are two forms. */
export const usageStrings = codes as unknown as Record<keyof typeof codes, string>;

/** What a command line was refused with: yargs' code and values, the words, and what would have been understood. */
export interface UsageTrouble {
  readonly coded: string;
  readonly words: readonly string[];
  /** The command at hand; undefined where the words name none. */
  readonly command: string | undefined;
  /** Of that command, without their dashes. */
  readonly flags: readonly string[];
}

/** What is wrong with a command line, as a person would be told, and where to read on. */
export function usageWords(trouble: UsageTrouble): string {
  const help = trouble.command === undefined ? 'payrun --help' : `payrun ${trouble.command} --help`;
  return `${said(trouble)}\nTry: ${help}`;
}

function said(trouble: UsageTrouble): string {
  const { coded, command } = trouble;
  const [code = '', ...values] = coded.split(mark);
  const [first = '', second = '', third = ''] = values;
  switch (code.trim()) {
    case 'missing-word':
      return missingWord(command);
    case 'unknown':
      return unknownWords(namesIn(values.join(mark), trouble), trouble);
    case 'no-value':
      return `${dashed(first)} needs a value.`;
    case 'wrong-choice':
      return wrongChoice(first, second, third.trim());
    case 'near-command':
      return `There is no such command. Did you mean ${first}?`;
    default:
      return coded;
  }
}

/** Yargs joins several names by a comma, which one word may hold as well. */
function namesIn(text: string, { words }: UsageTrouble): string[] {
  return words.includes(text) ? [text] : text.split(', ');
}

const takesFile = ['validate', 'plan', 'run'];

function missingWord(command: string | undefined): string {
  if (command === undefined) return 'Say which command.';
  const what = takesFile.includes(command) ? 'file' : 'batch';
  return `Name the ${what}: payrun ${command} ${what.toUpperCase()}`;
}

/** Yargs names a flag twice where it has a dash, once in camel case. */
function unknownWords(names: readonly string[], trouble: UsageTrouble): string {
  const once = [...new Set(names.map(inKebab))];
  return once.map((name) => unknownWord(name, trouble)).join('\n');
}

function inKebab(name: string): string {
  return /^[a-z]+(?:[A-Z][a-z0-9]*)+$/.test(name)
    ? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    : name;
}

function unknownWord(name: string, { words, command, flags }: UsageTrouble): string {
  const isFlag = words.some((word) => word.split('=')[0] === dashed(name));
  if (isFlag) {
    const meant = nearestText(name, flags);
    const hint = meant === undefined ? '' : ` Did you mean ${dashed(meant)}?`;
    return `There is no flag ${dashed(name)}${command === undefined ? '' : ` of payrun ${command}`}.${hint}`;
  }
  if (command === undefined) return `There is no command "${name}".`;
  const flag = flagBefore(name, words);
  if (flag !== undefined && /^[A-Za-z]{3}=/.test(name)) {
    return `"${name}" is one word too many: repeat the flag for each currency, as in ${flag} KES=… ${flag} UGX=…`;
  }
  return `"${name}" is one word too many. A name with blanks in it needs quotes.`;
}

function flagBefore(name: string, words: readonly string[]): string | undefined {
  return words
    .slice(0, words.indexOf(name))
    .filter((word) => word.startsWith('--'))
    .at(-1)
    ?.split('=')[0];
}

function wrongChoice(name: string, given: string, choices: string): string {
  const [last, ...others] = choices
    .split(', ')
    .map((choice) => choice.replaceAll('"', ''))
    .reverse();
  const list = others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
  return `${dashed(name)} takes ${list}, not ${given}.`;
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}
