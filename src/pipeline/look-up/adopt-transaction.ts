import { madeMs } from '../../domain/payout/judge-transaction.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { noReason } from '../../domain/payout/reasons.ts';
import { referenceOf } from '../../domain/reference.ts';
import type { RunContext } from '../run/run-context.ts';
import { movedEvent } from '../run/run-events.ts';
import { paidTwice, watchedBeside } from './all-attempts.ts';
import type { LookUp } from './look-up.ts';

/**
 * A look-up has found the payout at the service: it is submitted, whatever we believed, and the next reading of its
 * transaction says how it ended.
 */
export async function adoptTransaction(
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
  const shownMs = madeMs({ transactionId: seen.transactionId, fullTimestamp: seen.shownTime }, clock.nowMs());
  // Repeats and returns go by this time: of what this journal sent it is never before its last send, whatever the service shows.
  const sentMs = await journal.lastSentMs({ ...payout, ...identity });
  const madeAtMs = shownMs === undefined ? undefined : Math.max(shownMs, sentMs ?? shownMs);
  const found = {
    ...identity,
    transactionId: seen.transactionId,
    submittedMs: madeAtMs ?? clock.nowMs(),
    // What had ended when it was found ended then, and not today: last month's wages are not paid now.
    settledMs: seen.status === 'pending' ? null : (madeAtMs ?? null),
    ...(seen.successful.length > 1
      ? paidTwice(seen.successful.map(({ transactionId }) => transactionId))
      : noReason),
    watched: watchedBeside(seen.transactionId, seen.open),
    everSent: true,
  };
  let present = payout;
  if (present.state === 'planned' || present.state === 'held') {
    present = await journal.move({
      payout: present,
      to: 'ready',
      why: 'found by look-up',
      changes: { hold: '' },
    });
  }
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
  await journal.foundSend(payout, found.submittedMs);
  onEvent(movedEvent(payout, 'submitted', why));
}
