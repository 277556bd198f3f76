import type { Payout } from '../domain/payout/payout.ts';
import { noReason } from '../domain/payout/reasons.ts';
import { withoutRelease } from '../domain/payout/release-marks.ts';
import { referenceOf } from '../domain/reference.ts';
import type { BatchRecord } from '../journal/batch-record.ts';
import type { PayoutChanges } from '../journal/journal.ts';
import type { Ruling } from './carry-out.ts';

/**
 * Brings a payout that came to nothing back to the beginning. Only where the service holds a failed or returned
 * transaction under its reference does it become another attempt: a refused or cancelled one was never carried out,
 * and its reference still keeps it from being paid twice.
 */
export function retry(
  payout: Payout,
  batch: Pick<BatchRecord, 'name' | 'keyKind'>,
  run: string,
  reason: string,
): Ruling {
  const because = reason === '' ? '' : `: ${reason}`;
  switch (payout.state) {
    case 'returned':
    case 'failed': {
      const next = nextAttempt(payout, batch);
      const ended = payout.transactionId === '' ? payout.state : `${payout.state} (${payout.transactionId})`;
      const why = `attempt ${next.attempt} after attempt ${payout.attempt} ${ended}${because}`;
      return { kind: 'moves', move: { to: 'planned', why, changes: { ...begunAnew(payout, run), ...next } } };
    }
    case 'cancelled':
    case 'refused': {
      const why =
        payout.state === 'cancelled' ? `brought back${because}` : `retried after a refusal${because}`;
      return { kind: 'moves', move: { to: 'planned', why, changes: begunAnew(payout, run) } };
    }
    case 'planned':
    case 'ready':
    case 'held':
    case 'submitting':
    case 'submitted':
    case 'unclear':
    case 'paid':
      return {
        kind: 'stays',
        why: `it is ${payout.state}; only what failed, was refused, returned or cancelled can be retried`,
      };
  }
}

/** Under a reference that was never used. */
export function nextAttempt(
  { key, lastAttempt }: Payout,
  { name, keyKind }: Pick<BatchRecord, 'name' | 'keyKind'>,
) {
  const attempt = lastAttempt + 1;
  return { attempt, reference: referenceOf(name, keyKind, key, attempt), everSent: false, unknownSends: 0 };
}

/**
 * Payee and name are looked at again. What a person released stays released, and so does the name it was released
 * against: the row has not changed. Under the same reference, sends that nobody answered still count: a refusal after
 * them proves as little as before. The run that sends it is never this one, so it is looked up before it is sent.
 */
function begunAnew(payout: Payout, run: string): PayoutChanges {
  return {
    ...noReason,
    hold: '',
    verdict: '',
    resolvedMs: null,
    externalAccountId: '',
    released: withoutRelease(payout, 'send'),
    transactionId: '',
    watched: '',
    paidMinor: null,
    submittedMs: null,
    settledMs: null,
    acceptedRun: run,
  };
}
