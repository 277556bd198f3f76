/** The states of a payout, and the only moves between them. */
export const moves = {
  // To planned where its row was changed. To refused only what was sent and refused before, once a person says that it was
  // not paid.
  planned: ['planned', 'ready', 'held', 'cancelled', 'refused'],
  ready: ['submitting', 'planned', 'held', 'cancelled', 'refused'],
  // Back to ready only when no byte of any send left.
  submitting: ['submitted', 'refused', 'unclear', 'ready'],
  // To refused only once a person gives up waiting, while the service shows no end of it.
  submitted: ['paid', 'failed', 'refused'],
  unclear: ['submitted', 'paid', 'failed', 'submitting', 'refused'],
  // To paid once a person says that it is, whatever the service has said of it since.
  paid: ['returned', 'paid'],
  // A later read may still say paid; planned is a new attempt, which only a person begins.
  failed: ['paid', 'planned'],
  refused: ['planned', 'refused'],
  held: ['planned', 'ready', 'cancelled', 'refused'],
  cancelled: ['planned', 'refused'],
  returned: ['planned'],
} as const satisfies Record<string, readonly string[]>;

export type PayoutState = keyof typeof moves;

export const payoutStates = Object.keys(moves) as readonly PayoutState[];

/** Where somebody still waits: not sent, or sent and nobody knows what became of it. */
export const waitingStates = ['planned', 'ready', 'submitting', 'unclear'] as const;

/** Where something is still to be done, or may still happen by itself. */
export const unfinishedStates = [...waitingStates, 'submitted'] as const;

export function mayMove(from: PayoutState, to: PayoutState): boolean {
  return (moves[from] as readonly PayoutState[]).includes(to);
}

/** The states that people are told by their own names. */
const toldStates = ['paid', 'failed', 'refused', 'held', 'cancelled', 'returned'] as const;
const rowStatuses = [...toldStates, 'pending', 'unknown', 'not_sent', 'invalid'] as const;

/** What the results say of a row. */
export type RowStatus = (typeof rowStatuses)[number];

export function perStatus<Value>(value: Value): Record<RowStatus, Value> {
  return Object.fromEntries(rowStatuses.map((status) => [status, value])) as Record<RowStatus, Value>;
}

export function statusOf(state: PayoutState, everSent: boolean): RowStatus {
  switch (state) {
    case 'planned':
    case 'ready':
      return 'not_sent';
    case 'submitting':
    case 'unclear':
      return everSent ? 'unknown' : 'not_sent';
    case 'submitted':
      return 'pending';
    default:
      return state satisfies (typeof toldStates)[number];
  }
}
