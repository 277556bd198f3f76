import type { ExternalAccount } from '../../service/contract/external-accounts.ts';
import { accountKey } from './account-key.ts';

/**
 * The accounts of a list by their IDs. Nobody knows where one leads that is listed twice with different values: it agrees
 * with no payee.
 */
export function accountsById(accounts: readonly ExternalAccount[]): Map<string, ExternalAccount> {
  const byId = new Map<string, ExternalAccount>();
  for (const account of accounts) {
    const before = byId.get(account.externalAccountId);
    const isTwofold = before !== undefined && whereTo(before) !== whereTo(account);
    byId.set(account.externalAccountId, isTwofold ? nobodys(account) : account);
  }
  return byId;
}

/** Whether an account of a list stands for its ID alone. */
export function isListedOtherwise(
  byId: ReadonlyMap<string, ExternalAccount>,
  account: ExternalAccount,
): boolean {
  const listed = byId.get(account.externalAccountId);
  return listed !== undefined && accountKey(listed) !== accountKey(account);
}

function whereTo(account: ExternalAccount): string {
  const { code = '', branchCode = '' } = account.payoutMethod ?? {};
  return JSON.stringify([accountKey(account), code, branchCode]);
}

function nobodys(account: ExternalAccount): ExternalAccount {
  return { ...account, payoutMethod: { ...account.payoutMethod, accountNumber: '' } };
}
