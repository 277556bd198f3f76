import type { Payout } from '../../domain/payout/payout.ts';
import type { SavedAccount } from '../../journal/saved-account.ts';
import type { RunContext } from '../run/run-context.ts';
import { operatorNamed } from './account-agrees.ts';

/** The operator by which a payout is paid: that of the row, else that of its account as the journal knows it by now. */
export async function paidOperator({ payees }: Pick<RunContext, 'payees'>, payout: Payout): Promise<string> {
  return isOperatorOpen(payout) ? operatorOf(await payees.accountOf(payout), payout) : payout.operator;
}

/** Whether the row leaves it to the account. */
export function isOperatorOpen({ operator, destination }: Payout): boolean {
  return operator === '' && destination === 'MoMo';
}

/** That of a row that leaves it to its account. */
export function operatorOf(account: SavedAccount | undefined, payout: Payout): string {
  return account?.id === payout.externalAccountId ? operatorNamed(account.operator, payout.country) : '';
}
