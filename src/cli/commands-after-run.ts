import type { NextCommands } from '../report/run-report.ts';
import { nextBatchCommand } from './next-batch-command.ts';
import type { WorkspaceFlags } from './workspace-flags.ts';

export function commandsAfterRun(batch: string, flags: WorkspaceFlags): NextCommands {
  return {
    resume: nextBatchCommand('resume', batch, flags),
    status: nextBatchCommand('status', batch, flags),
    runRetry: (path) => nextBatchCommand('run', path, flags),
  };
}
