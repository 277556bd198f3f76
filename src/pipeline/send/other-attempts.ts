import type { Payout } from '../../domain/payout/payout.ts';
import { reason } from '../../domain/payout/reasons.ts';
import { isReleased } from '../../domain/payout/release-marks.ts';
import { referenceOf } from '../../domain/reference.ts';
import { adoptTransaction } from '../look-up/adopt-transaction.ts';
import { carefulLookUp, hasFailed } from '../look-up/careful-look-up.ts';
import type { LookUp } from '../look-up/look-up.ts';
import { readUnlisted } from '../look-up/read-unlisted.ts';
import type { Breaker } from '../run/breaker.ts';
import type { RunContext } from '../run/run-context.ts';
import { movedEvent } from '../run/run-events.ts';

/**
 * Just before an attempt is sent, for the first time or again, every other one must still be failed: a late success would
 * make it the second. One that pays after all is the payment, and nothing more is sent. One that this journal did not
 * send must be shown as failed, unless a person says that it goes out all the same.
 */
export async function otherAttemptsFailed(
  context: RunContext,
  breaker: Breaker,
  payout: Payout,
): Promise<boolean> {
  for (let attempt = 1; attempt <= payout.lastAttempt; attempt += 1) {
    if (attempt === payout.attempt) continue;
    const reference = referenceOf(context.batch.name, context.batch.keyKind, payout.key, attempt);
    const seen = await lookUpKnown(context, { ...payout, attempt, reference });
    if (hasFailed(seen)) continue;
    // A refused or burnt attempt left nothing behind: an empty list is what it should show.
    if (seen.kind === 'not-found' && (await mayBeAbsent(context, payout, reference))) continue;
    const shown = seen.kind === 'not-found' ? notShown : seen;
    await standBack(context, breaker, payout, attempt, shown);
    return false;
  }
  return true;
}

const notShown = {
  kind: 'undecided',
  why: 'the service does not show it, and this journal did not send it',
} as const satisfies LookUp;

/** Of what somebody else is said to have tried, nothing shows whether it failed. */
async function mayBeAbsent({ journal }: RunContext, payout: Payout, reference: string): Promise<boolean> {
  if ((await journal.lastSendEnd({ id: payout.id, reference })) !== undefined) return true;
  return isReleased(payout, 'repeat') || isReleased(payout, 'send');
}

async function standBack(
  context: RunContext,
  breaker: Breaker,
  payout: Payout,
  attempt: number,
  seen: Exclude<LookUp, { kind: 'not-found' }>,
): Promise<void> {
  if (seen.kind === 'unavailable') {
    breaker.troubled(seen.outcome.cause);
    return;
  }
  if (seen.kind === 'found') {
    const why = `attempt ${attempt} (${seen.transactionId}) is ${seen.status} after all`;
    await adoptTransaction(context, payout, seen, attempt, why);
    context.onEvent({ kind: 'alarm', message: `payment ${payout.key}: ${why}; nothing more is sent` });
    return;
  }
  const named = { attempt: String(attempt) };
  const because =
    seen.kind === 'differs'
      ? reason('earlier-attempt-open', {
          ...named,
          transactions: namesOf(seen.successful.map(({ transactionId }) => transactionId)),
        })
      : reason('earlier-attempt-untold', { ...named, why: seen.why });
  // What was sent already is not held: nobody knows how it ends.
  const rest =
    payout.state === 'submitting'
      ? ({ to: 'unclear', changes: because } as const)
      : ({ to: 'held', changes: { hold: 'repeat', ...because } } as const);
  await context.journal.move({ payout, ...rest });
  context.onEvent(movedEvent(payout, rest.to, because));
}

function namesOf(transactions: readonly string[]): string {
  return transactions.length === 0 ? '' : ` (${transactions.join(', ')})`;
}

/**
 * Another attempt. A list that does not show a transaction says nothing where the journal has ever known it, however it
 * came to: that one is then read by itself.
 */
async function lookUpKnown(context: RunContext, payout: Payout): Promise<LookUp> {
  const seen = await carefulLookUp(context, payout);
  if (seen.kind !== 'not-found' && !hasFailed(seen)) return seen;
  const unlisted = await readUnlisted(context, payout, seen, { isPresent: false });
  return unlisted.find((each) => !hasFailed(each)) ?? unlisted[0] ?? seen;
}
