import type { Payout } from '../../domain/payout/payout.ts';
import { noReason, reason, reasonText } from '../../domain/payout/reasons.ts';
import { referenceOf } from '../../domain/reference.ts';
import { adoptTransaction } from '../look-up/adopt-transaction.ts';
import { lookUpAttempts } from '../look-up/careful-look-up.ts';
import type { LookUp } from '../look-up/look-up.ts';
import { eachPayout } from '../run/each-payout.ts';
import type { RunContext } from '../run/run-context.ts';
import { nameOnce } from './final-state.ts';

/** Each is a look-up of its own, which finds nothing wherever this journal knows all that was sent. */
const mostAsked = 500;

/**
 * What this journal takes for failed, returned, held or cancelled may have been sent all the same: by a copy of it, by itself
 * before it was put back to an older state, or by a send that the service refused and made. Such a payout is nobody's to pay
 * another way, so it is looked up: of what failed the attempt after the last one that is known.
 */
export async function lookForUnknownSends(
  context: RunContext,
  isRecent: (payout: Payout) => boolean,
): Promise<void> {
  let left = mostAsked;
  await eachPayout(context, ['failed', 'returned', 'held', 'cancelled'], async (payout) => {
    const hasEnded = payout.state === 'failed' || payout.state === 'returned';
    if (left <= 0 || context.stopping() || (hasEnded && !isRecent(payout))) return;
    left -= 1;
    const asked = hasEnded ? asAttempt(context, payout, payout.lastAttempt + 1) : payout;
    const { seen, attempt } = await lookUpAttempts(context, asked, { further: false });
    if (seen.kind === 'differs' && !seen.allFailed)
      nameOnce(context, payout, reasonText(reason('reference-of-another', { why: seen.why })));
    if (seen.kind === 'found' && seen.status !== 'failed') await adoptUnknown(context, payout, seen, attempt);
  });
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

function asAttempt({ batch }: RunContext, payout: Payout, attempt: number): Payout {
  return { ...payout, attempt, reference: referenceOf(batch.name, batch.keyKind, payout.key, attempt) };
}
