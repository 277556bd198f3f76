import type { Payout } from '../../domain/payout/payout.ts';
import { reason } from '../../domain/payout/reasons.ts';
import { isReleased } from '../../domain/payout/release-marks.ts';
import { adoptTransaction } from '../look-up/adopt-transaction.ts';
import { lookUpAttempts } from '../look-up/careful-look-up.ts';
import type { LookUp } from '../look-up/look-up.ts';
import { readUnlisted } from '../look-up/read-unlisted.ts';
import type { Breaker } from '../run/breaker.ts';
import type { RunContext } from '../run/run-context.ts';
import { sendPayout } from './send-payout.ts';

/** Stage 6 for one payout that is ready: looked up where that is due, then sent. */
export async function submitPayout(context: RunContext, breaker: Breaker, payout: Payout): Promise<void> {
  if (needsLookUp(context, payout)) {
    const further = context.memory.batch.lookUpEvery || context.settings.lookup === 'always';
    const { seen, attempt } = await lookUpAttempts(context, payout, { further });
    if (seen.kind === 'found') {
      await adoptTransaction(context, payout, seen, attempt, 'the service already holds it');
      return;
    }
    const trusted = seen.kind === 'undecided' && isReleased(payout, 'repeat');
    if (seen.kind !== 'not-found' && !trusted) {
      await waitForPerson(context, payout, seen, breaker);
      return;
    }
    const known = await knownTransaction(context, payout, seen);
    if (known?.kind === 'found') {
      await adoptTransaction(context, payout, known, payout.attempt, 'the service already holds it');
      return;
    }
    if (known) {
      await waitForPerson(context, payout, known, breaker);
      return;
    }
  }
  await sendPayout(context, breaker, payout, 'first send');
}

/**
 * A person gave up waiting for a transaction of this very reference, and the list does not show it. That is no end of it: it
 * is read by itself, and where the service does not have it any more, a person says whether it is sent all the same.
 */
async function knownTransaction(
  context: RunContext,
  payout: Payout,
  seen: LookUp,
): Promise<Exclude<LookUp, { kind: 'not-found' }> | undefined> {
  const unlisted = await readUnlisted(context, payout, seen, { isPresent: true });
  const looks = unlisted.filter((look) => look.kind !== 'not-found');
  const gone = (look: LookUp) => look.kind === 'unavailable' && look.outcome.kind === 'refused';
  const shown = looks.find((look) => !gone(look));
  if (shown || looks.length === 0 || isReleased(payout, 'repeat')) return shown;
  const [transaction = ''] = await context.payouts.transactionsOf(payout.id, payout.reference);
  return {
    kind: 'undecided',
    why: `it was accepted as ${transaction}, and the service does not show that any more`,
  };
}

/** Only the run that accepted a payout may send it first without a look-up; one that was tried before, nobody may. */
function needsLookUp({ settings, memory, acceptedBy }: RunContext, payout: Payout): boolean {
  if (settings.lookup === 'always' || memory.batch.lookUpEvery || payout.attempt > 1) return true;
  return payout.acceptedRun !== acceptedBy || payout.everSent;
}

/** A look-up that does not decide: nothing is sent. */
async function waitForPerson(
  context: RunContext,
  payout: Payout,
  seen: Exclude<LookUp, { kind: 'found' | 'not-found' }>,
  breaker: Breaker,
): Promise<void> {
  if (seen.kind === 'unavailable') {
    breaker.troubled(seen.outcome.cause);
    return;
  }
  const { why } = seen;
  const untold =
    seen.kind === 'differs' ? reason('reference-of-another', { why }) : reason('look-up-untold', { why });
  await context.journal.move({ payout, to: 'held', changes: { hold: 'repeat', ...untold } });
}
