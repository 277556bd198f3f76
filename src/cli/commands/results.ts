import type { CommandModule } from 'yargs';
import { systemClock } from '../../clock.ts';
import { lockBatch } from '../../journal/batch-lock.ts';
import { createJournal } from '../../journal/journal.ts';
import { openResultRows } from '../../journal/payouts/result-rows.ts';
import { printResults, writeResults } from '../../pipeline/8-write-results.ts';
import { terminalText } from '../../report/terminal-text.ts';
import { type WorkspaceFlags, withWorkspaceFlags } from '../flags/workspace-flags.ts';
import { knownBatch, openKnownJournal } from '../setup/open-known-journal.ts';
import { operatorName } from '../setup/operator.ts';
import { printText, toStdout } from '../terminal/print.ts';

interface Flags extends WorkspaceFlags {
  batch: string;
  results: string | undefined;
}

export const resultsCommand: CommandModule<object, Flags> = {
  command: 'results <batch>',
  describe: 'Write the results of a batch again and print where they are',
  builder: (yargs) =>
    withWorkspaceFlags(yargs)
      .positional('batch', { type: 'string', demandOption: true, describe: 'Name of the batch' })
      .option('results', { type: 'string', nargs: 1, describe: '- prints the CSV instead' }),
  handler: async (flags) => {
    const { db, workspace: path, config } = openKnownJournal(flags);
    try {
      const batch = knownBatch(db, flags.batch);
      const rows = openResultRows(db, batch.id, '');
      const timeZone = config.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
      if (flags.results === '-')
        return await toStdout(() => printResults({ rows, timeZone }, process.stdout));
      const lock = await lockBatch(path, batch.name, systemClock);
      try {
        const journal = createJournal(db, systemClock, { run: 'results', operator: operatorName() });
        const onEvent = (event: { kind: string; message?: string }) =>
          void (event.message && process.stderr.write(terminalText(`${event.message}\n`)));
        const written = await writeResults({ rows, journal, timeZone, onEvent });
        await printText(written.resultsPath);
      } finally {
        lock.release();
      }
    } finally {
      db.close();
    }
  },
};
