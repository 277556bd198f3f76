import { environmentText } from '../domain/environment/environment.ts';
import { type ResultSums, ResultTally } from '../domain/payout/result-tally.ts';
import { type ExitCode, exitCode, type PayrunError } from '../errors.ts';
import type { Journal } from '../journal/journal.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import type { PaidTwice } from '../journal/payouts/payout-queries.ts';
import { openResultRows, type ResultRows } from '../journal/payouts/result-rows.ts';
import { type ReadWith, readWithOf } from '../journal/read-with.ts';
import { type WrittenResults, writeResults } from './8-write-results.ts';
import { exitOfBatch } from './exit-of-batch.ts';
import type { RunContext } from './run/run-context.ts';

/** What a run has to say at its end. */
export interface RunSummary extends Omit<WrittenResults, 'resultsDigest'> {
  readonly batch: string;
  readonly environment: string;
  readonly exit: ExitCode;
  /** Of the dates that people read. */
  readonly timeZone: string;
  /** Paid twice: the first thing to be said. */
  readonly paidTwice: readonly PaidTwice[];
  /** Why it stopped early, if it did. */
  readonly stopped: PayrunError | undefined;
  readonly sends: number;
  /** Workers have it still, or gave or were made to give it back. Undefined where it was not left to any. */
  readonly workers?: 'at-it' | 'back' | undefined;
  /** How the file of the batch was read: a retry file is read in the same way. */
  readonly readWith: ReadWith;
}

/** Of a batch that workers carry out. */
interface ByOthers {
  readonly workers?: RunSummary['workers'];
  /** What was paid after this event was paid now, whoever did it. */
  readonly afterEvent?: number;
}

/**
 * Writes the results whatever became of the stages: a run that was stopped has paid people too. Unless others have the batch
 * now: then the files are theirs, and what is said here is how far they are.
 */
export async function finishRun(
  { db, journal }: { readonly db: JournalDatabase; readonly journal: Pick<Journal, 'write'> },
  context: RunContext,
  timeZone: string,
  stopped: PayrunError | undefined,
  { workers, afterEvent }: ByOthers = {},
): Promise<RunSummary> {
  const rows = openResultRows(db, context.batch.id, context.run, afterEvent);
  const { onEvent } = context;
  const paidTwice = await context.payouts.paidTwice();
  // The lock is lent only while a run settles what was sent: that another run has it now undoes nothing of that.
  const isTakenOver = stopped?.code === 'batch-locked';
  const written =
    isTakenOver || workers === 'at-it'
      ? db.transaction(() => tallyOf(rows))()
      : await writeResults({ rows, journal, timeZone, onEvent });
  if (isTakenOver) onEvent({ kind: 'notice', message: takenOver(context.batch.name) });
  return {
    batch: context.batch.name,
    environment: environmentText(context.batch.environment),
    ...written,
    exit: exitOf(written, isTakenOver ? undefined : stopped, context, paidTwice),
    timeZone,
    paidTwice,
    stopped: isTakenOver ? undefined : stopped,
    sends: context.memory.chunk.sends,
    workers,
    readWith: readWithOf(db, context.batch.id),
  };
}

/** As the journal has it. The files are left to the run that has the batch. */
function tallyOf(rows: ResultRows): Omit<WrittenResults, 'resultsDigest'> {
  const tally = new ResultTally();
  for (const page of rows.pages()) for (const row of page) tally.add(row);
  const { resultsPath } = rows.batch();
  return { ...tally.sums, resultsPath, retryPath: undefined, chainEnd: rows.chainEnd() };
}

function takenOver(batch: string): string {
  return `Another payrun took batch ${batch} over while this one waited for payouts to end: it goes on with it and writes the results.`;
}

function exitOf(
  sums: ResultSums,
  stopped: PayrunError | undefined,
  context: RunContext,
  paidTwice: readonly PaidTwice[],
): ExitCode {
  if (stopped) return stopped.exit;
  if (context.stopping() && sums.statuses.not_sent > 0) return exitCode.stoppedEarly;
  return exitOfBatch(sums, paidTwice);
}
