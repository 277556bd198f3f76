import type { Payout } from '../domain/payout.ts';
import { referenceOf } from '../domain/reference.ts';
import { adopt } from './adopt-transaction.ts';
import { carefulLookUp, hasFailed } from './careful-look-up.ts';
import { type LookUp, readAccepted } from './look-up.ts';
import type { RunContext } from './run-context.ts';

/** Before an attempt is sent, every other one must still be failed: a late success would make it the second. */
export async function otherAttemptsFailed(context: RunContext, payout: Payout): Promise<boolean> {
  for (let attempt = 1; attempt <= payout.lastAttempt; attempt += 1) {
    if (attempt === payout.attempt) continue;
    const reference = referenceOf(context.batch.name, context.batch.keyKind, payout.key, attempt);
    const seen = await lookUpAccepted(context, { ...payout, attempt, reference });
    if (hasFailed(seen)) continue;
    if (seen.kind === 'unavailable') return false;
    if (seen.kind === 'found' && !payout.everSent) {
      const why = `attempt ${attempt} (${seen.transactionId}) is ${seen.status} after all`;
      await adopt(context, payout, seen, attempt, why);
      context.onEvent({ kind: 'alarm', message: `payment ${payout.key}: ${why}; nothing more is sent` });
      return false;
    }
    // A refused or burnt attempt left nothing behind: an empty list is what it should show.
    if (seen.kind === 'not-found') continue;
    const why =
      seen.kind === 'found'
        ? `attempt ${attempt} (${seen.transactionId}) is ${seen.status} now`
        : seen.kind === 'differs'
          ? `attempt ${attempt}, sent before the row was changed, is not failed any more${namesOf(seen.successful)}`
          : `attempt ${attempt} could not be told: ${seen.why}`;
    await context.journal.move({ payout, to: 'held', why, changes: { hold: 'repeat', reason: why } });
    return false;
  }
  return true;
}

function namesOf(transactions: readonly string[]): string {
  return transactions.length === 0 ? '' : ` (${transactions.join(', ')})`;
}

/**
 * Another attempt. A list that does not show it says nothing where the service once named its transaction: that one
 * is then read by itself.
 */
async function lookUpAccepted(context: RunContext, payout: Payout): Promise<LookUp> {
  const seen = await carefulLookUp(context, payout);
  const transactionId = context.journal.transactionOf(payout, payout.reference);
  if (seen.kind !== 'not-found' || transactionId === undefined) return seen;
  return readAccepted(context.service, payout, transactionId);
}
