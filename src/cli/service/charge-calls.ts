import { randomUUID } from 'node:crypto';
import { formatMoney, maskNumber } from '../../domain/money/format-money.ts';
import { jsonNumberFromMinor } from '../../domain/money/money.ts';
import { findCurrency } from '../../domain/reference-data/countries.ts';
import { amountFlags } from '../flags/amount-flags.ts';
import { textFlag } from '../flags/flag-kinds.ts';
import { workspaceCommand } from '../flags/next-batch-command.ts';
import { usageError } from '../flags/usage-error.ts';
import type { WorkspaceFlags } from '../flags/workspace-flags.ts';
import { cardSecrets, readCard } from './card-input.ts';
import { chargeShown } from './charge-shown.ts';
import { handCommand, idFlag, yesFlag } from './hand-command.ts';
import { readGiven, readSecret } from './secret-input.ts';

const chargeFlags = {
  amount: { ...textFlag('How much is collected: KES=1500.00'), demandOption: true },
  reference: textFlag('External reference, used never before; default: a new one'),
  yes: yesFlag,
} as const;

const urls = {
  'success-url': textFlag('Where the payer is led after success'),
  'failure-url': textFlag('Where the payer is led after failure'),
};

const email = { ...textFlag('E-mail of the payer'), demandOption: true } as const;

export const chargeCalls = {
  momo: handCommand(
    {
      ...chargeFlags,
      ...urls,
      phone: textFlag('Phone number of the payer: +254712345678'),
      'account-id': textFlag('Stored account of the payer, instead of --phone'),
      operator: textFlag('Operator of the phone number, where the service needs it'),
      'settle-in': textFlag('Currency of the wallet that is credited; default: the one that is paid in'),
      input: textFlag(
        'File with {"otpCode": …, "voucherPin": …}, or - for stdin, where the operator needs them',
      ),
    },
    {
      call: 'chargeByMomo',
      says: 'Collect by mobile money',
      example: 'charge momo --amount KES=1500.00 --phone +254712345678',
      want: async (flags) => {
        const given = flags.input === undefined ? {} : await readGiven(flags.input, momoFields);
        const { phone, 'account-id': accountId } = flags;
        if ((phone === undefined) === (accountId === undefined))
          throw usageError('Name the payer: --phone or --account-id.');
        const payer = accountId ?? (flags.show ? phone : maskNumber(phone ?? ''));
        return {
          request: {
            body: {
              ...chargeOf(flags),
              ...given,
              externalAccountId: accountId,
              phoneNumber: phone?.replace(/[\s()-]/g, ''),
              momoOperatorId: flags.operator,
              walletCurrency: flags['settle-in']?.toUpperCase(),
              successRedirectUrl: flags['success-url'],
              failureRedirectUrl: flags['failure-url'],
            },
          },
          secrets: Object.values(given),
          ...charging(flags, `from ${payer}`),
        };
      },
      show: ({ transactionId, message }, flags, { body }) =>
        chargeShown({ transactionId, message, reference: body.externalReference }, flags),
    },
  ),
  card: handCommand(
    {
      ...chargeFlags,
      email,
      'success-url': urls['success-url'],
      'first-name': textFlag('First name of the payer'),
      'last-name': textFlag('Last name of the payer'),
      ip: textFlag('IP address of the payer'),
      input: textFlag('File with the card as JSON, or - for stdin (usual). At a terminal it is asked for'),
    },
    {
      call: 'chargeByCard',
      says: 'Collect by card. The card is read from a file or stdin, never from the command line',
      example: 'charge card --amount KES=1500.00 --email payer@example.com --input card.json',
      want: async (flags) => {
        const card = await readCard(flags.input);
        return {
          request: {
            body: {
              ...chargeOf(flags),
              ...card,
              email: flags.email,
              firstName: flags['first-name'],
              lastName: flags['last-name'],
              ipAddress: flags.ip,
              successRedirectUrl: flags['success-url'],
            },
          },
          secrets: cardSecrets(card),
          ...charging(flags, 'from the card'),
        };
      },
      show: ({ data, message }, flags, { body }) =>
        chargeShown({ ...data, message, reference: body.externalReference }, flags),
    },
  ),
  'bank-transfer': handCommand(
    { ...chargeFlags, email },
    {
      call: 'chargeByBankTransfer',
      says: 'Collect by transfer to a temporary account, which is shown',
      example: 'charge bank-transfer --amount KES=1500.00 --email payer@example.com',
      want: (flags) => ({
        request: { body: { ...chargeOf(flags), email: flags.email } },
        ...charging(flags, `by bank transfer from ${flags.email}`),
      }),
      show: ({ data, message }, flags, { body }) =>
        chargeShown({ ...data, message, reference: body.externalReference }, flags),
    },
  ),
  'authorise <id>': handCommand(
    {
      id: idFlag,
      type: { choices: ['otp', 'pin', 'address'], demandOption: true, describe: 'What the charge waits for' },
      input: textFlag('File that holds it, or - for stdin (usual). At a terminal it is asked for'),
      yes: yesFlag,
    } as const,
    {
      call: 'authoriseCharge',
      says: 'Give the one-time code, PIN or address that a charge waits for',
      example: 'charge authorise ID --type otp',
      want: async (flags) => {
        const value = await readSecret(flags.input, `${flags.type} (is not shown): `);
        return {
          request: { params: { transactionId: flags.id }, body: { type: flags.type, value } },
          secrets: [value],
          changes: `Authorises charge ${flags.id} by its ${flags.type}.`,
          look: lookAt(flags, flags.id),
        };
      },
      show: ({ message }, _flags, { params }) => ({
        text: { heads: [], rows: [], notes: [message ?? 'The charge is authorised.'] },
        data: { transactionId: params.transactionId, message },
      }),
    },
  ),
};

const momoFields = ['otpCode', 'voucherPin'] as const;

interface ChargeFlags extends WorkspaceFlags {
  readonly amount: string;
  readonly reference?: string | undefined;
}

/** One for each command line: it is said before anything is sent, and sent as it was said. */
const references = new WeakMap<object, string>();

function referenceOf(flags: ChargeFlags): string {
  const reference = flags.reference ?? references.get(flags) ?? randomUUID();
  references.set(flags, reference);
  if (payoutReference.test(reference))
    throw usageError(
      '--reference has the form of the reference of a payout. A charge under it could stop that payout: choose another, or leave it out.',
    );
  return reference;
}

/** Those of payouts are UUIDs of version 5, and nobody else should use one up. */
const payoutReference = /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/i;

function chargeOf(flags: ChargeFlags) {
  const { currency, minor } = moneyOf(flags);
  const amount = jsonNumberFromMinor(minor, findCurrency(currency)?.decimals ?? 0);
  return { amount, currency, externalReference: referenceOf(flags) };
}

function moneyOf({ amount }: ChargeFlags) {
  const [[currency, minor] = ['', 0n] as const] = amountFlags('--amount', [amount]);
  return { currency, minor };
}

function charging(flags: ChargeFlags, from: string) {
  const { currency, minor } = moneyOf(flags);
  const reference = referenceOf(flags);
  return {
    changes: `Collects ${formatMoney(minor, currency)} ${from}.\nReference: ${reference}`,
    look: lookAt(flags, reference),
  };
}

function lookAt(flags: WorkspaceFlags, id: string): string {
  return workspaceCommand(['service', 'transactions', 'get', id], flags);
}
