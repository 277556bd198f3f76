import type { z } from 'zod';
import type { ResultSums } from '../domain/payout/result-tally.ts';
import type { ChainEnd } from '../journal/event-chain.ts';
import type { PaidTwice } from '../journal/payouts/payout-queries.ts';
import { exitOfBatch } from '../pipeline/finish-run.ts';
import { paidTwiceDocument, type runDocumentSchema, totalsDocument } from './run-document.ts';

export interface StatusFacts
  extends Pick<ResultSums, 'statuses' | 'totals' | 'invalidGone' | 'rowsNotTaken' | 'watched'> {
  readonly batch: string;
  readonly environment: string;
  readonly resultsPath: string | undefined;
  readonly retryPath: string | undefined;
  readonly chainEnd: ChainEnd;
  readonly paidTwice: readonly PaidTwice[];
}

/** A batch as `status BATCH --json` gives it, in the same form as a run and a resume. */
export function statusDocument(
  facts: StatusFacts,
): Omit<z.output<typeof runDocumentSchema>, 'results'> & { readonly results: string | null } {
  return {
    batch: facts.batch,
    environment: facts.environment,
    exit: exitOfBatch(facts, facts.paidTwice),
    ...totalsDocument(facts),
    results: facts.resultsPath ?? null,
    retry: facts.retryPath ?? null,
    journal: { event: facts.chainEnd.seq, hash: facts.chainEnd.hash },
    ...(facts.watched > 0 ? { watched: facts.watched } : {}),
    ...(facts.paidTwice.length > 0 ? { paidTwice: paidTwiceDocument(facts.paidTwice) } : {}),
  };
}
