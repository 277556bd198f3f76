import type { AccountParts, SavedAccount } from '../../journal/saved-account.ts';
import type { ExternalAccount } from '../../service/contract/external-accounts.ts';
import { operatorNamed } from './account-agrees.ts';

/** What an account shows besides its number, in our words. */
export function accountParts({ country, destination, payoutMethod }: ExternalAccount): AccountParts {
  return {
    operator: destination === 'MoMo' ? operatorNamed(payoutMethod?.code ?? '', country ?? '') : '',
    branchCode: payoutMethod?.branchCode?.trim() ?? '',
  };
}

/** The account with parts that it does not show. A code that it shows is its own word for the operator, and stays. */
export function withParts(account: ExternalAccount, parts: AccountParts): ExternalAccount {
  const { destination, payoutMethod } = account;
  const code = payoutMethod?.code || (destination === 'MoMo' ? parts.operator : '');
  return { ...account, payoutMethod: { ...payoutMethod, code, branchCode: parts.branchCode } };
}

/** Whether it is what the journal says of it. What it does not show is no difference. */
export function isAsTold(account: ExternalAccount, told: SavedAccount, country: string): boolean {
  const shown = accountParts(account);
  return (
    !told.wanted &&
    (shown.operator === '' || shown.operator === operatorNamed(told.operator, country)) &&
    (shown.branchCode === '' || shown.branchCode.toUpperCase() === told.branchCode.toUpperCase())
  );
}
