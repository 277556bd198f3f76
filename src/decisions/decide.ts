import { judgeAnswers } from '../domain/payout/judge-answers.ts';
import type { Contradiction } from '../domain/payout/judge-transaction.ts';
import { differingMinor, type Payout } from '../domain/payout/payout.ts';
import type { PayoutState } from '../domain/payout/payout-state.ts';
import { noReason, type Reason, reason } from '../domain/payout/reasons.ts';
import type { ShownTransaction } from '../domain/payout/shown-transaction.ts';
import type { BatchRecord } from '../journal/batch-record.ts';
import type { Ruling } from './carry-out.ts';
import { nextAttempt } from './retry.ts';

/** What a person says about a payout whose fate the evidence does not decide. `rows` is what the list says of it. */
export function decidePaid(
  payout: Payout,
  transaction: ShownTransaction,
  owner: string | undefined,
  nowMs: number,
  because: string,
  rows: readonly ShownTransaction[] = [],
): Ruling {
  if (payout.state !== 'unclear') return notUnclear(payout);
  const { transactionId } = transaction;
  if (owner !== undefined) {
    const whose = owner === payout.key ? 'an earlier attempt of this payment' : `payment ${owner}`;
    return { kind: 'stays', why: `transaction ${transactionId} is known as ${whose}` };
  }
  const judged = judgeAnswers(transaction, rows, payout);
  if (judged.kind === 'other-reference') {
    const why = `transaction ${transactionId} carries another reference: it is not this payout`;
    return { kind: 'stays', why };
  }
  if (judged.kind === 'differs') {
    return { kind: 'stays', why: `transaction ${transactionId} is not this payout: ${judged.why}` };
  }
  const { contradiction } = judged;
  const called = contradiction ? `${contradiction.status} and ${contradiction.chargeStatus}` : judged.status;
  const to = ({ successful: 'paid', pending: 'submitted', failed: 'failed' } as const)[judged.status];
  return {
    kind: 'moves',
    move: {
      to,
      why: `decided: it is transaction ${transactionId}, which the service calls ${called}: ${because}`,
      changes: {
        transactionId,
        everSent: true,
        submittedMs: payout.submittedMs ?? nowMs,
        settledMs: to === 'submitted' ? null : nowMs,
        paidMinor: to === 'paid' ? differingMinor(payout, judged.shownMinor) : null,
        ...reasonOf(to, transactionId, contradiction),
      },
    },
  };
}

function reasonOf(to: PayoutState, transaction: string, contradiction: Contradiction | undefined): Reason {
  if (contradiction) return reason('status-contradicts', { transaction, ...contradiction });
  return to === 'failed' ? reason('failed') : noReason;
}

interface KnownOfSend {
  /** The service calls its reference used. */
  readonly burnt: boolean;
  readonly sent: boolean;
  /** By which transactions it was ever known under its reference. */
  readonly known: readonly string[];
  /** The transaction that the service shows under its reference, unless that has failed. */
  readonly shown: string | undefined;
}

/** What a person says, and who says it. */
export interface Said {
  readonly because: string;
  readonly by: string;
}

/** For the reasons: a journal of an earlier version kept no name with them. */
export function saidBy({ by }: Said): string {
  return ` by ${by}`;
}

/**
 * It was not paid: refused, and free to be retried. A reference that the service calls used, though nothing is found
 * under it, would be refused for ever: such a payout goes on to its next attempt here and now, so that a retry and a
 * corrected row both go out under a reference that was never used. The earlier one is looked up again before that.
 */
export function decideNotPaid(
  payout: Payout,
  batch: Pick<BatchRecord, 'name' | 'keyKind' | 'lastSendMs'>,
  { burnt, sent, known, shown }: KnownOfSend,
  nowMs: number,
  said: Said,
): Ruling {
  const { because } = said;
  const isOpen =
    payout.state === 'unclear' ||
    isCutOffForLong(payout, batch.lastSendMs, nowMs) ||
    (sent && afterRefusal.has(payout.state));
  if (!isOpen) return notUnclear(payout);
  // The service took it once, and a person gave up waiting for it: only its transaction can say more.
  if (payout.state !== 'unclear' && known.length > 0)
    return { kind: 'stays', why: `the service has it as ${known.join(', ')}: payrun resume reads that` };
  if (shown !== undefined)
    return { kind: 'stays', why: `the service shows it as ${shown}: it cannot be called not paid` };
  const next = burnt ? nextAttempt(payout, batch) : undefined;
  const onward = next ? `; reference ${payout.reference} is burnt, attempt ${next.attempt} begins` : '';
  return {
    kind: 'moves',
    move: {
      to: 'refused',
      why: `decided: not paid: ${because}${onward}`,
      changes: {
        ...next,
        ...reason('decided-not-paid', { by: saidBy(said), reason: because }),
        hold: '',
        settledMs: nowMs,
      },
    },
  };
}

/**
 * Its send was cut off, and no run can bring it to an answer any more: the account that it was sent from is not to be had.
 * After a day nothing of it is on its way.
 */
function isCutOffForLong({ state, everSent }: Payout, lastSendMs: number | null, nowMs: number): boolean {
  return state === 'submitting' && everSent && lastSendMs !== null && nowMs - lastSendMs >= landedForSureMs;
}

/** Where a payout is that was sent and refused: a person who is to bind its batch to other keys may vouch for the refusal. */
const afterRefusal: ReadonlySet<PayoutState> = new Set(['refused', 'planned', 'ready', 'held', 'cancelled']);

const landedForSureMs = 24 * 60 * 60 * 1000;

function notUnclear({ state }: Payout): Ruling {
  if (state === 'submitting')
    return {
      kind: 'stays',
      why: 'it was being sent when its run ended: payrun resume looks it up first, and only what that does not settle is decided about',
    };
  return {
    kind: 'stays',
    why: `it is ${state}; only a payout that is unknown is decided about, or with --not-paid one that was refused, that has been pending for days, or whose send was cut off a day ago`,
  };
}
