import { accountCalls } from '../service/account-calls.ts';
import { chargeCalls } from '../service/charge-calls.ts';
import { referenceCalls } from '../service/reference-calls.ts';
import { transactionCalls } from '../service/transaction-calls.ts';
import { webhookCalls } from '../service/webhook-calls.ts';
import type { CommandGroup } from './command.ts';

/** Every endpoint of the service, but the one that pays: that is what `run` is for. */
export const serviceCommand: CommandGroup = {
  commands: {
    balance: referenceCalls.balance,
    accounts: { says: 'Stored beneficiaries: list, get, create, update, delete', commands: accountCalls },
    transactions: { says: 'Payments at the service: list, get', commands: transactionCalls },
    resolve: referenceCalls.resolve,
    'branches <id>': referenceCalls.branches,
    rates: referenceCalls.rates,
    countries: referenceCalls.countries,
    charge: { says: 'Collect a payment: momo, card, bank-transfer, authorise', commands: chargeCalls },
    webhooks: { says: 'Webhook records: list, get, resend, simulate', commands: webhookCalls },
  },
};
