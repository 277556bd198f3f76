import type { HeldByService } from '../../domain/payout/compare-with-service.ts';
import type { TransactionStatus } from '../../domain/payout/judge-transaction.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { reasonText } from '../../domain/payout/reasons.ts';
import { referenceOf } from '../../domain/reference.ts';
import type { BatchRecord } from '../../journal/batch-record.ts';
import type { Payouts } from '../../journal/payouts/payout-queries.ts';
import { mostPastGap } from './careful-look-up.ts';
import { type LookUpService, lookUp, type Successful } from './look-up.ts';
import { readUnlisted } from './read-unlisted.ts';

interface HeldParts {
  readonly service: LookUpService;
  readonly payouts: Pick<Payouts, 'transactionTaken' | 'transactionsOf' | 'unplacedTransactions'>;
  readonly batch: Pick<BatchRecord, 'name' | 'keyKind'>;
}

/** A service that ignores the filter and shows no references would find the same failure under every one of them. */
const mostFurtherAttempts = 10;

/**
 * What the service holds of a payout under each of its references, and by every transaction that it was ever known by. Reads
 * alone.
 */
export async function heldByService(
  { service, payouts, batch }: HeldParts,
  payout: Payout,
): Promise<HeldByService> {
  const isTaken = (id: string) => payouts.transactionTaken(id, payout.id);
  const successful = new Map<string, Successful>();
  const differences: string[] = [];
  const contradictions = new Set<string>();
  const open = new Set<string>();
  let unavailable: string | undefined;
  let undecided = false;
  let settledOtherwise = false;
  let present: TransactionStatus | undefined;
  let pending = false;
  // Upward past the last attempt as well, and past some that are not shown: another journal may have gone on from a
  // failure that this one knows, or have begun with a later attempt.
  const last = payout.lastAttempt + mostFurtherAttempts;
  let gap = 0;
  for (
    let attempt = 1;
    attempt <= payout.lastAttempt || (gap < mostPastGap && attempt <= last);
    attempt += 1
  ) {
    const reference = referenceOf(batch.name, batch.keyKind, payout.key, attempt);
    const seen = await lookUp(service, { ...payout, reference }, isTaken);
    if (attempt > payout.lastAttempt) {
      if (seen.kind === 'undecided' || seen.kind === 'unavailable') break;
      gap = seen.kind === 'not-found' ? gap + 1 : 0;
    }
    const isPresent = attempt === payout.attempt;
    // Not shown under its reference, though it is known: the single read has the last word.
    const unlisted = await readUnlisted({ service, payouts }, { ...payout, reference }, seen, { isPresent });
    const [known] = unlisted.filter(({ kind }) => kind === 'found');
    const last = seen.kind === 'found' || !isPresent ? seen : (known ?? seen);
    if (attempt <= payout.lastAttempt || seen.kind === 'found')
      present = last.kind === 'found' ? last.status : undefined;
    for (const each of [seen, ...unlisted]) {
      if (each.kind === 'found' || each.kind === 'differs') for (const id of each.open) open.add(id);
      if (each.kind === 'found') {
        for (const one of each.successful) successful.set(one.transactionId, one);
        pending ||= each.status === 'pending';
        for (const one of each.contradictions) contradictions.add(reasonText(one));
      } else if (each.kind === 'differs') {
        // An attempt that failed before its row was corrected differs by that very correction.
        if (!isPresent && each.allFailed) continue;
        differences.push(each.why);
        settledOtherwise ||= each.transactionIds.some((id) => !each.open.includes(id));
      } else if (each === seen && each.kind === 'undecided') undecided = true;
      else if (each.kind === 'unavailable' && (each === seen || each.outcome.kind !== 'refused'))
        unavailable = each.outcome.cause;
    }
  }
  const overall = successful.size > 0 ? 'successful' : pending ? 'pending' : present;
  return {
    status: overall,
    successful: [...successful.values()],
    open: [...open],
    differences,
    contradictions: [...contradictions],
    undecided,
    settledOtherwise,
    unavailable,
  };
}
