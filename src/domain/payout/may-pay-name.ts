import type { NameCount } from '../names/name-evidence.ts';
import { holdsVerdict, type Policy } from '../policy.ts';
import type { Payout } from './payout.ts';
import { isReleased } from './release-marks.ts';

/** What a person may have said of a payout, and what was seen when it was said. */
export type ReleasedPayout = Pick<Payout, 'released' | 'verdict' | 'resolvedName'>;

/**
 * Whether a payout is paid under what was found of its name: for the run that does it, and for the plan that says so
 * before. `isPairReleased` tells whether a person has let the two names pass as one.
 */
export function mayPayName(
  policy: Policy,
  payout: ReleasedPayout,
  { verdict, resolvedName }: { readonly verdict: NameCount; readonly resolvedName: string },
  isPairReleased: () => boolean,
): boolean {
  if (verdict === 'match') return true;
  // An account that does not exist has no name to be wrong: a person must have released just that.
  if (verdict === 'no-account') return isReleased(payout, 'name') && payout.verdict === 'no-account';
  // A release holds for the name that was seen; another resolved name is another question.
  if (isReleased(payout, 'name') && payout.resolvedName === resolvedName) return true;
  return !holdsVerdict(policy, verdict) || isPairReleased();
}
