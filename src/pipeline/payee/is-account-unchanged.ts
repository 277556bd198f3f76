import type { Payout } from '../../domain/payout/payout.ts';
import type { KnownOfPayee, RunContext } from '../run/run-context.ts';
import { accountAgrees, accountDifferences, operatorNamed } from './account-agrees.ts';
import { isOperatorOpen, operatorOf } from './paid-operator.ts';

/** Whether the account that a payout is about to be sent to was still its payee's when this run read the list. */
export function isAccountUnchanged(
  { memory }: RunContext,
  payout: Payout,
  id = payout.externalAccountId,
): boolean {
  const account = memory.lists.accounts?.byId(id);
  return account !== undefined && accountAgrees(account, payout);
}

/** Of a row that names no operator: whether its account, as this run read it, names another than the name was asked at. */
export async function isAskedElsewhere({ memory, payees }: RunContext, payout: Payout): Promise<boolean> {
  const code = memory.lists.accounts?.byId(payout.externalAccountId)?.payoutMethod?.code ?? '';
  if (!isOperatorOpen(payout) || code.trim() === '') return false;
  return operatorNamed(code, payout.country) !== operatorAskedAt(await payees.nameOf(payout));
}

/**
 * The same by the journal, in the very step in which the intent to send is written: another batch may have changed the
 * account since this run has read it, or be about to.
 */
export function accountIsStillIts(known: KnownOfPayee, payout: Payout): boolean {
  const { account } = known;
  if (account?.id !== payout.externalAccountId) return true;
  const isOurs = [account, account.wanted ?? account].every(({ operator, branchCode }) => {
    const payoutMethod = { code: operator, branchCode };
    return accountDifferences({ externalAccountId: account.id, payoutMethod }, payout) === '';
  });
  if (!isOurs || !isOperatorOpen(payout)) return isOurs;
  const isSettled = (account.wanted ?? account).operator === account.operator;
  return isSettled && operatorOf(account, payout) === operatorAskedAt(known.name);
}

function operatorAskedAt(name: KnownOfPayee['name']): string {
  return name?.operator ?? '';
}
