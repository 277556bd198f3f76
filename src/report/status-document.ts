import type { ResultSums } from '../domain/payout/result-tally.ts';
import { exitOfBatch } from '../pipeline/exit-of-batch.ts';
import type { RunSummary } from '../pipeline/finish-run.ts';
import { timesDocument } from './batch-list.ts';
import { runDocument } from './run-document.ts';
import type { RunDocument } from './schemas/run-document-schema.ts';

export interface StatusFacts
  extends Pick<ResultSums, 'statuses' | 'totals' | 'invalidGone' | 'rowsNotTaken' | 'decided' | 'watched'>,
    Pick<RunSummary, 'batch' | 'environment' | 'retryPath' | 'chainEnd' | 'paidTwice'> {
  readonly resultsPath: string | undefined;
  readonly begunMs: number;
  readonly lastSendMs: number | null;
  readonly oldestPendingMs: number | null;
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
  return { ...document, kind: 'status', results: facts.resultsPath ?? null, ...timesDocument(facts) };
}
