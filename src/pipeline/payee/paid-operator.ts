import type { Payout } from '../../domain/payout/payout.ts';
import type { RunContext } from '../run/run-context.ts';
import { operatorNamed } from './account-agrees.ts';

/** The operator by which a payout is paid: that of the row, else that of its account as the journal knows it by now. */
export function paidOperator({ payees }: Pick<RunContext, 'payees'>, payout: Payout): string {
  if (payout.operator !== '' || payout.destination !== 'MoMo') return payout.operator;
  const account = payees.accountOf(payout);
  return account?.id === payout.externalAccountId ? operatorNamed(account.operator, payout.country) : '';
}
