import { type ReadWith, readWithWords } from '../../index.ts';
import { nextBatchCommand } from './next-batch-command.ts';
import type { WorkspaceFlags } from './workspace-flags.ts';

/** The command that pays a retry file of a batch: with what the batch's own file needed to be read. */
export function runFileCommand(readWith: ReadWith, flags: WorkspaceFlags): (path: string) => string {
  return (path) => nextBatchCommand('run', path, flags, ...readWithWords(readWith));
}
