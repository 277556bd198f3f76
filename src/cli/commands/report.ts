import { batchName } from '../flags/flag-kinds.ts';
import { type WorkspaceFlags, workspaceFlags } from '../flags/workspace-flags.ts';
import { payrunOf, withPayrun } from '../setup/payrun-of.ts';
import { ownSandboxIn } from '../setup/service-of.ts';
import { printText } from '../terminal/print.ts';
import type { Command } from './command.ts';

interface Flags extends WorkspaceFlags {
  batch: string;
}

export const reportCommand: Command<Flags> = {
  builder: (yargs) => yargs.positional('batch', batchName).options(workspaceFlags),
  handler: async (flags) => {
    const opened = await payrunOf(flags);
    await withPayrun(opened, async (payrun) => {
      const isSandbox = ownSandboxIn(opened.config);
      await printText((await payrun.report(flags.batch, { isSandbox })).path);
    });
  },
};
