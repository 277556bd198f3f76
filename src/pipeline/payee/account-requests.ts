import type { Payout } from '../../domain/payout/payout.ts';
import type {
  CreateExternalAccountRequest,
  ExternalAccount,
} from '../../service/contract/external-accounts.ts';

/** What the service is asked to store for a payee. */
export function newAccount(payout: Payout, phonePlus: boolean): CreateExternalAccountRequest {
  const { country, currency, number, branchCode, accountName } = payout;
  const branch = branchCode === '' ? {} : { branchCode };
  if (payout.destination === 'Bank Account') {
    return {
      country,
      currency,
      type: 'bank',
      payload: {
        accountName,
        accountNumber: number,
        code: payout.bankCode,
        destination: 'Bank Account',
        ...branch,
      },
    };
  }
  const [firstName = '', ...rest] = accountName.split(' ');
  return {
    country,
    currency,
    type: 'momo',
    payload: {
      firstName,
      lastName: rest.join(' '),
      phoneNumber: phonePlus ? number : number.replace(/^\+/, ''),
      destination: 'MoMo',
      ...(payout.operator === '' ? {} : { code: payout.operator }),
      ...branch,
    },
  };
}

/** The same account as the row wants it: its name stays unless it has none, and what the row leaves open stays too. */
export function correctedAccount({ payoutMethod }: ExternalAccount, payout: Payout) {
  const { country, currency, destination, branchCode } = payout;
  const code = destination === 'MoMo' ? payout.operator : payout.bankCode;
  return {
    country,
    currency,
    destination,
    payoutMethod: {
      accountName: payoutMethod?.accountName?.trim() || payout.accountName,
      accountNumber: payoutMethod?.accountNumber ?? payout.number,
      code: code || (payoutMethod?.code ?? ''),
      branchCode: branchCode || (payoutMethod?.branchCode ?? ''),
    },
  };
}

/** A new account as it should stand there. */
export function accountAsMade(externalAccountId: string, payout: Payout): ExternalAccount {
  return { externalAccountId, ...correctedAccount({ externalAccountId }, payout) };
}
