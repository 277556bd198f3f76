import type { Minor } from '../../domain/money/money.ts';
import type { Judgement } from '../../domain/payout/judge-transaction.ts';
import { differingMinor, type Payout } from '../../domain/payout/payout.ts';
import { noReason, type Reason, reason, reasonText } from '../../domain/payout/reasons.ts';
import { referenceOf } from '../../domain/reference.ts';
import {
  allThatPaid,
  mayBePaidTwice,
  type Paying,
  paidTwice,
  watchedBeside,
} from '../look-up/all-attempts.ts';
import type { LookUp } from '../look-up/look-up.ts';
import type { RunContext } from '../run/run-context.ts';

/**
 * How a payout has ended whose transaction has. One transaction does not speak for the reference: failed is only what
 * failed under all of them, and where more than one send or attempt was made, more than one may have paid, or may yet
 * pay. Undefined while that cannot be told: it is asked again.
 */
export async function finalState(
  context: RunContext,
  payout: Payout,
  { status, shownMinor }: EndedTransaction,
): Promise<Ended | undefined> {
  const own = { transactionId: payout.transactionId, shownMinor, attempt: payout.attempt, asItIs: true };
  if (status === 'successful' && !(await mayBePaidTwice(context, payout))) {
    return { to: 'paid', because: noReason, watched: '', ...own };
  }
  const seen = await allThatPaid(context, payout);
  if (!seen) return undefined;
  const others = seen.paid.filter(({ transactionId }) => transactionId !== payout.transactionId);
  const paid = status === 'successful' ? [own, ...others] : others;
  const first = paid.find(({ asItIs }) => asItIs);
  if (first) {
    const watched = watchedBeside(first.transactionId, seen.open);
    return { to: 'paid', because: reasonOf(paid), watched, ...first };
  }
  const [stranger] = paid;
  if (stranger) return stayNamed(context, payout, reason('failed-yet-paid', paidOtherwise(stranger)));
  const { present, othersPending } = seen;
  const doubt = doubtAbout(present);
  if (doubt) return stayNamed(context, payout, doubt);
  if (othersPending || (present.kind === 'found' && present.status !== 'failed')) return undefined;
  // A service that cannot be searched never shows what else was sent.
  if (present.kind === 'undecided' && (await mayBePaidTwice(context, payout))) return undefined;
  return { to: 'failed', because: reason('failed'), watched: '', ...own, shownMinor: undefined };
}

/** Why a single read that says failed is not enough: what else the service shows under the reference does not say so. */
export function doubtAbout(present: LookUp): Reason | undefined {
  if (present.kind === 'found') return present.contradictions[0];
  if (present.kind === 'differs' && !present.withdrawalsFailed)
    return reason('failed-yet-another', { why: present.why });
  return undefined;
}

/** How its own transaction has ended, and the amount that it shows. */
export interface EndedTransaction {
  readonly status: 'successful' | 'failed';
  readonly shownMinor: Minor | undefined;
}

interface Ended extends Paying {
  readonly to: 'paid' | 'failed';
  /** With the transactions that paid it, where there is more than one. */
  readonly because: Reason & Partial<Pick<Payout, 'paidTwice'>>;
  /** Transactions of it that are still open though it is paid. */
  readonly watched: string;
}

/** Why a transaction proves neither that its payout was paid nor that it failed, where the service shows it wrongly. */
export function contradictionIn({ transactionId }: Payout, judged: Judgement): Reason | undefined {
  if (judged.kind === 'ours') {
    const { contradiction } = judged;
    return contradiction && reason('status-contradicts', { transaction: transactionId, ...contradiction });
  }
  const why = judged.kind === 'differs' ? judged.why : 'it carries another reference';
  return reason('not-this-payout', { transaction: transactionId, why });
}

/** Neither paid nor failed can be said of it: it stays pending, and is named. */
export async function stayNamed(context: RunContext, payout: Payout, because: Reason): Promise<undefined> {
  const { journal } = context;
  if (payout.code !== because.code || payout.details !== because.details) await journal.note(payout, because);
  nameOnce(context, payout, reasonText(because));
}

/** Once a run: it is read again and again. */
export function nameOnce({ memory, onEvent }: RunContext, payout: Payout, text: string): void {
  if (memory.chunk.named.has(payout.id)) return;
  memory.chunk.named.add(payout.id);
  onEvent({ kind: 'alarm', message: `payment ${payout.key}: ${text}` });
}

/** On its way, and nothing wrong with it any more: what it was named for is over. */
export async function stayUnnamed({ journal }: RunContext, payout: Payout): Promise<void> {
  if (payout.code === 'status-contradicts' || payout.code === 'not-this-payout')
    await journal.note(payout, noReason);
}

/** For a reason: which attempt, and by what it was paid. */
export function paidOtherwise({ transactionId, attempt }: Paying) {
  return { attempt: String(attempt), transaction: transactionId };
}

function reasonOf(paid: readonly Paying[]): Ended['because'] {
  const ids = paid.map(({ transactionId }) => transactionId);
  return ids.length > 1 ? paidTwice(ids) : noReason;
}

/** By what it was paid, and how much that shows. It may stand under the reference of another attempt: then that is the payout's. */
export function identityOf(
  { batch }: RunContext,
  payout: Payout,
  { transactionId, shownMinor, attempt }: Paying,
) {
  const own = { transactionId, paidMinor: differingMinor(payout, shownMinor) };
  if (attempt === payout.attempt) return own;
  return { ...own, attempt, reference: referenceOf(batch.name, batch.keyKind, payout.key, attempt) };
}
