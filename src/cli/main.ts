#!/usr/bin/env node
import yargs, { type CommandModule } from 'yargs';
import { hideBin } from 'yargs/helpers';
import { exitCode, PayrunError } from '../errors.ts';
import { failWith } from './fail-with.ts';
import { usageWords } from './usage-words.ts';
import { version } from './version.ts';

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
};

const environmentHelp = `Environment: PAYRUN_BASE_URL, PAYRUN_API_KEY (or PAYRUN_API_KEY_FILE) and PAYRUN_PUBLIC_KEY name the service,
PAYRUN_API_PREFIX where its paths begin, PAYRUN_CA_FILE the certificates (PEM) of a private authority,
PAYRUN_WORKSPACE the folder of the journal, PAYRUN_OPERATOR who decides.`;

try {
  await (await chosenBy(hideBin(process.argv)))?.();
} catch (error) {
  process.exitCode = failWith(error, process.argv.includes('--json'));
}

/** What the words ask for; nothing where the help or the version was asked for and shown. */
async function chosenBy(words: readonly string[]): Promise<(() => unknown) | undefined> {
  const modules = await commandsFor(words);
  let chosen: (() => unknown) | undefined;
  // A handler that returns has yargs write out the help of its command for nobody, which takes longer than the rest.
  const leave = new Error('the command is known');
  const choosing = modules.map((module) => ({
    ...module,
    handler: (flags: Parameters<CommandModule['handler']>[0]) => {
      chosen = () => module.handler(flags);
      throw leave;
    },
  }));
  try {
    await yargs(words)
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
        const command = words.find((word) => Object.hasOwn(commands, word));
        const said = usageWords({ message: message || error.message, words, command, flags });
        throw new PayrunError('usage', exitCode.usage, said);
      })
      .parseAsync();
  } catch (error) {
    if (error !== leave) throw error;
  }
  return chosen;
}

/**
 * Loading all of them takes longer than most of them work. A word in front that names one cannot mean another; where
 * it names none, all of them may be listed or suggested.
 */
async function commandsFor([first = '', ...more]: readonly string[]): Promise<CommandModule[]> {
  if (first === '--version' && more.length === 0) return [];
  const named = Object.hasOwn(commands, first) ? commands[first] : undefined;
  const loaded = await Promise.all((named ? [named] : Object.values(commands)).map((load) => load()));
  return loaded as CommandModule[];
}
