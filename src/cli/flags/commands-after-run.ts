import type { RunSummary } from '../../index.ts';
import type { NextCommands } from '../../report/run-report.ts';
import { nextBatchCommand } from './next-batch-command.ts';
import { runFileCommand } from './run-file-command.ts';
import type { WorkspaceFlags } from './workspace-flags.ts';

export function commandsAfterRun(
  { batch, readWith }: Pick<RunSummary, 'batch' | 'readWith'>,
  flags: WorkspaceFlags,
): NextCommands {
  return {
    resume: nextBatchCommand('resume', batch, flags),
    status: nextBatchCommand('status', batch, flags),
    runRetry: runFileCommand(readWith, flags),
  };
}
