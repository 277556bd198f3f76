import type { JournalDatabase } from '../../journal/open-journal.ts';
import type { NextCommands } from '../../report/run-report.ts';
import { nextBatchCommand } from './next-batch-command.ts';
import { runFileCommand } from './run-file-command.ts';
import type { WorkspaceFlags } from './workspace-flags.ts';

export function commandsAfterRun(db: JournalDatabase, batch: string, flags: WorkspaceFlags): NextCommands {
  return {
    resume: nextBatchCommand('resume', batch, flags),
    status: nextBatchCommand('status', batch, flags),
    runRetry: runFileCommand(db, batch, flags),
  };
}
