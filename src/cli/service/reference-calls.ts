import { publicKeyMark } from '../../domain/environment/public-key-mark.ts';
import { counted } from '../../domain/text/counted.ts';
import { type WalletLine, walletsText } from '../../report/service-views.ts';
import { textFlag } from '../flags/flag-kinds.ts';
import { handCommand, idFlag } from './hand-command.ts';
import { payeeFlags, payeeOf } from './payee-flags.ts';

/** What the service tells about itself, and about others. Nothing here changes anything. */
export const referenceCalls = {
  balance: handCommand(
    {},
    {
      call: 'readUser',
      says: 'What the wallets hold, and whose they are',
      example: 'balance',
      want: () => ({ request: {} }),
      show: (profile) => {
        const { success: _, publicKey = '', ...rest } = profile;
        const holder = [profile.firstName, profile.lastName].filter(Boolean).join(' ');
        const account = [holder, profile.email].filter(Boolean).join(', ');
        const data = { ...rest, publicKey: publicKeyMark(publicKey) };
        return { text: walletsText(walletsOf(rest), account), data };
      },
    },
  ),
  resolve: handCommand(
    { ...payeeFlags, currency: { ...textFlag('Three letters: KES'), demandOption: true } },
    {
      call: 'resolveAccount',
      says: 'The name that an account is held under',
      example: 'resolve --currency KES --phone +254712345678',
      want: (flags) => {
        const payee = payeeOf(flags);
        const asked = { accountNumber: payee.number, currency: flags.currency.toUpperCase() };
        return {
          request: {
            body:
              payee.method === 'bank'
                ? { ...asked, method: 'bank' as const, bankCode: payee.bank }
                : { ...asked, method: 'momo' as const, momoOperator: payee.operator },
          },
        };
      },
      show: ({ data }) => ({
        text: { heads: ['name', 'account'], rows: [[data.accountName, data.accountId]], single: true },
        data,
      }),
    },
  ),
  branches: handCommand(
    { id: { ...idFlag, describe: 'Id of the bank' } },
    {
      call: 'listBranches',
      says: 'The branches of a bank',
      example: 'branches 101',
      want: ({ id }) => ({ request: { query: { bankId: id } } }),
      show: ({ data }) => ({
        text: {
          heads: ['code', 'branch', 'swift', 'bic'],
          rows: data.map((each) => [each.branch_code, each.branch_name, each.swift_code, each.bic]),
          notes: [counted(data.length, 'branch', 'branches')],
        },
        data,
      }),
    },
  ),
  rates: handCommand(
    { from: textFlag('Currency that is sold: USD'), to: textFlag('Currency that is bought: KES') },
    {
      call: 'listRates',
      says: 'Exchange rates of the last 30 days; --from and --to name one pair',
      example: 'rates --from USD --to KES',
      want: ({ from, to }) => ({ request: { query: { from: from?.toUpperCase(), to: to?.toUpperCase() } } }),
      show: ({ data }) => ({
        text: {
          heads: ['pair', 'buy', 'sell', 'time'],
          right: ['buy', 'sell'],
          rows: data.map((each) => [each.currencyPair, each.buy, each.sell, each.updatedAt]),
          notes: [counted(data.length, 'rate')],
        },
        data,
      }),
    },
  ),
  countries: handCommand(
    {},
    {
      call: 'listCountries',
      says: 'The countries that the service knows, and their money',
      example: 'countries',
      want: () => ({ request: {} }),
      show: ({ data }) => ({
        text: {
          heads: ['code', 'country', 'dialling code', 'currency', 'decimals'],
          right: ['decimals'],
          rows: data.map((each) => [
            each.iso2,
            each.name,
            each.dialing_code,
            each.currency?.code,
            each.currency?.decimal,
          ]),
          notes: [counted(data.length, 'country', 'countries')],
        },
        data,
      }),
    },
  ),
};

/** Every `KESWallet` of the profile; one that is kept apart by country has a line for each. */
function walletsOf(profile: Readonly<Record<string, unknown>>): WalletLine[] {
  return Object.entries(profile).flatMap(([name, value]) => {
    const [, currency] = /^([A-Z]{3})Wallet$/.exec(name) ?? [];
    if (currency === undefined || typeof value !== 'object' || value === null) return [];
    const { balance, scopes } = value as { readonly balance?: unknown; readonly scopes?: unknown };
    if (Array.isArray(scopes) && scopes.length > 0)
      return scopes.map((scope) => ({
        currency,
        country: String(scope?.country ?? ''),
        balance: balanceOf(scope?.balance),
      }));
    return [{ currency, balance: balanceOf(balance) }];
  });
}

/** Only KES stands in the contract: of the others the service may say anything. */
function balanceOf(value: unknown): string | number {
  return typeof value === 'string' || typeof value === 'number' ? value : '';
}
