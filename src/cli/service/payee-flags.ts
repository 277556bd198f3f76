import { textFlag } from '../flags/flag-kinds.ts';
import { usageError } from '../flags/usage-error.ts';

/** Whose account: mobile money by its phone number, or a bank account. */
export const payeeFlags = {
  phone: textFlag('Phone number of a mobile money account: +254712345678'),
  operator: textFlag('Operator of the phone number, where the service needs it'),
  account: textFlag('Number of a bank account'),
  bank: textFlag('Code of the bank'),
};

export interface PayeeFlags {
  readonly phone?: string | undefined;
  readonly operator?: string | undefined;
  readonly account?: string | undefined;
  readonly bank?: string | undefined;
}

type Payee =
  | { readonly method: 'momo'; readonly number: string; readonly operator: string | undefined }
  | { readonly method: 'bank'; readonly number: string; readonly bank: string };

export function payeeOf({ phone, operator, account, bank }: PayeeFlags): Payee {
  if (phone !== undefined && account === undefined && bank === undefined)
    return { method: 'momo', number: withoutBlanks(phone), operator };
  if (account !== undefined && bank !== undefined && phone === undefined && operator === undefined)
    return { method: 'bank', number: withoutBlanks(account), bank };
  throw usageError('Name one account: --phone (and --operator), or --account and --bank.');
}

/** As people write numbers down. */
function withoutBlanks(number: string): string {
  return number.replace(/[\s()-]/g, '');
}
