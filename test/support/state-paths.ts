import type { PayoutState } from '../../src/domain/payout/payout-state.ts';

/** By which moves a run brings a payout to a state. */
export const statePaths: Record<PayoutState, readonly PayoutState[]> = {
  planned: [],
  ready: ['ready'],
  held: ['held'],
  cancelled: ['cancelled'],
  submitting: ['ready', 'submitting'],
  submitted: ['ready', 'submitting', 'submitted'],
  unclear: ['ready', 'submitting', 'unclear'],
  refused: ['ready', 'submitting', 'refused'],
  paid: ['ready', 'submitting', 'submitted', 'paid'],
  failed: ['ready', 'submitting', 'submitted', 'failed'],
  returned: ['ready', 'submitting', 'submitted', 'paid', 'returned'],
};
