import type { ResultSums } from '../domain/payout/result-tally.ts';
import type { BatchWork } from '../journal/chunks.ts';
import { exitOfBatch } from '../pipeline/exit-of-batch.ts';
import type { RunSummary } from '../pipeline/finish-run.ts';
import { timesDocument } from './batch-list.ts';
import { runDocument } from './run-document.ts';
import type { RunDocument } from './schemas/run-document-schema.ts';

export interface StatusFacts
  extends Pick<
      ResultSums,
      'statuses' | 'totals' | 'invalidGone' | 'rowsNotTaken' | 'decided' | 'watched' | 'doubted'
    >,
    Pick<RunSummary, 'batch' | 'environment' | 'retryPath' | 'chainEnd' | 'paidTwice'> {
  readonly resultsPath: string | undefined;
  readonly begunMs: number;
  readonly lastSendMs: number | null;
  readonly oldestPendingMs: number | null;
  /** Where it was left to workers. */
  readonly work?: BatchWork | undefined;
}

interface StatusOnly {
  readonly kind: 'status';
  readonly results: string | null;
}

/** A batch as `status BATCH --json` gives it, in the same form as a run and a resume. */
export function statusDocument(
  facts: StatusFacts,
): Omit<RunDocument, 'results' | 'kind'> & ReturnType<typeof timesDocument> & StatusOnly {
  const exit = exitOfBatch(facts, facts.paidTwice);
  const document = runDocument({ ...facts, exit, resultsPath: facts.resultsPath ?? '', stopped: undefined });
  return {
    ...document,
    kind: 'status',
    results: facts.resultsPath ?? null,
    ...timesDocument(facts),
    ...(facts.work ? { work: workDocument(facts.work) } : {}),
  };
}

function workDocument({ chunks, stopped, workers, pausedForMs }: BatchWork): RunDocument['work'] {
  return {
    chunks: { all: chunks.all, toDo: chunks.toDo },
    workers: workers.map(({ name, doing, seenMsAgo, ratePerSecond }) => ({
      name,
      doing,
      seenSecondsAgo: Math.round(seenMsAgo / 1000),
      ratePerSecond: ratePerSecond ?? null,
    })),
    pace: { ratePerSecond: rateOf(workers) ?? null, pausedForSeconds: Math.ceil(pausedForMs / 1000) },
    givenBack: stopped ? { code: stopped.code, message: stopped.message } : null,
  };
}

/** The most that workers make together: undefined where one of them was told no rate, for that one keeps to none. */
export function rateOf(workers: BatchWork['workers']): number | undefined {
  const rates = workers.map(({ ratePerSecond = Number.POSITIVE_INFINITY }) => ratePerSecond);
  const most = Math.max(0, ...rates);
  return most > 0 && Number.isFinite(most) ? most : undefined;
}
