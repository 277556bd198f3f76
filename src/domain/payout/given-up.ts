import type { Payout } from './payout.ts';

/**
 * Whether a person has called it unpaid while the service showed no end of it. The service may pay it at any time: it is read
 * again for as long as that is so, counts as sent, and is not sent again before its transaction has failed.
 */
export function isGivenUp({ state, code }: Pick<Payout, 'state' | 'code'>): boolean {
  return state === 'refused' && code === 'decided-while-pending';
}

/** Whether it was a person, and not the service, who said that it was not paid. */
export function isDecidedUnpaid({ state, code }: Pick<Payout, 'state' | 'code'>): boolean {
  return state === 'refused' && (code === 'decided-not-paid' || code === 'decided-while-pending');
}
