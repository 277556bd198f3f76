import type { Payout } from '../../domain/payout/payout.ts';
import type { PayoutChanges } from '../../journal/journal.ts';
import type { RunContext } from '../run/run-context.ts';

/** A payout that had ended has ended otherwise: somebody may have acted upon the first end. */
export async function moveLoudly(
  { journal, clock, onEvent }: RunContext,
  payout: Payout,
  to: 'paid' | 'returned',
  why: string,
  changes: PayoutChanges,
): Promise<void> {
  await journal.move({ payout, to, why, changes: { settledMs: clock.nowMs(), ...changes } });
  onEvent({ kind: 'alarm', message: `payment ${payout.key} was ${payout.state} and is ${to} now` });
}
