import type { Payout } from '../domain/payout.ts';
import { referenceOf } from '../domain/reference.ts';
import type { LookUp } from './look-up.ts';
import type { RunContext } from './run-context.ts';

/**
 * A look-up has found the payout at the service: it is submitted, whatever we believed, and the next reading of its
 * transaction says how it ended.
 */
export async function adopt(
  context: RunContext,
  payout: Payout,
  seen: Extract<LookUp, { kind: 'found' }>,
  attempt: number,
  why: string,
): Promise<void> {
  const { journal, clock, batch, onEvent } = context;
  const identity =
    attempt === payout.attempt
      ? {}
      : { attempt, reference: referenceOf(batch.name, batch.keyKind, payout.key, attempt) };
  const found = {
    ...identity,
    transactionId: seen.transactionId,
    submittedMs: clock.nowMs(),
    reason: '',
    everSent: true,
  };
  let present = payout;
  if (present.state === 'ready') {
    present = await journal.move({
      payout: present,
      to: 'submitting',
      why: 'found by look-up',
      changes: { everSent: true },
    });
  }
  await journal.move({
    payout: present,
    to: 'submitted',
    why: `${why} (${seen.transactionId}, ${seen.status})`,
    changes: found,
  });
  onEvent({ kind: 'moved', key: payout.key, from: payout.state, to: 'submitted', reason: why });
}
