import type { Payout } from '../../domain/payout/payout.ts';
import type { JudgedPayout } from '../../domain/payout/shown-transaction.ts';
import type { Asked } from '../../journal/asked.ts';
import type { Payouts } from '../../journal/payouts/payout-queries.ts';
import { type LookUp, type LookUpService, readKnown } from './look-up.ts';

interface UnlistedContext {
  readonly service: LookUpService;
  readonly payouts: Pick<Asked<Payouts>, 'transactionTaken' | 'transactionsOf' | 'unplacedTransactions'>;
}

/**
 * What a payout was ever known by under one of its references and a look-up of that reference has not shown, each read by
 * itself: that a list leaves a transaction out is no end of it.
 */
export async function readUnlisted(
  { service, payouts }: UnlistedContext,
  attempt: JudgedPayout & Pick<Payout, 'id'>,
  seen: LookUp,
  { isPresent }: { readonly isPresent: boolean },
): Promise<LookUp[]> {
  if (seen.kind === 'unavailable') return [];
  const { id, reference } = attempt;
  const shown = seen.kind === 'found' || seen.kind === 'differs' ? seen.transactionIds : [];
  const isHidden = (transactionId: string) => !shown.includes(transactionId);
  const read = (transactionId: string) =>
    readKnown(service, attempt, (each) => payouts.transactionTaken(each, id), transactionId);
  const unlisted: LookUp[] = [];
  for (const transactionId of (await payouts.transactionsOf(id, reference)).filter(isHidden))
    unlisted.push(await read(transactionId));
  for (const transactionId of (await payouts.unplacedTransactions(id)).filter(isHidden)) {
    const known = await read(transactionId);
    // It shows the reference of another attempt: there it counts.
    if (known.kind === 'undecided') continue;
    const isPlaced = (known.kind === 'found' || known.kind === 'differs') && known.showsReference;
    if (isPlaced || !isPresent) unlisted.push(known);
  }
  return unlisted;
}
