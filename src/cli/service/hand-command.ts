import type { InferredOptionTypes, Options } from 'yargs';
import type { HandCall } from '../../index.ts';
import type { Member } from '../commands/command.ts';
import { jsonFlag, switchFlag, textFlag } from '../flags/flag-kinds.ts';
import { workspaceFlags } from '../flags/workspace-flags.ts';
import type { CommonFlags, DescribedCall } from './described-call.ts';
import { makeCall } from './make-call.ts';

const commonFlags = {
  ...workspaceFlags,
  show: switchFlag('Show account numbers whole'),
  json: jsonFlag,
};

export const idFlag = { ...textFlag('Which one'), demandOption: true } as const;
export const yesFlag = switchFlag('Do not ask');

const exitsHelp = `Exit codes: 0 done; 2 the flags or what they hold; 3 refused by the service, nothing was done; 4 no clear answer, it may have been done; 6 not confirmed; 69 not reachable; 77, 78 credentials or settings.`;

type FlagTable = Readonly<Record<string, Options>>;

/** The command line of a call. A flag named `id` is a word of its own, without dashes. */
export function handCommand<Name extends HandCall, Table extends FlagTable>(
  options: Table,
  command: DescribedCall<Name, InferredOptionTypes<Table>>,
): Member {
  const { id, ...flags } = options;
  return {
    says: command.says,
    builder: (yargs) =>
      (id === undefined ? yargs : yargs.positional('id', id as { type: 'string' }))
        .options({ ...flags, ...commonFlags })
        .example(`$0 service ${command.example}`, '')
        .epilogue(exitsHelp),
    handler: (given) => makeCall(command, given as InferredOptionTypes<Table> & CommonFlags),
  };
}
