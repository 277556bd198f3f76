import yargs, { type Argv, type CommandModule } from 'yargs';
import { version } from '../../library/version.ts';
import { usageError } from '../flags/usage-error.ts';
import { flagName, usageMessage, usageStrings } from '../flags/usage-message.ts';
import { printPieces } from '../terminal/print.ts';
import type { Command, CommandGroup, Member } from './command.ts';
import { commandTable } from './command-table.ts';

/** What the script of a shell asks with, before the words typed so far. */
const completionFlag = '--get-yargs-completions';

interface ChosenCommand {
  readonly flags: Readonly<Record<string, unknown>>;
  run(): unknown;
}

const environmentHelp = `Environment: PAYRUN_BASE_URL, PAYRUN_API_KEY (or PAYRUN_API_KEY_FILE)
and PAYRUN_PUBLIC_KEY name the service, PAYRUN_API_PREFIX where its paths begin,
PAYRUN_CA_FILE the certificates (PEM) of a private authority,
PAYRUN_WORKSPACE the folder of the journal, PAYRUN_OPERATOR who decides,
PAYRUN_JOURNAL_URL (or PAYRUN_JOURNAL_URL_FILE) a journal in Postgres.`;

/** What the words ask for; nothing where the help or the version was asked for and shown. */
export async function chooseCommand(given: readonly string[]): Promise<ChosenCommand | undefined> {
  const words = given[0] === 'help' ? [...given.slice(1), '--help'] : given;
  refuseOtherWords(words);
  const modules = await commandsFor(words);
  const command = commandIn(words, modules);
  let chosen: ChosenCommand | undefined;
  // A handler that returns has yargs write out the help of its command for nobody, which takes longer than the rest.
  const leave = new Error('the command is known');
  const choosing = ({ members, ...module }: Module): CommandModule =>
    members === undefined
      ? {
          ...module,
          handler: (flags) => {
            refuseMissingValues(words, flags, module, command);
            // To ask for the options of a command takes time, and a single flag is not repeated.
            if (words.filter((word) => word.startsWith('-')).length > 1)
              refuseRepeatedFlags(words, flags, optionsOf(module));
            chosen = { flags, run: () => module.handler(flags) };
            throw leave;
          },
        }
      : {
          ...module,
          builder: (group) => group.command(members.map(choosing)).demandCommand(1, sayWhich(command)),
        };
  try {
    const isHelp = words.some(asksForHelp);
    const parser = yargs(
      isHelp ? words.filter((word) => !asksForHelp(word)) : withDashedValues(words, modules),
    )
      .updateStrings(usageStrings(command, words))
      .scriptName('payrun')
      .usage('$0 <command>\n\nPays a file: every valid row exactly once, whatever happens in between.')
      .command(modules.map(choosing))
      .demandCommand(1, 'Say which command: payrun --help lists them.')
      .strict()
      // What begins with --no- would be false, also where a folder or a number is wanted.
      .parserConfiguration({ 'boolean-negation': false })
      .recommendCommands()
      .version(version)
      .alias('help', 'h')
      .wrap(Math.min(110, process.stdout.columns ?? 110))
      .exitProcess(false)
      .fail((message, error, usage) => {
        if (error && error.name !== 'YError') throw error;
        // What is passed is the help of the command at hand, whatever the types say.
        const flags = Object.keys((usage as unknown as { getDescriptions(): object }).getDescriptions());
        const said = message || error.message;
        throw usageError(usageMessage({ said, words, command, flags }));
      });
    if (isHelp) {
      await printPieces([`${await help(parser, command)}\n`]);
      return undefined;
    }
    await parser.parseAsync();
  } catch (error) {
    if (error !== leave) throw error;
  }
  // Half a command line is completed and never carried out, whatever it would do.
  return words.includes(completionFlag) ? undefined : chosen;
}

function asksForHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

