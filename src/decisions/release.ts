import { isMissingAccount } from '../domain/payout/missing-account.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { noReason } from '../domain/payout/reasons.ts';
import { withRelease } from '../domain/payout/release-marks.ts';
import type { Ruling } from './carry-out.ts';

/** Which payouts held for their name are meant; `named` ones are meant whatever they are held for. */
export type ReleaseScope = 'named' | 'all' | 'close' | 'mismatch' | 'unchecked';

/**
 * A held payout goes back to the beginning with a mark that it passes that one check; every other check is made again.
 * An unclear one may be sent once more: the mark stands until the next intent to send is on disk, whatever --resends
 * says. The count of unknown sends is evidence and stays as it is: were it lowered instead, a later refusal could be
 * believed too soon.
 */
export function release(payout: Payout, scope: ReleaseScope, run: string, reason: string): Ruling {
  if (payout.state === 'unclear' && scope === 'named') {
    return {
      kind: 'moves',
      move: {
        to: 'submitting',
        why: `released for one more send: ${reason}`,
        changes: { released: withRelease(payout, 'send'), ...noReason },
      },
    };
  }
  if (payout.state !== 'held') {
    return { kind: 'stays', why: `it is ${payout.state}; only a held or unclear payout can be released` };
  }
  if (scope !== 'named' && !isMeant(payout, scope))
    return { kind: 'stays', why: 'it is held for something else' };
  const marks = payout.hold === '' ? payout.released : withRelease(payout, payout.hold);
  return {
    kind: 'moves',
    // Without a name at the account nobody has seen two names side by side.
    remembersNames: payout.hold === 'name' && payout.resolvedName !== '',
    move: {
      to: 'planned',
      why: `released (${payout.hold}): ${reason}`,
      // The account and the resolved name stay: another one at the next check is another question.
      changes: { released: marks, hold: '', ...noReason, acceptedRun: run },
    },
  };
}

function isMeant(payout: Payout, scope: ReleaseScope): boolean {
  if (payout.hold !== 'name' || isMissingAccount(payout)) return false;
  return scope === 'all' || payout.verdict === scope;
}
