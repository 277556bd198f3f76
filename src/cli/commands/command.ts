import type { Argv, CommandModule } from 'yargs';

/** What a command takes, and what it does. Its name and its line in the help stand in the table of commands. */
export type Command<Flags> = Pick<CommandModule<object, Flags>, 'builder' | 'handler'>;

/** A command that is only the first word of others. */
export interface CommandGroup {
  /** By their usage, in the order of the help. */
  readonly commands: Readonly<Record<string, Member>>;
}

export type Member = { readonly says: string } & (CommandGroup | MemberCommand);

/** A command among many of one kind: which flags it takes is its own business. */
interface MemberCommand {
  readonly builder?: (yargs: Argv<object>) => unknown;
  readonly handler: (flags: object) => unknown;
}
