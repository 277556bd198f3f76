import type { Payout } from '../domain/payout/payout.ts';
import { reason, reasonAfter } from '../domain/payout/reasons.ts';
import type { PayoutChanges } from '../journal/journal.ts';
import type { Ruling } from './carry-out.ts';

/**
 * Drops a payout that was never sent. What may have been sent is not ours to take back. `known` are the transactions that it
 * was ever known by under its present reference.
 */
export function cancel(payout: Payout, because: string, known: readonly string[]): Ruling {
  switch (payout.state) {
    case 'planned':
    case 'ready':
    case 'held':
      // Cancelled, nobody would watch it any more, and nothing would say that paying it another way pays it twice.
      if (known.length > 0)
        return {
          kind: 'stays',
          why: `the service has it as ${known.join(', ')} and may still pay it: payrun resume reads that, and payrun decide --not-paid gives it up`,
        };
      return {
        kind: 'moves',
        move: { to: 'cancelled', why: `cancelled: ${because}`, changes: cancelled(payout, because) },
      };
    case 'cancelled':
      return { kind: 'stays', why: 'it is cancelled already' };
    case 'submitting':
    case 'unclear':
      return { kind: 'stays', why: 'it may have been sent' };
    case 'submitted':
    case 'paid':
    case 'failed':
    case 'refused':
    case 'returned':
      return { kind: 'stays', why: `it was sent and is ${payout.state}` };
  }
}

/** An earlier attempt may have been paid: cancelling this one must not hide it. */
function cancelled(payout: Payout, because: string): PayoutChanges {
  const now = reason('cancelled', { reason: because });
  return { ...(payout.hold === 'repeat' ? reasonAfter(now, payout) : now), hold: '' };
}
