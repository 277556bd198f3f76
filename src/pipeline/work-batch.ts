import { exitCode, PayrunError } from '../errors.ts';
import { rereadWindowMs } from '../journal/batch-record.ts';
import { upsertPayees } from './4-upsert-payees.ts';
import { checkNames } from './5-check-names.ts';
import { submitPayouts } from './6-submit-payouts.ts';
import { rereadEnded, settlePayouts } from './7-settle-payouts.ts';
import { eachPayout } from './each-payout.ts';
import type { RunContext } from './run-context.ts';

const mostRounds = 3;

export interface WorkOptions {
  /** Read those paid in the last fourteen days again, for returns. */
  readonly reread: boolean;
}

/**
 * The stages of an accepted batch, in order. A first run and a resume are this same path: each stage takes the payouts
 * that are in its state, whoever left them there.
 */
export async function workBatch(context: RunContext, options: WorkOptions): Promise<void> {
  const { payouts } = context;
  if (options.reread) await rereadEnded(context, context.clock.nowMs() - rereadWindowMs);
  for (let round = 0; round < mostRounds && !context.stopping(); round += 1) {
    await returnStaleNames(context);
    if (payouts.count(['planned', 'ready', 'submitting', 'unclear']) === 0) break;
    await upsertPayees(context);
    await checkNames(context);
    await submitPayouts(context);
  }
  await settlePayouts(context);
  const left = payouts.count(['planned', 'ready']);
  if (left > 0 && !context.stopping()) {
    throw new PayrunError(
      'not-all-sent',
      exitCode.stoppedEarly,
      `${left} payouts could not be sent because the service did not answer every question about them. Run the same command again.`,
    );
  }
}

/** A verdict that is too old at sending is made again. */
async function returnStaleNames(context: RunContext): Promise<void> {
  const { payouts, settings, clock, journal } = context;
  await eachPayout(payouts, ['ready'], settings.concurrency, context.stopping, async (payout) => {
    if (clock.nowMs() - (payout.resolvedMs ?? 0) <= settings.namesMaxAgeMs) return;
    await journal.move({ payout, to: 'planned', why: 'its name was checked too long ago' });
  });
}
