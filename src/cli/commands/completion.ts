import yargs from 'yargs';
import type { Command } from './command.ts';

interface Flags {
  shell: 'bash' | 'zsh' | undefined;
}

export const completionCommand: Command<Flags> = {
  builder: (yargs) =>
    yargs.positional('shell', {
      choices: ['bash', 'zsh'] as const,
      describe: 'Default: the one that $SHELL names',
    }),
  handler: ({ shell }) => {
    // Yargs looks there, and nowhere else.
    if (shell !== undefined) process.env['SHELL'] = shell;
    yargs([]).scriptName('payrun').showCompletionScript();
  },
};
