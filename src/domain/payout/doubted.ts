import type { Payout } from './payout.ts';
import type { Reason, ReasonCode } from './reasons.ts';
import { isReleased } from './release-marks.ts';

/** What the service says of one that is paid, and that speaks against it without showing that the money came back. */
export const doubts: ReadonlySet<ReasonCode | ''> = new Set<ReasonCode>([
  'not-this-payout',
  'status-contradicts',
  'failed-yet-another',
  'paid-yet-pending',
  'paid-yet-gone',
]);

/** Paid, while the service has said something else of it since. */
export function isDoubted({ state, code }: Pick<Payout, 'state' | 'code'>): boolean {
  return state === 'paid' && doubts.has(code);
}

/** And no person has said that it is paid all the same. */
export function isOpenDoubt(payout: Pick<Payout, 'state' | 'code' | 'released'>): boolean {
  return isDoubted(payout) && !isReleased(payout, 'doubt');
}

/** Whether the service says of it what it said before. In which words it says that it has no such transaction is nothing new. */
export function isSameDoubt(payout: Reason, because: Reason): boolean {
  if (payout.code !== because.code) return false;
  if (because.code === 'paid-yet-gone') return transactionIn(payout) === transactionIn(because);
  return payout.details === because.details;
}

function transactionIn({ details }: Reason): unknown {
  return (JSON.parse(details) as Record<string, unknown>)['transaction'];
}
