import type { Payout } from '../domain/payout/payout.ts';
import { noReason } from '../domain/payout/reasons.ts';
import { adoptTransaction } from './look-up/adopt-transaction.ts';
import { carefulLookUp } from './look-up/careful-look-up.ts';
import type { Breaker } from './run/breaker.ts';
import { eachPayout } from './run/each-payout.ts';
import type { RunContext } from './run/run-context.ts';
import { sendingEvent } from './run/run-events.ts';
import { lookForForgottenSends } from './send/look-for-forgotten-sends.ts';
import { proveByLastAccepted, proveEnvironment } from './send/prove-look-ups.ts';
import { resolveUnknownSends } from './send/resolve-unknown-sends.ts';
import { submitPayout } from './send/submit-payout.ts';

/**
 * Stage 6: everything that is ready is sent, and everything that was sent is brought to an answer, as far as the
 * evidence goes. The order matters: what an earlier run left unclear is looked at first, then whether the journal has
 * forgotten anything, then one payout alone where the service has not yet proven that it can be searched.
 */
export async function submitPayouts(context: RunContext): Promise<void> {
  const breaker = context.memory.breakers.sends;
  await revisitUnclear(context);
  if (!context.memory.batch.askedForForgotten) await lookForForgottenSends(context);
  const send = await countedSends(context, breaker);
  await proveEnvironment(context, send);
  await eachPayout(context, ['ready'], send);
  await proveByLastAccepted(context);
  await resolveUnknownSends(context, breaker);
}

async function countedSends(
  context: RunContext,
  breaker: Breaker,
): Promise<(payout: Payout) => Promise<void>> {
  const of = await context.payouts.count(['ready']);
  let done = 0;
  if (of > 0) context.onEvent(sendingEvent(of, await context.payouts.totals(['ready'])));
  return async (payout) => {
    await submitPayout(context, breaker, payout);
    done += 1;
    context.onEvent({ kind: 'stage', stage: 'submit', done, of });
  };
}

/** What was unclear may have turned up since; what only lacked the proof goes on now that it is there. */
async function revisitUnclear(context: RunContext): Promise<void> {
  const { journal, proofs } = context;
  await eachPayout(context, ['unclear'], async (payout) => {
    const seen = await carefulLookUp(context, payout);
    if (seen.kind === 'found')
      await adoptTransaction(context, payout, seen, payout.attempt, 'found by look-up');
    else if (seen.kind === 'not-found' && payout.code === 'unproven' && proofs.read()) {
      await journal.move({
        payout,
        to: 'submitting',
        why: 'look-ups are proven now',
        changes: noReason,
      });
    }
  });
}
