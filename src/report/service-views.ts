import { formatMoney } from '../domain/money/format-money.ts';
import { minorFromReply } from '../domain/money/money.ts';
import { findCurrency } from '../domain/reference-data/countries.ts';
import { counted } from '../domain/text/counted.ts';
import type { Cell, ServiceText } from './service-text.ts';

type Text = string | null | undefined;
type Amount = string | number | null | undefined;

interface Account {
  readonly externalAccountId: string;
  readonly country?: Text;
  readonly currency?: Text;
  readonly destination?: Text;
  readonly createdAt?: number | null | undefined;
  readonly payoutMethod?:
    | {
        readonly branchCode?: Text;
        readonly code?: Text;
        readonly accountName?: Text;
        readonly accountNumber?: Text;
      }
    | null
    | undefined;
}

const accountHeads = ['id', 'name', 'number', 'country', 'currency', 'destination', 'code', 'branch', 'made'];

function accountRow({ payoutMethod, ...account }: Account): Cell[] {
  return [
    account.externalAccountId,
    payoutMethod?.accountName,
    payoutMethod?.accountNumber,
    account.country,
    account.currency,
    account.destination,
    payoutMethod?.code,
    payoutMethod?.branchCode,
    timeText(account.createdAt),
  ];
}

export function accountsText(accounts: readonly Account[], count: number): ServiceText {
  const more =
    count > accounts.length
      ? [`and ${counted(count - accounts.length, 'more', 'more')}: --limit shows more`]
      : [];
  return {
    heads: accountHeads,
    rows: accounts.map(accountRow),
    notes: [...more, counted(count, 'account')],
  };
}

export function accountText(account: Account): ServiceText {
  return { heads: accountHeads, rows: [accountRow(account)], single: true };
}

interface Transaction {
  readonly transactionId: string;
  readonly externalReference?: Text;
  readonly type?: Text;
  readonly status?: Text;
  readonly chargeStatus?: Text;
  readonly amount?: Amount;
  readonly currency?: Text;
  readonly country?: Text;
  readonly destination?: Text;
  readonly fullTimestamp?: Text;
  readonly stepRequired?: Text;
  readonly beneficiary?:
    | { readonly accountName?: Text; readonly accountNumber?: Text; readonly bankCode?: Text }
    | null
    | undefined;
}

export function transactionsText(
  transactions: readonly Transaction[],
  older: string | undefined,
): ServiceText {
  return {
    heads: ['id', 'type', 'status', 'amount', 'country', 'destination', 'name', 'number', 'time'],
    right: ['amount'],
    rows: transactions.map((each) => [
      each.transactionId,
      each.type,
      each.status,
      moneyText(each.amount, each.currency),
      each.country,
      each.destination,
      each.beneficiary?.accountName,
      each.beneficiary?.accountNumber,
      each.fullTimestamp,
    ]),
    notes: [
      counted(transactions.length, 'transaction'),
      ...(older === undefined ? [] : [`Older ones: ${older}`]),
    ],
  };
}

export function transactionText(each: Transaction & Sides & { readonly phoneNumber?: Text }): ServiceText {
  return {
    heads: [...transactionHeads],
    rows: [
      [
        each.transactionId,
        each.externalReference,
        each.type,
        each.status,
        each.chargeStatus,
        each.stepRequired,
        moneyText(each.amount, each.currency),
        moneyText(each.senderAmount, each.senderCurrency),
        moneyText(each.receiverAmount, each.receiverCurrency),
        each.country,
        each.destination,
        each.beneficiary?.accountName,
        each.beneficiary?.accountNumber ?? each.phoneNumber,
        each.beneficiary?.bankCode,
        each.fullTimestamp,
      ],
    ],
    single: true,
  };
}

interface Sides {
  readonly senderAmount?: Amount;
  readonly senderCurrency?: Text;
  readonly receiverAmount?: Amount;
  readonly receiverCurrency?: Text;
}

const transactionHeads = [
  'id',
  'reference',
  'type',
  'status',
  'charge status',
  'waits for',
  'amount',
  'sent',
  'received',
  'country',
  'destination',
  'name',
  'number',
  'bank',
  'time',
] as const;

export interface WalletLine {
  readonly currency: string;
  readonly country?: string | undefined;
  readonly balance: string | number;
}

export function walletsText(wallets: readonly WalletLine[], account: string): ServiceText {
  return {
    heads: ['wallet', 'country', 'balance'],
    right: ['balance'],
    rows: wallets.map(({ currency, country, balance }) => [currency, country, moneyText(balance, currency)]),
    notes: account === '' ? [] : [`Account: ${account}`],
  };
}

interface Webhook {
  readonly id?: string | undefined;
  readonly createdAt?: Text;
  readonly event: string;
  readonly data: { readonly transactionId?: Text; readonly status?: Text; readonly externalReference?: Text };
  readonly response?: { readonly status?: Text } | null | undefined;
  readonly webhookUrl?: Text;
  readonly status?: Text;
}

export function webhooksText(webhooks: readonly Webhook[]): ServiceText {
  return {
    heads: ['id', 'event', 'payment', 'reference', 'delivery', 'time'],
    rows: webhooks.map((each) => [
      each.id,
      each.event,
      each.data.status,
      each.data.externalReference,
      each.status,
      each.createdAt,
    ]),
    notes: [counted(webhooks.length, 'webhook')],
  };
}

export function webhookText(each: Webhook): ServiceText {
  return {
    heads: ['id', 'event', 'transaction', 'reference', 'payment', 'delivery', 'answer', 'sent to', 'time'],
    rows: [
      [
        each.id,
        each.event,
        each.data.transactionId,
        each.data.externalReference,
        each.data.status,
        each.status,
        each.response?.status,
        each.webhookUrl,
        each.createdAt,
      ],
    ],
    single: true,
  };
}

/** `KES 1,500.00`; where the amount or its currency is none that we know, just as the service says it. */
export function moneyText(amount: Amount, currency: Text): string {
  if (amount === null || amount === undefined) return '';
  const known = findCurrency(currency ?? '');
  const minor = known && minorFromReply(amount, known.decimals);
  return known && minor !== undefined ? formatMoney(minor, known.code) : `${currency ?? ''} ${amount}`.trim();
}

/** Seconds of the service's as a time; none where no time is that far away. */
function timeText(seconds: number | null | undefined): string {
  const time = new Date((seconds ?? Number.NaN) * 1000);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString().replace('.000Z', 'Z');
}
