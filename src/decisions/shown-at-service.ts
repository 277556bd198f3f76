import type { Payout } from '../domain/payout/payout.ts';
import { type LookUp, type LookUpService, lookUp } from '../pipeline/look-up/look-up.ts';

/**
 * Of payouts that a person calls unpaid, those that the service shows all the same, with what it shows. Undefined where it
 * gives no answer.
 */
export async function shownAtService(
  service: LookUpService,
  payouts: readonly Payout[],
  isTaken: (transactionId: string, payout: Payout) => boolean,
): Promise<ReadonlyMap<number, string> | undefined> {
  const shown = new Map<number, string>();
  for (const payout of payouts) {
    const seen = await lookUp(service, payout, (transactionId) => isTaken(transactionId, payout));
    if (seen.kind === 'unavailable') return undefined;
    const text = shownText(seen, payout);
    if (text !== undefined) shown.set(payout.id, text);
  }
  return shown;
}

function shownText(seen: LookUp, { state }: Payout): string | undefined {
  if (seen.kind === 'found' && seen.showsReference && seen.status !== 'failed')
    return `transaction ${seen.transactionId}, ${seen.status}`;
  // A payout may be unclear for just this, and then it is a person who tells.
  if (seen.kind !== 'differs' || state === 'unclear') return undefined;
  const moving = [...seen.successful.map(({ transactionId }) => transactionId), ...seen.open];
  return moving.length === 0 ? undefined : `transaction ${moving.join(' and ')}, with other values`;
}
