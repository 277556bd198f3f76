import type { Payout } from './payout.ts';
import type { ReasonCode } from './reasons.ts';

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
