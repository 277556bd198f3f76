import type { Payout } from '../domain/payout.ts';
import { accountAgrees } from './account-agrees.ts';
import type { RunContext } from './run-context.ts';

/** Whether the account that a payout is about to be sent to was still its payee's when this run read the list. */
export function accountStands({ memory }: RunContext, payout: Payout): boolean {
  const account = memory.accounts?.get(payout.externalAccountId);
  return account !== undefined && accountAgrees(account, payout);
}
