import yargs, { type CommandModule } from 'yargs';

interface Flags {
  shell: 'bash' | 'zsh' | undefined;
}

export const completionCommand: CommandModule<object, Flags> = {
  command: 'completion [shell]',
  describe: 'Print the script that completes commands and flags in your shell',
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
