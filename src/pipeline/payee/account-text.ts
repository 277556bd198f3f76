import { textsFrom } from '../../domain/text/text-list.ts';
import type { ExternalAccount } from '../../service/contract/external-accounts.ts';

/** All that payrun looks at, for a list of its own. What is not shown is empty. */
export function accountText({
  externalAccountId,
  country,
  currency,
  destination,
  payoutMethod,
}: ExternalAccount): string {
  const { accountName, accountNumber, code, branchCode } = payoutMethod ?? {};
  const parts = [country, currency, destination, accountName, accountNumber, code, branchCode];
  return JSON.stringify([externalAccountId, ...parts.map((part) => part ?? '')]);
}

export function accountFrom(text: string): ExternalAccount {
  const [externalAccountId = '', country, currency, destination, ...method] = textsFrom(text);
  const [accountName, accountNumber, code, branchCode] = method;
  const payoutMethod = { accountName, accountNumber, code, branchCode };
  return { externalAccountId, country, currency, destination, payoutMethod };
}
