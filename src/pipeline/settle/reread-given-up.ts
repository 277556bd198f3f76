import type { Payout } from '../../domain/payout/payout.ts';
import { noReason, reason, reasonText } from '../../domain/payout/reasons.ts';
import { adoptTransaction } from '../look-up/adopt-transaction.ts';
import { carefulLookUp } from '../look-up/careful-look-up.ts';
import type { LookUp } from '../look-up/look-up.ts';
import { readUnlisted } from '../look-up/read-unlisted.ts';
import type { RunContext } from '../run/run-context.ts';
import { nameOnce } from './final-state.ts';

type Found = Extract<LookUp, { kind: 'found' }>;

/**
 * A person gave up waiting for it. While the service still calls it pending, that stands. Once it has ended there, the end
 * is what counts: paid is said loudly, for the person may have paid it another way by now.
 */
export async function rereadGivenUp(context: RunContext, payout: Payout): Promise<void> {
  const seen = await carefulLookUp(context, payout);
  const looks = [seen, ...(await readUnlisted(context, payout, seen, { isPresent: true }))];
  const strange = looks.find((look) => look.kind === 'differs');
  if (strange) nameOnce(context, payout, reasonText(reason('reference-of-another', { why: strange.why })));
  const ended = endOf(looks.filter((look) => look.kind === 'found'));
  if (!ended) return;
  const { transactionId } = ended;
  const decided = reasonText(payout);
  const why = `${decided}; now it has ended there`;
  const planned = await context.journal.move({ payout, to: 'planned', why, changes: noReason });
  await adoptTransaction(context, planned, ended, payout.attempt, 'it has ended after a person gave it up');
  const who = `payment ${payout.key}`;
  if (ended.status === 'successful') {
    const message = `${who} is paid after all, by transaction ${transactionId}. It was ${decided}. If somebody paid it another way since, it was paid twice.`;
    context.onEvent({ kind: 'alarm', message });
    return;
  }
  const message = `${who} has failed at the service (${transactionId}). It was ${decided}. payrun retry can pay it now.`;
  context.onEvent({ kind: 'notice', message, answers: true });
}

/** One that paid is its end; a failure only where nothing of it is open any more. */
function endOf(found: readonly Found[]): Found | undefined {
  const paid = found.find(({ status }) => status === 'successful');
  if (paid || found.some(({ status }) => status === 'pending')) return paid;
  return found[0];
}
