import type { Minor } from '../money/money.ts';
import type { Policy } from '../policy.ts';
import type { Payout } from './payout.ts';
import { isReleased } from './release-marks.ts';

/**
 * The limit that a payout is above, and that no person has let it pass: the policy's, or the one that it was accepted
 * under, whichever is stricter. For the run that holds it, and for the plan that says so before.
 */
export function limitExceeded(
  { limitPayout }: Pick<Policy, 'limitPayout'>,
  payout: Pick<Payout, 'currency' | 'amountMinor' | 'released'>,
  accepted: Minor | undefined,
): Minor | undefined {
  const policy = limitPayout.get(payout.currency);
  const policyIsStricter = policy !== undefined && (accepted === undefined || policy < accepted);
  const limit = policyIsStricter ? policy : accepted;
  if (limit === undefined || payout.amountMinor <= limit || isReleased(payout, 'limit')) return undefined;
  return limit;
}
