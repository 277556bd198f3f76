import type { Payout } from '../domain/payout.ts';
import { type Reason, reason } from '../domain/reasons.ts';
import { referenceOf } from '../domain/reference.ts';
import { carefulLookUp } from './careful-look-up.ts';
import type { LookUp } from './look-up.ts';
import type { RunContext } from './run-context.ts';

/** What the journal keeps of it for good, so that results and summaries always say it first. */
export function paidTwice(transactions: readonly string[]): Reason & Pick<Payout, 'paidTwice'> {
  return {
    ...reason('paid-twice', { transactions: transactions.join(', ') }),
    paidTwice: transactions.join(' '),
  };
}

/** A transaction that paid, and the attempt under whose reference it stands. */
export interface Paying {
  readonly transactionId: string;
  readonly attempt: number;
  /** False for one that went out before its row was corrected: what it paid is not what the payout is now. */
  readonly asItIs: boolean;
}

/** What the service holds of a payout, all its attempts together. */
export interface AllAttempts {
  readonly paid: readonly Paying[];
  /** Under the reference that the payout has now. */
  readonly present: LookUp;
  /** Under another one something is still on its way. */
  readonly othersPending: boolean;
}

/** Every transaction that paid it, under its reference and those of its other attempts; undefined where one is not known. */
export async function allThatPaid(context: RunContext, payout: Payout): Promise<AllAttempts | undefined> {
  const { batch } = context;
  const paid = new Map<string, Paying>();
  let present: LookUp = { kind: 'not-found' };
  let othersPending = false;
  for (let attempt = 1; attempt <= payout.lastAttempt; attempt += 1) {
    const reference = referenceOf(batch.name, batch.keyKind, payout.key, attempt);
    const seen = await carefulLookUp(context, { ...payout, attempt, reference });
    if (seen.kind === 'unavailable') return undefined;
    const isPresent = attempt === payout.attempt;
    if (isPresent) present = seen;
    else othersPending ||= seen.kind === 'found' && seen.status === 'pending';
    const otherwise = seen.kind === 'differs' && !isPresent ? seen.successful : [];
    for (const transactionId of seen.kind === 'found' ? seen.successful : otherwise)
      paid.set(transactionId, { transactionId, attempt, asItIs: seen.kind === 'found' });
  }
  return { paid: [...paid.values()], present, othersPending };
}

/** Where more than one send or attempt was made, more than one transaction may have paid. */
export function mayBePaidTwice({ unknownSends, lastAttempt, paidTwice: paid }: Payout): boolean {
  return unknownSends > 0 || lastAttempt > 1 || paid !== '';
}
