import { randomUUID } from 'node:crypto';
import type { Payout } from '../domain/payout.ts';
import { referenceOf } from '../domain/reference.ts';
import { type LookUp, lookUp, type SelfTest } from './look-up.ts';
import type { RunContext } from './run-context.ts';

/**
 * A look-up that may be believed. Where its answer rests on the filter of the list, and not on a reference that the
 * service shows, it counts only if a reference that was never used found nothing in this run: a service that ignores
 * the filter would otherwise have us believe anything, last month's payment of the same sum among it.
 */
export async function carefulLookUp(context: RunContext, payout: Payout): Promise<LookUp> {
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
 * between. Gives the last attempt that the service holds, or the first look-up's answer where it holds none.
 */
export async function lookUpAttempts(
  context: RunContext,
  payout: Payout,
): Promise<{ readonly seen: LookUp; readonly attempt: number }> {
  let seen = await carefulLookUp(context, payout);
  let attempt = payout.attempt;
  while (hasFailed(seen)) {
    const next = attempt + 1;
    if (next > payout.attempt + mostFurtherAttempts) {
      return {
        seen: { kind: 'undecided', why: 'the service shows a failure under every reference' },
        attempt: payout.attempt,
      };
    }
    const reference = referenceOf(context.batch.name, context.batch.keyKind, payout.key, next);
    const later = await carefulLookUp(context, { ...payout, attempt: next, reference });
    if (later.kind === 'not-found') break;
    seen = later;
    attempt = next;
  }
  return { seen, attempt };
}

/** A service that ignores the filter and shows no references would find the same failure under every one of them. */
const mostFurtherAttempts = 100;

/** Whatever stands under the reference has failed, be it with the values of today or with those before a correction. */
export function hasFailed(seen: LookUp): boolean {
  return (seen.kind === 'found' && seen.status === 'failed') || (seen.kind === 'differs' && seen.allFailed);
}

/** Whether a reference that was never used finds nothing. Not answered is not failed: the next one asks again. */
function selfTest({ memory, service }: RunContext): Promise<SelfTest> {
  memory.selfTest ??= (async (): Promise<SelfTest> => {
    const outcome = await service.listTransactions({ query: { externalReference: randomUUID(), limit: 1 } });
    if (outcome.kind === 'ok') return { kind: outcome.value.data.length === 0 ? 'passed' : 'failed' };
    memory.selfTest = undefined;
    return { kind: 'unavailable', outcome };
  })();
  return memory.selfTest;
}
