import type { Payout } from './payout.ts';

/** An account that does not exist is held whatever the flags: nobody has seen two names side by side there. */
export function isMissingAccount(payout: Pick<Payout, 'verdict' | 'resolvedName'>): boolean {
  return payout.verdict === 'no-account' || (payout.verdict === 'mismatch' && payout.resolvedName === '');
}
