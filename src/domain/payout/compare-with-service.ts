import type { Minor } from '../money/money.ts';
import type { Finding } from './audit-findings.ts';
import { isGivenUp } from './given-up.ts';
import type { TransactionStatus } from './judge-transaction.ts';
import type { Payout } from './payout.ts';
import { reasonText } from './reasons.ts';
import { amountText, watchedText } from './result-row.ts';

/** What the service holds of a payout, all its attempts together. */
export interface HeldByService {
  /** Of the present attempt, unless an earlier one is or may be paid. Undefined where nothing was found. */
  readonly status: TransactionStatus | undefined;
  readonly successful: readonly { readonly transactionId: string; readonly shownMinor: Minor | undefined }[];
  /** Those that are neither successful nor failed. */
  readonly open: readonly string[];
  /** Transactions under a reference of ours that are not our payout. */
  readonly differences: readonly string[];
  /** Transactions whose status words contradict each other, in a sentence each. */
  readonly contradictions: readonly string[];
  /** The look-up decided nothing either way. */
  readonly undecided: boolean;
  /** One that is not our payout as it is now may have ended, or shows too little to say that it has not. */
  readonly settledOtherwise: boolean;
  /** Why it could not be asked. */
  readonly unavailable: string | undefined;
}

/** Where what we say of a payout and what the service says part. */
export function compareWithService(payout: Payout, held: HeldByService, searchable: boolean): Finding[] {
  const findings: Finding[] = held.differences.map((why) => ({
    kind: 'not-ours',
    message: `another transaction stands under its reference: ${why}`,
  }));
  // What the journal knows of it was said when it was audited.
  const known = payout.paidTwice.split(' ');
  if (held.successful.length > 1 && !held.successful.every((each) => known.includes(each.transactionId))) {
    const transactions = held.successful.map(({ transactionId }) => transactionId).join(', ');
    findings.push({ kind: 'paid-twice', message: `PAID TWICE, by the transactions ${transactions}` });
  }
  for (const message of held.contradictions) findings.push({ kind: 'status-contradicts', message });
  for (const { transactionId, shownMinor } of held.successful) {
    if (shownMinor === undefined || shownMinor === payout.amountMinor) continue;
    const message = `transaction ${transactionId}: ${amountText(payout, shownMinor)}`;
    findings.push({ kind: 'amount-differs', message });
  }
  if (payout.state === 'paid' && held.successful.length > 0 && held.open.length > 0) {
    findings.push({ kind: 'still-open', message: watchedText(held.open.join(' ')) });
  }
  const disagreement = disagreementOf(payout, held, searchable);
  if (disagreement) findings.push(disagreement);
  return findings;
}

function disagreementOf(payout: Payout, held: HeldByService, searchable: boolean): Finding | undefined {
  const { status } = held;
  const { state } = payout;
  if (status === undefined) {
    // What was not asked, or not answered to the point, contradicts nothing.
    if (held.unavailable !== undefined || held.differences.length > 0) return undefined;
    if (held.undecided || !searchable) return notTold(payout);
  }
  const there = status === undefined ? 'the service holds nothing of it' : `the service says ${status}`;
  const called = (kind: Finding['kind'], name: string = state): Finding => ({
    kind,
    message: `called ${name}, but ${there}`,
  });
  switch (state) {
    case 'paid':
      return status === 'successful' ? undefined : called('not-paid');
    case 'submitted':
      if (status === undefined) return called('not-paid', 'pending');
      return status === 'pending' ? undefined : behind(state, there);
    case 'submitting':
    case 'unclear':
      return status === undefined ? undefined : behind(state, there);
    case 'failed':
    case 'returned':
      if (status === 'failed') return undefined;
      return called(status === undefined ? 'not-ours' : 'paid-unawares');
    case 'planned':
    case 'ready':
    case 'held':
    case 'cancelled':
    case 'refused':
      if (status === undefined) return undefined;
      // A person has seen that it was pending; that it still is, is no news, and no reason to be quiet about it.
      if (isGivenUp(payout) && status === 'pending')
        return { kind: 'still-open', message: `${reasonText(payout)}; ${there}` };
      if (isGivenUp(payout) && status === 'failed') return behind(state, there);
      return called(status === 'failed' ? 'not-ours' : 'paid-unawares');
  }
}

/** Nothing is said of it that is wrong; the service only knows more by now. */
function behind(state: string, there: string): Finding {
  return { kind: 'behind', message: `${state} here, and ${there}: a resume takes that in` };
}

/** A payout that is not claimed to be at the service needs no proof that it is not. */
function notTold({ state }: Payout): Finding | undefined {
  const claimed = state === 'paid' || state === 'submitted' || state === 'failed' || state === 'returned';
  return claimed
    ? { kind: 'not-checked', message: `called ${state}, and the service could not tell` }
    : undefined;
}
