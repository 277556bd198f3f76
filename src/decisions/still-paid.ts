import { isDoubted, isOpenDoubt } from '../domain/payout/doubted.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { withRelease } from '../domain/payout/release-marks.ts';
import type { Ruling } from './carry-out.ts';

/**
 * A person knows that a payout is paid, whatever the service has said of it since. That ends the alarm about just that: it is
 * read on, and whatever else the service comes to say is told again.
 */
export function stillPaid(payout: Payout, because: string): Ruling {
  if (!isOpenDoubt(payout)) return { kind: 'stays', why: whyNot(payout) };
  return {
    kind: 'moves',
    move: {
      to: 'paid',
      why: `decided: it is paid: ${because}`,
      changes: { released: withRelease(payout, 'doubt') },
    },
  };
}

function whyNot(payout: Payout): string {
  if (payout.state !== 'paid')
    return `it is ${payout.state}; only one that is paid, and of which the service has said something else since, can be decided about with --still-paid`;
  return isDoubted(payout)
    ? 'it was decided already that it is paid'
    : 'it is paid, and the service has said nothing else of it';
}
