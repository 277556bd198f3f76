import type { Payout } from '../domain/payout.ts';
import { paidTwiceMark } from '../domain/payout.ts';
import { referenceOf } from '../domain/reference.ts';
import { carefulLookUp } from './careful-look-up.ts';
import type { LookUp } from './look-up.ts';
import type { RunContext } from './run-context.ts';

/** What the results and the summary say of it, for as long as the journal is kept. */
export function paidTwiceReason(payout: Pick<Payout, 'key'>, transactions: readonly string[]): string {
  return `${paidTwiceMark} payment ${payout.key} was paid by ${transactions.length} transactions: ${transactions.join(', ')}`;
}

/** Every transaction that paid it, under its reference and those of its earlier attempts; undefined where one is not known. */
export async function allThatPaid(
  context: RunContext,
  payout: Payout,
): Promise<{ readonly paid: readonly string[]; readonly present: LookUp } | undefined> {
  const { batch } = context;
  const paid = new Set<string>();
  let present: LookUp = { kind: 'not-found' };
  for (let attempt = 1; attempt <= payout.attempt; attempt += 1) {
    const reference = referenceOf(batch.name, batch.keyKind, payout.key, attempt);
    present = await carefulLookUp(context, { ...payout, attempt, reference });
    if (present.kind === 'unavailable') return undefined;
    if (present.kind === 'found') for (const id of present.successful) paid.add(id);
  }
  return { paid: [...paid], present };
}
