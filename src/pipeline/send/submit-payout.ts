import type { Payout } from '../../domain/payout/payout.ts';
import { reason } from '../../domain/payout/reasons.ts';
import { isReleased } from '../../domain/payout/release-marks.ts';
import { adoptTransaction } from '../look-up/adopt-transaction.ts';
import { lookUpAttempts } from '../look-up/careful-look-up.ts';
import type { LookUp } from '../look-up/look-up.ts';
import type { Breaker } from '../run/breaker.ts';
import type { RunContext } from '../run/run-context.ts';
import { sendPayout } from './send-payout.ts';

/** Stage 6 for one payout that is ready: looked up where that is due, then sent. */
export async function submitPayout(context: RunContext, breaker: Breaker, payout: Payout): Promise<void> {
  if (needsLookUp(context, payout)) {
    const further = context.memory.lookUpEvery || context.settings.lookup === 'always';
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
  }
  await sendPayout(context, breaker, payout, 'first send');
}

/** Only the run that accepted a payout may send it first without a look-up; one that was tried before, nobody may. */
function needsLookUp({ settings, memory, run }: RunContext, payout: Payout): boolean {
  if (settings.lookup === 'always' || memory.lookUpEvery || payout.attempt > 1) return true;
  return payout.acceptedRun !== run || payout.everSent;
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
