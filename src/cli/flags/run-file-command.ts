import { readBatch } from '../../journal/batch-record.ts';
import type { JournalDatabase } from '../../journal/open-journal.ts';
import { readWithOf, readWithWords } from '../../journal/read-with.ts';
import { nextBatchCommand } from './next-batch-command.ts';
import type { WorkspaceFlags } from './workspace-flags.ts';

/** The command that pays a retry file of a batch: with what the batch's own file needed to be read. */
export function runFileCommand(
  db: JournalDatabase,
  batch: string,
  flags: WorkspaceFlags,
): (path: string) => string {
  const known = readBatch(db, batch);
  const words = known ? readWithWords(readWithOf(db, known.id)) : [];
  return (path) => nextBatchCommand('run', path, flags, ...words);
}
