import { existsSync, writeFileSync } from 'node:fs';
import type { CommandModule } from 'yargs';
import { openJournal } from '../../journal/open-journal.ts';
import { terminalText } from '../../report/terminal-text.ts';
import { configPath, journalPath, makeWorkspace } from '../../workspace.ts';
import { findWorkspace, type WorkspaceFlags, withWorkspaceFlags } from '../flags/workspace-flags.ts';
import { environmentKind } from '../setup/connect.ts';

export const initCommand: CommandModule<object, WorkspaceFlags> = {
  command: 'init',
  describe: 'Make the workspace: the folder that remembers what was paid',
  builder: (yargs) => withWorkspaceFlags(yargs),
  handler: (flags) => {
    const { path, config } = findWorkspace(flags);
    const journal = journalPath(path, environmentKind(flags.sandbox, config) ?? 'live');
    const isThere = existsSync(journal);
    makeWorkspace(path);
    openJournal(journal).close();
    const settings = configPath(path);
    makeConfig(settings);
    process.stdout.write(
      terminalText(
        `${isThere ? 'The workspace is already there' : 'Made the workspace'}: ${path}\n` +
          `Settings that are not secret go into ${settings}; credentials into PAYRUN_BASE_URL, PAYRUN_API_KEY (or PAYRUN_API_KEY_FILE) and PAYRUN_PUBLIC_KEY.\n` +
          'Next: payrun template > payroll.csv, fill it, and payrun validate payroll.csv\n',
      ),
    );
  },
};

/** Never through a link: one that leads nowhere is not there to a look, and would be written through. */
function makeConfig(path: string): void {
  try {
    writeFileSync(path, '{}\n', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
