import { randomUUID } from 'node:crypto';
import type { Payout } from '../../domain/payout/payout.ts';
import type { JudgedPayout } from '../../domain/payout/shown-transaction.ts';
import { referenceOf } from '../../domain/reference.ts';
import type { Asked } from '../../journal/asked.ts';
import type { Payouts } from '../../journal/payouts/payout-queries.ts';
import type { RunContext, WorkerMemory } from '../run/run-context.ts';
import { type LookUp, type LookUpService, lookUp, type SelfTest } from './look-up.ts';
import type { LookUpDelays } from './look-up-delays.ts';

/** What a look-up that may be believed works with: of a run, or of a plan. */
export interface LookUpContext {
  readonly service: LookUpService;
  readonly payouts: Pick<Asked<Payouts>, 'transactionTaken'>;
  readonly memory: { readonly worker: Pick<WorkerMemory, 'selfTest'> };
  /** Of a run: what it has sent itself shows how long look-ups take. */
  readonly delays?: Pick<LookUpDelays, 'watch'>;
}

/**
 * A look-up that may be believed. Where its answer rests on the filter of the list, and not on a reference that the
 * service shows, it counts only if a reference that was never used found nothing in this run: a service that ignores
 * the filter would otherwise have us believe anything, last month's payment of the same sum among it.
 */
export function carefulLookUp(
  context: LookUpContext,
  payout: JudgedPayout & Pick<Payout, 'id'>,
): Promise<LookUp> {
  const look = () => believedLookUp(context, payout);
  return context.delays ? context.delays.watch(payout, look) : look();
}

async function believedLookUp(
  context: LookUpContext,
  payout: JudgedPayout & Pick<Payout, 'id'>,
): Promise<LookUp> {
  const { service, payouts } = context;
  const seen = await lookUp(service, payout, (id) => payouts.transactionTaken(id, payout.id));
  const restsOnFilter =
    seen.kind === 'not-found' || ((seen.kind === 'found' || seen.kind === 'differs') && !seen.showsReference);
  if (!restsOnFilter) return seen;
  const tested = await selfTest(context);
  if (tested.kind === 'passed') return seen;
  if (tested.kind === 'unavailable') return tested;
  const why = 'the service finds transactions under references that were never used';
  return { kind: 'undecided', why, alike: seen.kind === 'not-found' ? undefined : seen.alike };
}

/**
 * Walks the attempts upward: what the journal did not send itself may have been tried more than once, and corrected in
 * between. Gives the last attempt that the service holds, or the first look-up's answer where it holds none. Where it
 * holds one, or `further` says so, it is asked for two more after each that it does not show: a reference that was used
 * up, or a file that named a later attempt, leaves such a gap.
 */
export async function lookUpAttempts(
  context: RunContext,
  payout: Payout,
  { further }: { readonly further: boolean },
): Promise<{ readonly seen: LookUp; readonly attempt: number }> {
  let seen = await carefulLookUp(context, payout);
  let attempt = payout.attempt;
  let gap = seen.kind === 'not-found' ? 1 : 0;
  for (let next = attempt + 1; seen.kind === 'not-found' || hasFailed(seen); next += 1) {
    if (gap > (further || seen.kind !== 'not-found' ? mostPastGap : 0)) break;
    if (next > payout.attempt + mostFurtherAttempts) {
      return {
        seen: { kind: 'undecided', why: 'the service shows a failure under every reference' },
        attempt: payout.attempt,
      };
    }
    const reference = referenceOf(context.batch.name, context.batch.keyKind, payout.key, next);
    const later = await carefulLookUp(context, { ...payout, reference });
    gap = later.kind === 'not-found' ? gap + 1 : 0;
    if (later.kind === 'not-found') continue;
    seen = later;
    attempt = next;
  }
  return { seen, attempt };
}

/** How many attempts are asked for after one that the service does not show. */
export const mostPastGap = 2;

/** A service that ignores the filter and shows no references would find the same failure under every one of them. */
const mostFurtherAttempts = 20;

/** Whatever stands under the reference has failed, be it with the values of today or with those before a correction. */
export function hasFailed(seen: LookUp): boolean {
  return (seen.kind === 'found' && seen.status === 'failed') || (seen.kind === 'differs' && seen.allFailed);
}

/** Whether a reference that was never used finds nothing. Not answered is not failed: the next one asks again. */
function selfTest({ memory, service }: LookUpContext): Promise<SelfTest> {
  memory.worker.selfTest ??= (async (): Promise<SelfTest> => {
    const outcome = await service.listTransactions({ query: { externalReference: randomUUID(), limit: 1 } });
    if (outcome.kind === 'ok') return { kind: outcome.value.data.length === 0 ? 'passed' : 'failed' };
    memory.worker.selfTest = undefined;
    return { kind: 'unavailable', outcome };
  })();
  return memory.worker.selfTest;
}
