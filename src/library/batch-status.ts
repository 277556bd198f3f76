import { existsSync } from 'node:fs';
import { environmentText } from '../domain/environment/environment.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { type ResultSums, ResultTally } from '../domain/payout/result-tally.ts';
import type { ExitCode } from '../errors.ts';
import { allBatches, type BatchRecord } from '../journal/batch-record.ts';
import type { ChainEnd } from '../journal/event-chain.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { type PaidTwice, payoutQueries } from '../journal/payouts/payout-queries.ts';
import { openResultRows } from '../journal/payouts/result-rows.ts';
import { type HeldGroup, statusQueries } from '../journal/payouts/status-queries.ts';
import { type ReadWith, readWithOf } from '../journal/read-with.ts';
import { exitOfBatch } from '../pipeline/exit-of-batch.ts';
import type { ListedBatch } from '../report/batch-list.ts';

/** How far a batch has come. */
export interface BatchStatus
  extends Pick<
    ResultSums,
    'statuses' | 'totals' | 'invalidGone' | 'rowsNotTaken' | 'decided' | 'watched' | 'paidBefore'
  > {
  readonly batch: string;
  readonly environment: string;
  /** What a run that left it so would have ended with. */
  readonly exit: ExitCode;
  readonly begunMs: number;
  readonly lastSendMs: number | null;
  readonly timeZone: string;
  readonly resultsPath: string | undefined;
  readonly retryPath: string | undefined;
  /** How its file was read: a retry file is read in the same way. */
  readonly readWith: ReadWith;
  readonly chainEnd: ChainEnd;
  readonly paidTwice: readonly PaidTwice[];
  readonly held: readonly HeldGroup[];
  /** The first of them. */
  readonly unclear: readonly Payout[];
}

const unclearShown = 20;

export function statusOfBatch(db: JournalDatabase, batch: BatchRecord, timeZone: string): BatchStatus {
  // No run is under way here, so whatever was paid was paid before.
  const rows = openResultRows(db, batch.id, '');
  const tally = new ResultTally();
  for (const page of rows.pages()) for (const row of page) tally.add(row);
  const questions = statusQueries(db, batch.id);
  const paidTwice = payoutQueries(db, batch.id).paidTwice();
  return {
    ...tally.sums,
    batch: batch.name,
    environment: environmentText(batch.environment),
    exit: exitOfBatch(tally.sums, paidTwice),
    begunMs: batch.createdMs,
    lastSendMs: batch.lastSendMs,
    timeZone,
    resultsPath: existsSync(batch.resultsPath) ? batch.resultsPath : undefined,
    retryPath: Object.keys(rows.retryDigests()).find((path) => existsSync(path)),
    readWith: readWithOf(db, batch.id),
    chainEnd: rows.chainEnd(),
    paidTwice,
    held: questions.heldGroups(),
    unclear: questions.unclear(unclearShown),
  };
}

export function listBatches(db: JournalDatabase): ListedBatch[] {
  return allBatches(db).map(({ id, name, environment }) => {
    const payouts = payoutQueries(db, id);
    return {
      name,
      environment: environmentText(environment),
      payouts: payouts.statuses(),
      invalidRows: statusQueries(db, id).invalidRows(),
      watched: payouts.watchedCount(),
      paidTwice: payouts.paidTwice(),
    };
  });
}
