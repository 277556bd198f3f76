import { maskNumbers } from '../../domain/text/mask-numbers.ts';
import { nearestText } from '../../domain/text/nearest-text.ts';

/** Where the first word says what to do. */
const toDo: Readonly<Record<string, string>> = {
  keys: 'keys new --out FILE',
  journal: 'journal move postgres://user@host/database',
};

/** What is to be named; of all other commands, the batch. */
const named: Readonly<Record<string, string>> = {
  validate: 'file',
  plan: 'file',
  approve: 'plan',
};

/** What yargs is to say, whatever the language of the machine. Node prints nothing for %c. */
export function usageStrings(
  command: string | undefined,
  words: readonly string[],
): Readonly<Record<string, string>> {
  const what = named[command ?? ''] ?? (command?.startsWith('service ') ? 'id' : 'batch');
  const unknown = command === undefined ? noCommand : tooManyOf(words);
  const strings = {
    'Not enough non-option arguments: got %s, need at least %s': always(
      toDo[command ?? ''] !== undefined
        ? `Say what to do: payrun ${toDo[command ?? '']}%c%c`
        : `Name the ${what}: payrun ${command} ${what.toUpperCase()}%c%c`,
    ),
    'Unknown argument: %s': unknown,
    'Unknown command: %s': unknown,
    'Missing required argument: %s': { one: '--%s is needed.', other: 'These flags are needed: %s.' },
    'Not enough arguments following: %s': '--%s needs a value.',
    'Invalid values:': ' ',
    'Argument: %s, Given: %s, Choices: %s': '--%s does not take %s. It takes one of: %s.',
    'Did you mean %s?': 'There is no such command. Did you mean %s?',
  };
  // Where a count decides, yargs takes two forms, whatever the types say.
  return strings as unknown as Record<keyof typeof strings, string>;
}

const always = (text: string) => ({ one: text, other: text });
const noCommand = always('There is no command "%s".');
const repeat = 'Repeat a flag for each currency, as in --max-total KES=… --max-total UGX=…';
const amounts: ReadonlySet<string> = new Set(['max-total', 'confirm-total', 'limit-payout']);

function tooManyOf(words: readonly string[]): { one: string; other: string } {
  const isOfAmounts = words.some((word) => word.startsWith('--') && amounts.has(flagName(word)));
  const hint = `A name with blanks in it needs quotes.${isOfAmounts ? `\n${repeat}` : ''}`;
  return { one: `"%s" is one word too many. ${hint}`, other: `These words are too many: %s. ${hint}` };
}

/** What a command line was refused with. */
export interface UsageTrouble {
  /** By yargs, in the strings above. */
  readonly said: string;
  readonly words: readonly string[];
  /** The command at hand; undefined where the words name none. */
  readonly command: string | undefined;
  /** Of that command, without their dashes. */
  readonly flags: readonly string[];
}

/** What is wrong with a command line, as a person would be told, and where to read on. */
export function usageMessage({ said, words, command, flags }: UsageTrouble): string {
  if (command === undefined) return `${said}\nTry: payrun --help`;
  const unknown = words.filter((word) => /^--?[^-\d=]/.test(word) && !flags.includes(flagName(word)));
  const [first = ''] = words;
  // Yargs took the command for its value, and has come to no flags but those of every command.
  if (unknown.includes(first) && flags.every((flag) => flag === 'help' || flag === 'version'))
    return `Flags come behind the command: payrun ${command} … ${first}\nTry: payrun ${command} --help`;
  const noFlags = unknown.map((word) => {
    const [flag = ''] = word.split('=');
    if (flag === '--dry-run')
      return 'There is no --dry-run: payrun plan FILE shows what a run would do, and sends nothing.';
    const meant = nearestText(flag.replace(/^--?/, ''), flags);
    const hint = meant === undefined ? '' : ` Did you mean --${meant}?`;
    return `There is no flag ${flag} of payrun ${command}.${hint}`;
  });
  const choices = said
    .trim()
    .split('\n')
    .map((line) => choiceMessage(line.trim(), words, command));
  const message = noFlags.join('\n') || choices.join('\n');
  // A number that was typed where none belongs may be the number of a card.
  const shown = command.startsWith('service') ? maskNumbers(message) : message;
  return `${shown}\nTry: payrun ${command} --help`;
}

/** Yargs calls a word by the name that it has in the program, and a value that is not there `true`. */
function choiceMessage(line: string, words: readonly string[], command: string): string {
  const [, flag, given, choices] = /^--(\S+) does not take (.*)\. It takes one of: (.*)\.$/.exec(line) ?? [];
  if (flag === undefined || given === undefined) return line;
  if (given === 'true' || given === '""') return `--${flag} needs a value. It takes one of: ${choices}.`;
  const isFlag = words.some((word) => word.startsWith('--') && flagName(word) === flag);
  return isFlag ? line : `payrun ${command} does not take ${given}. It takes one of: ${choices}.`;
}

/** Which flag a word gives: `max-total` for --max-total=KES=1, and also for --maxTotal, as yargs has it. */
export function flagName(word: string): string {
  const [flag = ''] = word.split('=');
  return flag.replace(/^--/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
