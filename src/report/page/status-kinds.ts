import type { RowStatus } from '../../domain/payout/payout-state.ts';

interface StatusKind {
  readonly label: string;
  readonly means: string;
}

/** In the order in which pages show them. Each has a colour of its own in the style, and its name always stands beside it. */
export const statusKinds = {
  paid: { label: 'Paid', means: 'the service says it succeeded' },
  pending: { label: 'Pending', means: 'the service has it and has not said how it ended' },
  unknown: { label: 'Unknown', means: 'sent, and the evidence does not decide' },
  not_sent: { label: 'Not sent', means: 'accepted and not yet sent' },
  held: { label: 'Held', means: 'waits for a person' },
  failed: { label: 'Failed', means: 'not paid: the service tried and failed' },
  refused: { label: 'Refused', means: 'not paid: the service did not take it' },
  returned: { label: 'Returned', means: 'was paid and came back' },
  cancelled: { label: 'Cancelled', means: 'dropped by a person before it was sent' },
  invalid: { label: 'Invalid', means: 'a row that could not be paid as it stands' },
} as const satisfies Record<RowStatus, StatusKind>;

export const statusOrder = Object.keys(statusKinds) as readonly RowStatus[];
