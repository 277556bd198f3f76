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

/** A transaction that paid, and the attempt under whose reference it stands. */
export interface Paying {
  readonly transactionId: string;
  readonly attempt: number;
  /** False for one that went out before its row was corrected: what it paid is not what the payout is now. */
  readonly asItIs: boolean;
}

/** Every transaction that paid it, under its reference and those of its earlier attempts; undefined where one is not known. */
export async function allThatPaid(
  context: RunContext,
  payout: Payout,
): Promise<{ readonly paid: readonly Paying[]; readonly present: LookUp } | undefined> {
  const { batch } = context;
  const paid = new Map<string, Paying>();
  let present: LookUp = { kind: 'not-found' };
  for (let attempt = 1; attempt <= payout.attempt; attempt += 1) {
    const reference = referenceOf(batch.name, batch.keyKind, payout.key, attempt);
    present = await carefulLookUp(context, { ...payout, attempt, reference });
    if (present.kind === 'unavailable') return undefined;
    const asItIs = present.kind === 'found';
    const earlier = present.kind === 'differs' && attempt < payout.attempt ? present.successful : [];
    for (const transactionId of present.kind === 'found' ? present.successful : earlier)
      paid.set(transactionId, { transactionId, attempt, asItIs });
  }
  return { paid: [...paid.values()], present };
}

/** Where more than one send or attempt was made, more than one transaction may have paid. */
export function mayBePaidTwice({ unknownSends, attempt, reason }: Payout): boolean {
  return unknownSends > 0 || attempt > 1 || reason.startsWith(paidTwiceMark);
}
