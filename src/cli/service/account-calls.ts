import type { InferredOptionTypes } from 'yargs';
import { maskNumber } from '../../domain/money/format-money.ts';
import { accountsText, accountText } from '../../report/service-views.ts';
import { textFlag } from '../flags/flag-kinds.ts';
import { workspaceCommand } from '../flags/next-batch-command.ts';
import { wholeNumberFlag } from '../flags/number-flags.ts';
import { usageError } from '../flags/usage-error.ts';
import type { WorkspaceFlags } from '../flags/workspace-flags.ts';
import type { CommonFlags } from './described-call.ts';
import { handCommand, idFlag, yesFlag } from './hand-command.ts';
import { payeeFlags, payeeOf } from './payee-flags.ts';

const accountFlags = {
  ...payeeFlags,
  country: { ...textFlag('Two letters: KE'), demandOption: true },
  currency: { ...textFlag('Three letters: KES'), demandOption: true },
  name: { ...textFlag('Name of the holder'), demandOption: true },
  branch: textFlag('Branch code: UG and TZ need one'),
  yes: yesFlag,
} as const;

const limitFlag = { type: 'number', default: 1000, describe: 'How many to show' } as const;

export const accountCalls = {
  list: handCommand(
    { limit: limitFlag },
    {
      call: 'listExternalAccounts',
      says: 'All stored accounts',
      example: 'accounts list',
      want: () => ({ request: {} }),
      send: async (service, flags) => {
        const most = wholeNumberFlag('--limit', flags.limit, 1, 1_000_000) ?? 0;
        const { data, count } = await service.accounts(most);
        return { success: true as const, data: [...data], count };
      },
      show: ({ data, count }) => ({ text: accountsText(data, Number(count)), data, count: Number(count) }),
    },
  ),
  'get <id>': handCommand(
    { id: idFlag },
    {
      call: 'readExternalAccount',
      says: 'One stored account',
      example: 'accounts get ID',
      want: ({ id }) => ({ request: { params: { externalAccountId: id } } }),
      show: ({ data }) => ({ text: accountText(data), data }),
    },
  ),
  create: handCommand(accountFlags, {
    call: 'createExternalAccount',
    says: 'Store an account: --phone for mobile money, --account and --bank for a bank',
    example: 'accounts create --country KE --currency KES --name "Amina Otieno" --phone +254712345678',
    want: (flags) => ({
      request: { body: newAccount(flags) },
      changes: `Stores ${holder(flags)} as an external account.`,
      look: lookAt(flags, 'list'),
    }),
    show: ({ data: { id } }) => ({
      text: { heads: ['id'], rows: [[id]], single: true, notes: ['The account is stored.'] },
      data: { id },
    }),
  }),
  'update <id>': handCommand(
    { id: idFlag, ...accountFlags },
    {
      call: 'updateExternalAccount',
      says: 'Replace a stored account by what the flags say, all of it',
      example: 'accounts update ID --country KE --currency KES --name "Amina Otieno" --phone +254712345678',
      want: (flags) => ({
        request: { params: { externalAccountId: flags.id }, body: changedAccount(flags) },
        changes: `Replaces external account ${flags.id} by ${holder(flags)}. Payouts that name it go there from now on.`,
        look: lookAt(flags, 'get', flags.id),
      }),
      show: () => done('The account is replaced.'),
    },
  ),
  'delete <id>': handCommand(
    { id: idFlag, yes: yesFlag },
    {
      call: 'deleteExternalAccount',
      says: 'Remove a stored account',
      example: 'accounts delete ID',
      want: (flags) => ({
        request: { params: { externalAccountId: flags.id } },
        changes: `Removes external account ${flags.id}.`,
        look: lookAt(flags, 'get', flags.id),
      }),
      show: () => done('The account is removed.'),
    },
  ),
};

type AccountFlags = InferredOptionTypes<typeof accountFlags> & CommonFlags;

function newAccount(flags: AccountFlags) {
  const payee = payeeOf(flags);
  const place = { country: flags.country.toUpperCase(), currency: flags.currency.toUpperCase() };
  const branch = flags.branch === undefined ? {} : { branchCode: flags.branch };
  if (payee.method === 'bank') {
    const { number, bank: code } = payee;
    const destination = 'Bank Account' as const;
    const payload = { accountName: flags.name, accountNumber: number, code, destination, ...branch };
    return { ...place, type: 'bank' as const, payload };
  }
  const [firstName = '', ...rest] = flags.name.trim().split(/\s+/);
  const operator = payee.operator === undefined ? {} : { code: payee.operator };
  const destination = 'MoMo' as const;
  const payload = { firstName, lastName: rest.join(' '), phoneNumber: payee.number, destination };
  return { ...place, type: 'momo' as const, payload: { ...payload, ...operator, ...branch } };
}

function changedAccount(flags: AccountFlags) {
  const payee = payeeOf(flags);
  const code = payee.method === 'bank' ? payee.bank : payee.operator;
  return {
    country: flags.country.toUpperCase(),
    currency: flags.currency.toUpperCase(),
    destination: payee.method === 'bank' ? ('Bank Account' as const) : ('MoMo' as const),
    payoutMethod: {
      accountName: flags.name,
      accountNumber: payee.number,
      ...(code === undefined ? {} : { code }),
      ...(flags.branch === undefined ? {} : { branchCode: flags.branch }),
    },
  };
}

function holder(flags: AccountFlags): string {
  const { number } = payeeOf(flags);
  if (flags.name.trim() === '') throw usageError('--name is empty.');
  return `${flags.name} ${flags.show ? number : maskNumber(number)}`;
}

function done(said: string) {
  return { text: { heads: [], rows: [], notes: [said] }, data: {} };
}

function lookAt(flags: WorkspaceFlags, ...words: readonly string[]): string {
  return workspaceCommand(['service', 'accounts', ...words], flags);
}
