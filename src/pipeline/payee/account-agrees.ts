import type { Payout } from '../../domain/payout/payout.ts';
import { findCountry } from '../../domain/reference-data/countries.ts';
import { isOperatorWord, operatorFrom } from '../../domain/reference-data/operator-words.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import type { ExternalAccount } from '../../service/contract/external-accounts.ts';
import { isAccountOf } from './account-key.ts';

export type AccountWanted = Pick<
  Payout,
  'country' | 'currency' | 'destination' | 'bankCode' | 'number' | 'operator' | 'branchCode'
>;

/** Whether a stored account leads money to just where the row says. What either leaves open is no difference. */
export function accountAgrees(account: ExternalAccount, wanted: AccountWanted): boolean {
  return isAccountOf(account, wanted) && accountDifferences(account, wanted) === '';
}

/** What an account of the payee's number has otherwise than the row: `operator airtel, not mpesa`. Empty for nothing. */
export function accountDifferences({ payoutMethod }: ExternalAccount, wanted: AccountWanted): string {
  const code = payoutMethod?.code?.trim() ?? '';
  const branch = payoutMethod?.branchCode?.trim() ?? '';
  const differences = [
    ...(isOtherOperator(code, wanted) ? [`operator ${readableText(code)}, not ${wanted.operator}`] : []),
    ...(isOtherBranch(branch, wanted) ? [`branch ${readableText(branch)}, not ${wanted.branchCode}`] : []),
  ];
  return differences.join(' and ');
}

/** In whatever form another system has stored it. A code that is no operator's proves nothing: services have their own. */
function isOtherOperator(code: string, { destination, country, operator }: AccountWanted): boolean {
  if (destination !== 'MoMo' || code === '' || operator === '') return false;
  const known = findCountry(country);
  const stored = known && operatorFrom(code, known);
  return stored === undefined ? isOperatorWord(code) : stored !== operator;
}

/** The operator that an account names, in our word for it; empty for none, and for a code that is no operator's. */
export function operatorNamed(code: string, iso2: string): string {
  const known = findCountry(iso2);
  return (known && operatorFrom(code, known)) ?? (isOperatorWord(code) ? code.trim() : '');
}

/**
 * Of the accounts of a number, one that agrees: the first at the operator of the row, where the row names none the first
 * that names none either, else the first of all.
 */
export function agreeingAccount(
  accounts: readonly ExternalAccount[],
  wanted: AccountWanted,
): ExternalAccount | undefined {
  const agreeing = accounts.filter((account) => accountAgrees(account, wanted));
  const isExact = ({ payoutMethod }: ExternalAccount) =>
    operatorNamed(payoutMethod?.code ?? '', wanted.country) === wanted.operator;
  return (wanted.destination === 'MoMo' ? agreeing.find(isExact) : undefined) ?? agreeing[0];
}

function isOtherBranch(branch: string, { branchCode }: AccountWanted): boolean {
  return branch !== '' && branchCode !== '' && branch.toUpperCase() !== branchCode.toUpperCase();
}
