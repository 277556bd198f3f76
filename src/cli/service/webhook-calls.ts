import { webhooksText, webhookText } from '../../report/service-views.ts';
import { textFlag } from '../flags/flag-kinds.ts';
import { workspaceCommand } from '../flags/next-batch-command.ts';
import { wholeNumberFlag } from '../flags/number-flags.ts';
import { handCommand, idFlag, yesFlag } from './hand-command.ts';

const listFlags = {
  status: { choices: ['CREATED', 'FAILED', 'SUCCESS'], describe: 'Only those with this delivery' },
  reference: textFlag('Only those about this transaction or external reference'),
  from: textFlag('First day: 2026-11-01'),
  to: textFlag('Last day: 2026-11-30'),
  limit: { type: 'number', default: 50, describe: 'How many, 1 to 200' },
} as const;

const simulateFlags = {
  reference: { ...textFlag('External reference that the event is about'), demandOption: true },
  status: {
    choices: ['successful', 'failed', 'pending'],
    default: 'successful',
    describe: 'What the event says of the payment',
  },
  yes: yesFlag,
} as const;

export const webhookCalls = {
  list: handCommand(listFlags, {
    call: 'listWebhooks',
    says: 'Webhooks and whether they were delivered, the newest first',
    example: 'webhooks list --status FAILED',
    want: (flags) => ({
      request: {
        query: {
          status: flags.status,
          reference: flags.reference,
          startDate: flags.from,
          endDate: flags.to,
          limit: wholeNumberFlag('--limit', flags.limit, 1, 200),
        },
      },
    }),
    show: ({ data }) => ({ text: webhooksText(data), data }),
  }),
  'get <id>': handCommand(
    { id: idFlag },
    {
      call: 'readWebhook',
      says: 'One webhook',
      example: 'webhooks get ID',
      want: ({ id }) => ({ request: { params: { id } } }),
      show: ({ data }) => ({ text: webhookText(data), data }),
    },
  ),
  'resend <id>': handCommand(
    { id: idFlag, yes: yesFlag },
    {
      call: 'resendWebhook',
      says: 'Have a webhook delivered again',
      example: 'webhooks resend ID',
      want: (flags) => ({
        request: { params: { id: flags.id } },
        changes: `Has webhook ${flags.id} delivered again.`,
        look: workspaceCommand(['service', 'webhooks', 'get', flags.id], flags),
      }),
      show: ({ message }) => said(message ?? 'It is delivered again.'),
    },
  ),
  simulate: handCommand(simulateFlags, {
    call: 'simulateWebhook',
    says: "Have the service's own sandbox send an event. No money moves",
    example: 'webhooks simulate --reference REF --status failed',
    want: (flags) => ({
      request: { body: { externalReference: flags.reference, webhookStatus: flags.status } },
      changes: `Has the sandbox of the service send an event: ${flags.reference} is ${flags.status}.`,
      look: workspaceCommand(['service', 'webhooks', 'list'], flags),
    }),
    show: () => said('The event is on its way.'),
  }),
};

function said(note: string) {
  return { text: { heads: [], rows: [], notes: [note] }, data: {} };
}
