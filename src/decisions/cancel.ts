import type { Payout } from '../domain/payout.ts';
import type { Ruling } from './carry-out.ts';

/** Drops a payout that was never sent. What may have been sent is not ours to take back. */
export function cancel(payout: Payout, reason: string): Ruling {
  switch (payout.state) {
    case 'planned':
    case 'ready':
    case 'held':
      return {
        kind: 'moves',
        move: {
          to: 'cancelled',
          why: `cancelled: ${reason}`,
          changes: { reason: `${reason}${heldBecause(payout)}`, hold: '' },
        },
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
function heldBecause({ hold, reason }: Payout): string {
  return hold === 'repeat' && reason !== '' ? `; it was held: ${reason}` : '';
}
