import { expect, test } from 'vitest';
import {
  type PayoutState,
  payoutStates,
  type RowStatus,
  statusOf,
} from '../../../src/domain/payout/payout-state.ts';

const words: Readonly<Record<PayoutState, readonly [unsent: RowStatus, sent: RowStatus]>> = {
  planned: ['not_sent', 'not_sent'],
  ready: ['not_sent', 'not_sent'],
  submitting: ['not_sent', 'unknown'],
  unclear: ['not_sent', 'unknown'],
  submitted: ['pending', 'pending'],
  paid: ['paid', 'paid'],
  failed: ['failed', 'failed'],
  refused: ['refused', 'refused'],
  held: ['held', 'held'],
  cancelled: ['cancelled', 'cancelled'],
  returned: ['returned', 'returned'],
};

test.each(payoutStates)(
  'The results say of a payout that is %s what is known of it, sent or not',
  (state) => {
    expect([statusOf(state, false), statusOf(state, true)]).toEqual(words[state]);
  },
);
