import { madeMs } from '../../domain/payout/judge-transaction.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { reason } from '../../domain/payout/reasons.ts';
import { isReleased } from '../../domain/payout/release-marks.ts';
import type { Lookalike } from '../look-up/look-up.ts';
import type { RunContext } from '../run/run-context.ts';

const recentMs = 5 * 24 * 3_600_000;

/**
 * Where the service can neither be searched nor says whose a transaction is, a recent one of the same payee and amount
 * that no payout here is known by may be this very payout, sent by a journal that is gone: a person decides, as about any
 * repeat. One of last month is last month's. Gives whether it is held now.
 */
export async function holdPossibleDuplicate(
  { journal, clock }: RunContext,
  payout: Payout,
  { transactionId, shownTime }: Lookalike,
): Promise<boolean> {
  if (isReleased(payout, 'repeat') || (payout.state !== 'planned' && payout.state !== 'ready')) return false;
  const nowMs = clock.nowMs();
  const atMs = madeMs({ transactionId, fullTimestamp: shownTime }, nowMs);
  if (atMs !== undefined && atMs < nowMs - recentMs) return false;
  const alike = reason('possible-repeat', { transaction: transactionId });
  await journal.move({ payout, to: 'held', changes: { hold: 'repeat', ...alike } });
  return true;
}
