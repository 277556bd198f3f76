import { existsSync } from 'node:fs';
import { environmentText } from '../domain/environment/environment.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { perStatus, statusOf, unfinishedStates } from '../domain/payout/payout-state.ts';
import { type ResultSums, ResultTally } from '../domain/payout/result-tally.ts';
import type { ExitCode } from '../errors.ts';
import type { BatchRecord } from '../journal/batch-record.ts';
import { type BatchWork, chunkCounts, readTerms } from '../journal/chunks.ts';
import type { ChainEnd } from '../journal/event-chain.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { type PaidTwice, payoutQueries } from '../journal/payouts/payout-queries.ts';
import { openResultRows } from '../journal/payouts/result-rows.ts';
import { type HeldGroup, statusQueries } from '../journal/payouts/status-queries.ts';
import { type ReadWith, readWithOf } from '../journal/read-with.ts';
import { sharedOf } from '../journal/shared/shared-of.ts';
import { exitOfBatch } from '../pipeline/exit-of-batch.ts';
import type { ListedBatch } from '../report/batch-list.ts';

/** How far a batch has come. */
export interface BatchStatus
  extends Pick<
    ResultSums,
    'statuses' | 'totals' | 'invalidGone' | 'rowsNotTaken' | 'decided' | 'watched' | 'doubted' | 'paidBefore'
  > {
  readonly batch: string;
  readonly environment: string;
  /** What a run that left it so would have ended with. */
  readonly exit: ExitCode;
  readonly begunMs: number;
  readonly lastSendMs: number | null;
  /** When the one was sent that has been pending or unknown for longest. */
  readonly oldestPendingMs: number | null;
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
  /** The first of those that are paid and of which the service has said something else since. */
  readonly doubts: readonly Payout[];
  /** Where it was left to workers. */
  readonly work: BatchWork | undefined;
}

const unclearShown = 20;

/** Undefined where nobody was asked to carry it out but whoever runs it. */
export async function workOnBatch(db: JournalDatabase, batch: number): Promise<BatchWork | undefined> {
  const chunks = chunkCounts(db, batch);
  const payouts = payoutQueries(db, batch);
  const isOpen = payouts.count(unfinishedStates) + payouts.watchedCount() > 0;
  // Once somebody else has brought it to its end it is of no use to anybody.
  const stopped = isOpen ? readTerms(db, batch)?.stopped : undefined;
  const shared = sharedOf(db);
  if (!shared || (chunks.all === 0 && stopped === undefined)) return undefined;
  return { chunks, stopped, ...(await shared.work()) };
}

export function statusOfBatch(
  db: JournalDatabase,
  batch: BatchRecord,
  timeZone: string,
): Omit<BatchStatus, 'work'> {
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
    oldestPendingMs: questions.openPayouts(0).oldestPendingMs,
    timeZone,
    resultsPath: existsSync(batch.resultsPath) ? batch.resultsPath : undefined,
    retryPath: Object.keys(rows.retryDigests()).find((path) => existsSync(path)),
    readWith: readWithOf(db, batch.id),
    chainEnd: rows.chainEnd(),
    paidTwice,
    held: questions.heldGroups(),
    unclear: questions.unclear(unclearShown),
    doubts: tally.sums.doubted === 0 ? [] : questions.doubted(unclearShown),
  };
}

/** `pendingForMs`: for the exit code, what has not ended counts only once it has been so for this long. */
export function listBatches(
  db: JournalDatabase,
  batches: readonly BatchRecord[],
  nowMs: number,
  pendingForMs: number | undefined,
): ListedBatch[] {
  return batches.map(({ id, name, environment, createdMs, lastSendMs }) => {
    const payouts = payoutQueries(db, id);
    const questions = statusQueries(db, id);
    const asOf = pendingForMs === undefined ? Number.MAX_SAFE_INTEGER : nowMs - pendingForMs;
    const { oldestPendingMs, overdue } = questions.openPayouts(asOf);
    const shares = payouts.statuses();
    const invalid = questions.invalidRows();
    const paidTwice = payouts.paidTwice();
    return {
      name,
      environment: environmentText(environment),
      createdMs,
      lastSendMs,
      oldestPendingMs,
      overdue,
      exit: exitOfListed(shares, overdue, questions.rowsToMend(), paidTwice),
      payouts: shares,
      invalidRows: invalid.all,
      invalidGone: invalid.gone,
      watched: payouts.watchedCount(),
      doubted: shares.reduce((sum, share) => sum + share.doubted, 0),
      paidTwice,
    };
  });
}

/** As `exitOfBatch`, from counts alone: nobody waits for every row of each batch. */
function exitOfListed(
  shares: ListedBatch['payouts'],
  overdue: number,
  rowsToMend: number,
  paidTwice: readonly PaidTwice[],
): ExitCode {
  const statuses = perStatus(0);
  let doubted = 0;
  for (const share of shares) {
    statuses[statusOf(share.state, share.everSent)] += share.count;
    doubted += share.doubted;
  }
  const open = { pending: overdue, unknown: 0, not_sent: 0, invalid: 0 };
  const counts = { invalidGone: 0, rowsNotTaken: rowsToMend, watched: 0, doubted };
  const sums = { statuses: { ...statuses, ...open }, ...counts };
  return exitOfBatch(sums, paidTwice);
}
