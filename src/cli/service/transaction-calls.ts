import { transactionsText, transactionText } from '../../report/service-views.ts';
import { textFlag } from '../flags/flag-kinds.ts';
import { workspaceCommand } from '../flags/next-batch-command.ts';
import { wholeNumberFlag } from '../flags/number-flags.ts';
import type { CommonFlags } from './described-call.ts';
import { handCommand, idFlag } from './hand-command.ts';

const listFlags = {
  reference: textFlag('Only those with this external reference'),
  status: { choices: ['pending', 'failed', 'successful'], describe: 'Only those in this state' },
  currency: textFlag('Only those in this currency: KES'),
  type: textFlag('Only those of this type, such as withdrew or deposit'),
  from: textFlag('First day: 2026-11-01'),
  to: textFlag('Last day: 2026-11-30'),
  after: textFlag('Go on behind this transaction'),
  limit: { type: 'number', default: 10, describe: 'How many, 1 to 10' },
} as const;

export const transactionCalls = {
  list: handCommand(listFlags, {
    call: 'listTransactions',
    says: 'The newest transactions, ten at a time',
    example: 'transactions list --status pending',
    want: (flags) => ({
      request: {
        query: {
          externalReference: flags.reference,
          status: flags.status,
          currency: flags.currency?.toUpperCase(),
          type: flags.type,
          startDate: flags.from,
          endDate: flags.to,
          transactionId: flags.after,
          limit: wholeNumberFlag('--limit', flags.limit, 1, 10),
        },
      },
    }),
    show: ({ data }, flags) => {
      const last = data.length === flags.limit ? data.at(-1)?.transactionId : undefined;
      const older = last === undefined ? undefined : olderCommand(last, flags);
      return { text: transactionsText(data, older), data };
    },
  }),
  'get <id>': handCommand(
    { id: idFlag },
    {
      call: 'readTransaction',
      says: 'One transaction, by its id or its external reference',
      example: 'transactions get ID',
      want: ({ id }) => ({ request: { params: { transactionId: id } } }),
      show: ({ data }) => ({ text: transactionText(data), data }),
    },
  ),
};

const filters = ['reference', 'status', 'currency', 'type', 'from', 'to', 'limit'] as const;

function olderCommand(
  last: string,
  flags: CommonFlags & { readonly [Name in (typeof filters)[number]]?: string | number | undefined },
): string {
  const given = filters.flatMap((name) =>
    flags[name] === undefined ? [] : [`--${name}`, String(flags[name])],
  );
  return workspaceCommand(['service', 'transactions', 'list', ...given, '--after', last], flags);
}
