import type { CommandModule } from 'yargs';

/** What a command takes, and what it does. Its name and its line in the help stand in the table of commands. */
export type Command<Flags> = Pick<CommandModule<object, Flags>, 'builder' | 'handler'>;
