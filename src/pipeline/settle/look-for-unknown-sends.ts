import type { Payout } from '../../domain/payout/payout.ts';
import { noReason, reason, reasonText } from '../../domain/payout/reasons.ts';
import { referenceOf } from '../../domain/reference.ts';
import { adoptTransaction } from '../look-up/adopt-transaction.ts';
import { lookUpAttempts } from '../look-up/careful-look-up.ts';
import type { LookUp } from '../look-up/look-up.ts';
import { eachOf } from '../run/each-payout.ts';
import type { RunContext } from '../run/run-context.ts';
import { nameOnce } from './final-state.ts';

/** Each is a look-up of its own, which finds nothing wherever this journal knows all that was sent. */
const mostAsked = 500;
/** So many without an answer, and the others are not asked: whoever waits for the end of the run has been paid by now. */
const mostUntold = 3;

export interface LookedFor {
  /** The service has some of them. */
  readonly found: number;
  /** False where it did not answer. */
  readonly isTold: boolean;
}

/**
 * What this journal takes for failed, returned, held or cancelled may have been sent all the same: by a copy of it, by itself
 * before it was put back to an older state, or by a send that the service refused and made. Such a payout is nobody's to pay
 * another way, so it is looked up: of what failed the attempt after the last one that is known. Once everybody else was paid.
 */
export async function lookForUnknownSends(context: RunContext, sinceMs: number): Promise<LookedFor> {
  const { payouts, stopping } = context;
  let found = 0;
  let untold = 0;
  await eachOf(context, await payouts.notToBeSent(sinceMs, mostAsked), async (payout) => {
    if (untold >= mostUntold || stopping()) return;
    const { seen, attempt } = await lookUpAttempts(context, asked(context, payout), { further: false });
    if (seen.kind === 'unavailable') untold += 1;
    if (seen.kind === 'differs' && !seen.allFailed)
      nameOnce(context, payout, reasonText(reason('reference-of-another', { why: seen.why })));
    if (seen.kind !== 'found' || seen.status === 'failed') return;
    found += 1;
    await adoptUnknown(context, payout, seen, attempt);
  });
  return { found, isTold: untold === 0 };
}

/** One that came back may turn out to be paid once more; one that failed is read anyway, and only what came after it is not known. */
function asked({ batch }: RunContext, payout: Payout): Payout {
  if (payout.state === 'held' || payout.state === 'cancelled') return payout;
  const attempt = payout.lastAttempt + (payout.state === 'failed' ? 1 : 0);
  return { ...payout, attempt, reference: referenceOf(batch.name, batch.keyKind, payout.key, attempt) };
}

async function adoptUnknown(
  context: RunContext,
  payout: Payout,
  seen: Extract<LookUp, { kind: 'found' }>,
  attempt: number,
): Promise<void> {
  const { journal, memory, onEvent } = context;
  const why = `${payout.state}, yet the service holds it`;
  const present =
    payout.state === 'held' ? payout : await journal.move({ payout, to: 'planned', why, changes: noReason });
  await adoptTransaction(context, present, seen, attempt, why);
  // Whatever sent it may have sent others.
  memory.batch.lookUpEvery = true;
  const message = `payment ${payout.key} was ${payout.state}, yet the service holds it as transaction ${seen.transactionId} (attempt ${attempt})`;
  onEvent({ kind: 'alarm', message });
}