/** Examples first: whoever asks for help wants to type something. */
async function help(parser: Argv, command: string | undefined): Promise<string> {
  const [{ commandHelp }, { helpText }] = await Promise.all([
    import('./command-help.ts'),
    import('../flags/help-text.ts'),
  ]);
  const { examples = [], exits } = (command === undefined ? undefined : commandHelp[command]) ?? {};
  const shown = examples.map(([typed, says]) => `  ${typed}${says === '' ? '' : `\n      ${says}`}`);
  const text = helpText(await parser.getHelp());
  const [usage = '', ...rest] = text.split('\n\n');
  return [
    usage,
    ...rest.slice(0, 1),
    ...(shown.length > 0 ? [`Examples:\n${shown.join('\n')}`] : []),
    ...rest.slice(1),
    exits ?? (command === undefined ? environmentHelp : ''),
    'Everything else: see README.md.',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** What people type who come from other programs. */
const otherWords: Readonly<Record<string, string>> = {
  list: 'status',
  ls: 'status',
  pay: 'run',
  send: 'run',
  check: 'validate',
  history: 'log',
  verify: 'audit',
};

function refuseOtherWords(words: readonly string[]): void {
  const first = words.find((word) => !word.startsWith('-')) ?? '';
  const meant = otherWords[first];
  if (meant !== undefined && !words.some(isCommand) && isCommand(meant))
    throw usageError(`There is no command "${first}". Did you mean payrun ${meant}?\nTry: payrun --help`);
}

/**
 * A flag that takes a value takes the word behind it, also one that begins with a dash and a digit: `--repeat-window -5h`
 * is a wrong duration, and no call for help.
 */
function withDashedValues(words: readonly string[], modules: readonly CommandModule[]): string[] {
  const module = modules.find(({ command }) => nameOf(String(command)) === words.find(isCommand));
  if (!module || !words.some((word) => /^-\d/.test(word))) return [...words];
  const { key, boolean } = optionsOf(module);
  const takesValue = Object.keys(key).filter((name) => !boolean.includes(name));
  const joined: string[] = [];
  for (const word of words) {
    const flag = joined.at(-1) ?? '';
    if (/^-\d/.test(word) && takesValue.includes(flag.replace(/^--/, '')))
      joined.splice(-1, 1, `${flag}=${word}`);
    else joined.push(word);
  }
  return joined;
}

/**
 * Yargs takes a flag without its value for one that was not given. A variable of a script that is empty is no wish for the
 * usual folder or for full speed.
 */
function refuseMissingValues(
  words: readonly string[],
  flags: Readonly<Record<string, unknown>>,
  module: CommandModule,
  command: string | undefined,
): void {
  const isLacking = (word: string, place: number) =>
    /^--[^=]/.test(word) &&
    typeof flags[flagName(word)] !== 'boolean' &&
    (word.includes('=') ? /^[^=]*=$/.test(word) : isNoValue(words[place + 1]));
  const lacking = words.filter(isLacking).map(flagName);
  if (lacking.length === 0) return;
  const { boolean, count } = optionsOf(module);
  const lacks = lacking.find((name) => !boolean.includes(name) && !count.includes(name));
  if (lacks !== undefined) throw usageError(`--${lacks} needs a value.\nTry: payrun ${command} --help`);
}

function isNoValue(word: string | undefined): boolean {
  return word === undefined || word === '' || /^-[^-\d]|^--./.test(word);
}

/** Taking one of the two would be a guess. Yargs makes a list of them, but adds up numbers: 1 and 1 are 2 to it. */
function refuseRepeatedFlags(
  words: readonly string[],
  flags: Readonly<Record<string, unknown>>,
  { key, boolean, array }: ParserOptions,
): void {
  const given = words.filter((word) => word.startsWith('--')).map(flagName);
  const repeated = Object.keys(key)
    .filter((name) => !boolean.includes(name) && !array.includes(name))
    .find((name) => Array.isArray(flags[name]) || given.indexOf(name) !== given.lastIndexOf(name));
  if (repeated !== undefined) throw usageError(`--${repeated} is given twice.`);
}

/** The flags of a command as yargs knows them, whatever the types say. */
function optionsOf({ builder }: CommandModule): ParserOptions {
  const built = typeof builder === 'function' ? builder(yargs([])) : yargs([]);
  return (built as unknown as { getOptions(): ParserOptions }).getOptions();
}

interface ParserOptions {
  readonly key: Readonly<Record<string, unknown>>;
  readonly boolean: readonly string[];
  readonly array: readonly string[];
  /** Those that are counted. */
  readonly count: readonly string[];
}

/** A command of the table, or one of a group, which is all that the group has to offer. */
type Module = CommandModule & { readonly members?: readonly Module[] | undefined };

function moduleOf(usage: string, { says, ...member }: Member): Module {
  const known = { command: usage, describe: says };
  if (!('commands' in member)) return { ...known, ...(member as Command<object>) };
  const members = Object.entries(member.commands).map(([each, inside]) => moduleOf(each, inside));
  return { ...known, members, handler: () => undefined };
}

/** Which command the words name, with the words of its groups: `service accounts list`. */
function commandIn(words: readonly string[], modules: readonly Module[]): string | undefined {
  for (const [index, word] of words.entries()) {
    const module = modules.find(({ command }) => nameOf(String(command)) === word);
    if (module === undefined) continue;
    const inside = module.members && commandIn(words.slice(index + 1), module.members);
    return inside === undefined ? word : `${word} ${inside}`;
  }
  return undefined;
}

function sayWhich(command = ''): string {
  return `Say which: payrun ${command} --help lists them.`;
}

/** Only those that the words name are loaded: of the others their line in the help is enough. */
async function commandsFor(words: readonly string[]): Promise<Module[]> {
  return Promise.all(
    Object.entries(commandTable).map(async ([usage, { says, load }]) => {
      const command = words.includes(nameOf(usage)) ? ((await load()) as Loaded) : notLoaded;
      return moduleOf(usage, { says, ...command });
    }),
  );
}

type Loaded = CommandGroup | { readonly handler: (flags: object) => unknown };

const notLoaded: Loaded = { handler: () => undefined };

function isCommand(word: string): boolean {
  return Object.keys(commandTable).some((usage) => nameOf(usage) === word);
}

function nameOf(usage: string): string {
  const [name = ''] = usage.split(' ');
  return name;
}
