import { isWholeEnvironment } from '../../domain/environment/environment.ts';
import type { MissingPayout } from '../../domain/payout/missing-payout.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import type { BatchRecord } from '../../journal/batch-record.ts';
import type { JournalDatabase } from '../../journal/journal-database.ts';
import { payoutQueries } from '../../journal/payouts/payout-queries.ts';
import { askRunsOfSends, type RunsOfSends } from '../../journal/payouts/runs-of-sends.ts';
import type { LookUpService } from '../look-up/look-up.ts';
import { eachPayout } from '../run/each-payout.ts';
import { createSentLookUp, isListed, type SentLookUp, wasSent } from './find-sent-payouts.ts';

/** As the log says it of a batch that an earlier version began. */
export const accountTaken = 'the account is known by its keys from now on';

/** Whether the account of today may be taken for the one that a batch of an earlier version was begun with. */
export type AccountKnown =
  /** All that tells accounts apart was journaled with the batch: there is nothing to be found out. */
  | { readonly kind: 'whole' }
  /** `shown`: the service has shown a payout of the batch; else none was open that could be sent again. */
  | { readonly kind: 'may-be-taken'; readonly shown: boolean }
  | { readonly kind: 'unproven'; readonly missing: readonly MissingPayout[] };

/**
 * A journal of an earlier version knows of the account only its e-mail, and two accounts may share that. Where no payout
 * is open, nothing could be sent a second time, and the account of today may be taken. Where one is, it must be there.
 * One that is not may never have arrived: then every run that sent it must be known by another payout of its own, for a
 * run speaks with one account. Reads alone.
 */
export async function knowAccount(
  parts: { readonly db: JournalDatabase; readonly service: LookUpService; readonly concurrency: number },
  batch: Pick<BatchRecord, 'id' | 'environment'>,
): Promise<AccountKnown> {
  if (isWholeEnvironment(batch.environment)) return { kind: 'whole' };
  const payouts = payoutQueries(parts.db, batch.id);
  const lookUpSent = createSentLookUp({ service: parts.service, payouts });
  const isRunShown = createRunLookUp(parts.service, askRunsOfSends(parts.db));
  const missing: MissingPayout[] = [];
  let shown = false;
  await eachPayout({ payouts, settings: parts }, ['submitting', 'submitted', 'unclear'], async (payout) => {
    if (!wasSent(payout)) return;
    const why = await whyUnproven(lookUpSent, isRunShown, payout);
    if (why === undefined) shown = true;
    else missing.push({ payment: payout.key, state: payout.state, why });
  });
  return missing.length > 0 ? { kind: 'unproven', missing } : { kind: 'may-be-taken', shown };
}

async function whyUnproven(
  lookUpSent: SentLookUp,
  isRunShown: (payout: Payout) => Promise<boolean>,
  payout: Payout,
): Promise<MissingPayout['why'] | undefined> {
  const lack = await lookUpSent(payout);
  if (lack !== 'not-found' || payout.transactionId !== '') return lack;
  return (await isRunShown(payout)) ? undefined : lack;
}

function createRunLookUp(service: LookUpService, sends: RunsOfSends): (payout: Payout) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  const isShown = async (run: string): Promise<boolean> => {
    const accepted = sends.firstAccepted(run);
    return accepted !== undefined && isListed(service, accepted.reference, accepted.transactionId);
  };
  return async (payout) => {
    const runs = sends.runsThatSent(payout);
    for (const run of runs) {
      const asked = known.get(run) ?? isShown(run);
      known.set(run, asked);
      if (!(await asked)) return false;
    }
    return runs.length > 0;
  };
}
