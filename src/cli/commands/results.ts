import type { RunEvent } from '../../index.ts';
import { terminalText } from '../../report/terminal-text.ts';
import { batchName } from '../flags/flag-kinds.ts';
import { usageError } from '../flags/usage-error.ts';
import { type WorkspaceFlags, workspaceFlags } from '../flags/workspace-flags.ts';
import { payrunOf, withPayrun } from '../setup/payrun-of.ts';
import { printText, toStdout } from '../terminal/print.ts';
import type { Command } from './command.ts';

interface Flags extends WorkspaceFlags {
  batch: string;
  results: string | undefined;
}

export const resultsCommand: Command<Flags> = {
  builder: (yargs) =>
    yargs
      .positional('batch', batchName)
      .options(workspaceFlags)
      .option('results', { type: 'string', nargs: 1, describe: '- prints the CSV instead' }),
  handler: async (flags) =>
    withPayrun(await payrunOf(flags), async (payrun) => {
      if (flags.results !== undefined && flags.results !== '-')
        throw usageError(
          '--results takes - alone, which prints the CSV. They go elsewhere with: payrun resume BATCH --results FILE',
        );
      if (flags.results === '-')
        return void (await toStdout(() => payrun.results(flags.batch, { to: process.stdout })));
      const onEvent = (event: RunEvent) =>
        void ('message' in event && process.stderr.write(terminalText(`${event.message}\n`)));
      await printText(await payrun.results(flags.batch, { onEvent }));
    }),
};
