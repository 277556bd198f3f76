import { judgeTransaction } from '../../domain/payout/judge-transaction.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { type Reason, reason } from '../../domain/payout/reasons.ts';
import { referenceOf } from '../../domain/reference.ts';
import type { RunContext } from '../run/run-context.ts';
import { carefulLookUp } from './careful-look-up.ts';
import type { LookUp, Successful } from './look-up.ts';
import { readUnlisted } from './read-unlisted.ts';

/** What the journal keeps of it for good, so that results and summaries always say it first. */
export function paidTwice(transactions: readonly string[]): Reason & Pick<Payout, 'paidTwice'> {
  return {
    ...reason('paid-twice', { transactions: transactions.join(', ') }),
    paidTwice: transactions.join(' '),
  };
}

/** A transaction that paid, and the attempt under whose reference it stands. */
export interface Paying extends Successful {
  readonly attempt: number;
  /** False for one that went out before its row was corrected: what it paid is not what the payout is now. */
  readonly asItIs: boolean;
}

/** What the service holds of a payout, all its attempts together. */
export interface AllAttempts {
  readonly paid: readonly Paying[];
  /** Under the reference that the payout has now. */
  readonly present: LookUp;
  /** Under any of them, and neither successful nor failed. */
  readonly open: readonly string[];
  /** Under another one something is still on its way. */
  readonly othersPending: boolean;
}

/** Every transaction that paid it, under its reference and those of its other attempts; undefined where one is not known. */
export async function allThatPaid(context: RunContext, payout: Payout): Promise<AllAttempts | undefined> {
  const { batch } = context;
  const paid = new Map<string, Paying>();
  let present: LookUp = { kind: 'not-found' };
  let othersPending = false;
  const open = new Set<string>();
  for (let attempt = 1; attempt <= payout.lastAttempt; attempt += 1) {
    const reference = referenceOf(batch.name, batch.keyKind, payout.key, attempt);
    const seen = await carefulLookUp(context, { ...payout, reference });
    if (seen.kind === 'unavailable') return undefined;
    const isPresent = attempt === payout.attempt;
    if (isPresent) present = seen;
    const unlisted = await readUnlisted(context, { ...payout, reference }, seen, { isPresent });
    for (const each of [seen, ...unlisted]) {
      // One that was known once and is refused now, the service does not have any more.
      if (each.kind === 'unavailable' && each.outcome.kind !== 'refused') return undefined;
      othersPending ||= (each !== seen || !isPresent) && each.kind === 'found' && each.status === 'pending';
      if (each.kind === 'found' || each.kind === 'differs') for (const id of each.open) open.add(id);
      const otherwise = each.kind === 'differs' && !isPresent ? each.successful : [];
      for (const one of each.kind === 'found' ? each.successful : otherwise)
        paid.set(one.transactionId, { ...one, attempt, asItIs: each.kind === 'found' });
    }
  }
  for (const id of watchedOf(payout)) {
    if (paid.has(id) || open.has(id)) continue;
    const ended = await readWatched(context, payout, id);
    if (ended === 'open') open.add(id);
    else if (ended !== 'failed') paid.set(id, ended);
  }
  return { paid: [...paid.values()], present, open: [...open], othersPending };
}

/**
 * Where more than one send or attempt was made, or more than one transaction was seen, more than one may have paid: also
 * where each send but the last was answered with a 401 or 429, for such an answer need not be true.
 */
export async function mayBePaidTwice(
  { journal }: Pick<RunContext, 'journal'>,
  payout: Payout,
): Promise<boolean> {
  const { unknownSends, lastAttempt, paidTwice: paid, watched } = payout;
  if (unknownSends > 0 || lastAttempt > 1 || paid !== '' || watched !== '') return true;
  return (await journal.sendsThatLeft(payout)) > 1;
}

function watchedOf({ watched }: Payout): string[] {
  return watched === '' ? [] : watched.split(' ');
}

/** One that was seen once and that no list shows as paid or open now: that a list leaves it out is no end. */
async function readWatched(
  { service, batch }: RunContext,
  payout: Payout,
  transactionId: string,
): Promise<Paying | 'open' | 'failed'> {
  const read = await service.readTransaction({ params: { transactionId } });
  if (read.kind !== 'ok') return 'open';
  const { externalReference } = read.value.data;
  const references = Array.from({ length: payout.lastAttempt }, (_, index) =>
    referenceOf(batch.name, batch.keyKind, payout.key, index + 1),
  );
  const place = references.indexOf(externalReference?.toLowerCase() ?? payout.reference);
  const attempt = place < 0 ? payout.attempt : place + 1;
  const reference = references[attempt - 1] ?? payout.reference;
  const judged = judgeTransaction(read.value.data, { ...payout, reference }, transactionId);
  if (judged.kind === 'other-reference' || judged.status === 'pending') return 'open';
  if (judged.status === 'failed') return 'failed';
  const shownMinor = judged.kind === 'ours' ? judged.shownMinor : undefined;
  return { transactionId, shownMinor, attempt, asItIs: judged.kind === 'ours' };
}

/** What the journal keeps of transactions of a payout besides its own. */
export function watchedBeside(transactionId: string, others: readonly string[]): string {
  return others.filter((other) => other !== transactionId).join(' ');
}
