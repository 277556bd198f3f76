import { writeFileSync } from 'node:fs';
import { terminalText } from '../../report/terminal-text.ts';
import { configPath } from '../../workspace.ts';
import { type WorkspaceFlags, workspaceFlags } from '../flags/workspace-flags.ts';
import { payrunOf, withPayrun } from '../setup/payrun-of.ts';
import type { Command } from './command.ts';
import { exampleConfig } from './example-config.ts';

export const initCommand: Command<WorkspaceFlags> = {
  builder: (yargs) => yargs.options(workspaceFlags),
  handler: async (flags) => {
    const opened = await payrunOf(flags);
    return withPayrun(opened, async (payrun) => {
      const isThere = await payrun.init();
      const settings = configPath(payrun.workspace);
      makeFile(settings, '{}\n');
      makeFile(`${settings.replace(/\.json$/, '')}.example.jsonc`, exampleConfig);
      process.stdout.write(
        terminalText(
          `${opened.workspace.exists ? 'The workspace is already there' : 'Made the workspace'}: ${payrun.workspace}\n` +
            `${isThere ? 'Its journal' : 'Made its journal'}: ${await payrun.journalPlace()}\n` +
            `Settings that are not secret (an example with comments lies beside them):\n  ${settings}\n` +
            (flags.sandbox ? onSandbox : atService),
        ),
      );
    });
  },
};

const onSandbox =
  'It is for the embedded service, which needs no credentials.\nNext: payrun run FILE --sandbox\n';
const atService =
  'Credentials: PAYRUN_BASE_URL, PAYRUN_PUBLIC_KEY and PAYRUN_API_KEY (or\n  PAYRUN_API_KEY_FILE).\n' +
  'Next: payrun validate FILE (payrun template prints an empty one)\n';

/** Never through a link: one that leads nowhere is not there to a look, and would be written through. */
function makeFile(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
