import yargs, { type CommandModule } from 'yargs';
import { version } from '../../library/version.ts';
import { usageError } from '../flags/usage-error.ts';
import { flagName, usageMessage, usageStrings } from '../flags/usage-message.ts';

/** In the order of the help. */
const commands: Readonly<Record<string, () => Promise<unknown>>> = {
  init: async () => (await import('./init.ts')).initCommand,
  template: async () => (await import('./template.ts')).templateCommand,
  validate: async () => (await import('./validate.ts')).validateCommand,
  plan: async () => (await import('./plan.ts')).planCommand,
  run: async () => (await import('./run.ts')).runCommand,
  resume: async () => (await import('./resume.ts')).resumeCommand,
  results: async () => (await import('./results.ts')).resultsCommand,
  status: async () => (await import('./status.ts')).statusCommand,
  retry: async () => (await import('./retry.ts')).retryCommand,
  release: async () => (await import('./release.ts')).releaseCommand,
  cancel: async () => (await import('./cancel.ts')).cancelCommand,
  decide: async () => (await import('./decide.ts')).decideCommand,
  rebind: async () => (await import('./rebind.ts')).rebindCommand,
  audit: async () => (await import('./audit.ts')).auditCommand,
  listen: async () => (await import('./listen.ts')).listenCommand,
  sandbox: async () => (await import('./sandbox.ts')).sandboxCommand,
  completion: async () => (await import('./completion.ts')).completionCommand,
};

/** What the script of a shell asks with, before the words typed so far. */
const completionFlag = '--get-yargs-completions';

interface ChosenCommand {
  readonly flags: Readonly<Record<string, unknown>>;
  run(): unknown;
}

const environmentHelp = `Environment: PAYRUN_BASE_URL, PAYRUN_API_KEY (or PAYRUN_API_KEY_FILE) and PAYRUN_PUBLIC_KEY name the service,
PAYRUN_API_PREFIX where its paths begin, PAYRUN_CA_FILE the certificates (PEM) of a private authority,
PAYRUN_WORKSPACE the folder of the journal, PAYRUN_OPERATOR who decides.`;

/** What the words ask for; nothing where the help or the version was asked for and shown. */
export async function chooseCommand(words: readonly string[]): Promise<ChosenCommand | undefined> {
  const modules = await commandsFor(words);
  const command = words.find((word) => Object.hasOwn(commands, word));
  let chosen: ChosenCommand | undefined;
  // A handler that returns has yargs write out the help of its command for nobody, which takes longer than the rest.
  const leave = new Error('the command is known');
  const choosing = modules.map((module) => ({
    ...module,
    handler: (flags: Parameters<CommandModule['handler']>[0]) => {
      refuseRepeatedFlags(words, flags, optionsOf(module));
      chosen = { flags, run: () => module.handler(flags) };
      throw leave;
    },
  }));
  try {
    await yargs(withDashedValues(words, modules))
      .updateStrings(usageStrings(command))
      .scriptName('payrun')
      .usage('$0 <command>\n\nPays a file: every valid row exactly once, whatever happens in between.')
      .command(choosing)
      .demandCommand(1, 'Say which command: payrun --help lists them.')
      .strict()
      .recommendCommands()
      .version(version)
      .alias('help', 'h')
      .wrap(Math.min(110, process.stdout.columns ?? 110))
      .epilogue(`${environmentHelp}\n\nExit codes and everything else: see README.md.`)
      .exitProcess(false)
      .fail((message, error, usage) => {
        if (error && error.name !== 'YError') throw error;
        // What is passed is the help of the command at hand, whatever the types say.
        const flags = Object.keys((usage as unknown as { getDescriptions(): object }).getDescriptions());
        const said = message || error.message;
        throw usageError(usageMessage({ said, words, command, flags }));
      })
      .parseAsync();
  } catch (error) {
    if (error !== leave) throw error;
  }
  // Half a command line is completed and never carried out, whatever it would do.
  return words.includes(completionFlag) ? undefined : chosen;
}

/**
 * A flag that takes a value takes the word behind it, also one that begins with a dash and a digit: `--repeat-window -5h`
 * is a wrong duration, and no call for help.
 */
function withDashedValues(words: readonly string[], modules: readonly CommandModule[]): string[] {
  const [module, ...others] = modules;
  if (!module || others.length > 0) return [...words];
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
}

/**
 * Loading all of them takes longer than most of them work. A word in front that names one cannot mean another; where
 * it names none, all of them may be listed or suggested.
 */
async function commandsFor(words: readonly string[]): Promise<CommandModule[]> {
  const [first = '', ...more] = words[0] === completionFlag ? words.slice(2) : words;
  if (first === '--version' && more.length === 0) return [];
  const named = Object.hasOwn(commands, first) ? commands[first] : undefined;
  const loaded = await Promise.all((named ? [named] : Object.values(commands)).map((load) => load()));
  return loaded as CommandModule[];
}
