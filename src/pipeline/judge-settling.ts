import { type Judgement, judgeTransaction, showsReference } from '../domain/judge-transaction.ts';
import type { Payout } from '../domain/payout.ts';
import type { SingleTransaction } from '../service/contract/transactions.ts';
import type { RunContext } from './run-context.ts';

/**
 * One transaction pays one payout. A service that names the same one for two is believed about neither, unless it shows
 * whose reference it carries.
 */
export function judgeSettling({ payouts }: RunContext, shown: SingleTransaction, payout: Payout): Judgement {
  const judged = judgeTransaction(shown, payout, payout.transactionId);
  if (
    judged.kind !== 'ours' ||
    showsReference(shown) ||
    !payouts.transactionTaken(payout.transactionId, payout.id)
  )
    return judged;
  return { kind: 'differs', why: 'it is known as another payout’s', status: judged.status };
}
