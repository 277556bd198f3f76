import * as z from 'zod';
import { assumed } from './assumptions.ts';
import type { Endpoint } from './endpoint.ts';
import { amountReply, identifier, isoDate, succeeded } from './fields.ts';

const beneficiary = z
  .looseObject({
    country: z.string().nullish(),
    bankCode: z.string().nullish(),
    accountName: z.string().nullish(),
    destination: z.string().nullish(),
    currency: z.string().nullish(),
    accountNumber: z.string().nullish(),
  })
  .meta({ id: 'Beneficiary' });

/** Everything but the id may be missing: what is shown is compared, what is not shown proves nothing. */
export const transaction = z
  .looseObject({
    transactionId: assumed('id-form', identifier),
    type: assumed('transaction-types', z.string()).nullish(),
    status: z.string().nullish(),
    chargeStatus: z.string().nullish(),
    amount: amountReply.nullish(),
    senderAmount: amountReply.nullish(),
    receiverAmount: amountReply.nullish(),
    currency: z.string().nullish(),
    senderCurrency: z.string().nullish(),
    receiverCurrency: z.string().nullish(),
    country: z.string().nullish(),
    destination: z.string().nullish(),
    fullTimestamp: z.string().nullish(),
    year: z.string().nullish(),
    month: z.string().nullish(),
    day: z.string().nullish(),
    beneficiary: beneficiary.nullish(),
  })
  .meta({ id: 'Transaction' });

export type ListedTransaction = z.output<typeof transaction>;

export const singleTransaction = assumed(
  'transaction-read',
  z.looseObject({
    ...transaction.shape,
    method: z.string().nullish(),
    externalReference: z.string().nullish(),
    phoneNumber: z.string().nullish(),
    stepRequired: assumed('charge-states', z.string()).nullish(),
    redirectUrl: z.string().nullish(),
  }),
).meta({ id: 'SingleTransaction' });

export type SingleTransaction = z.output<typeof singleTransaction>;

export const transactionStatus = z.enum(['pending', 'failed', 'successful']);

export const listTransactions = {
  method: 'GET',
  path: '/transactions',
  tag: 'Transactions',
  summary: 'Transactions of the authenticated account, newest first',
  effect: 'read',
  query: z.strictObject({
    currency: z.string().max(3).optional(),
    type: z.string().max(50).optional(),
    externalReference: z.string().max(100).optional(),
    startDate: isoDate.optional(),
    endDate: isoDate.optional(),
    status: transactionStatus.optional(),
    limit: z.coerce.number<number | string>().int().min(1).max(10).default(3),
    transactionId: z.string().max(200).optional(),
  }),
  reply: z.looseObject({ success: succeeded, data: z.array(transaction) }),
  failureBody: 'empty',
} satisfies Endpoint;

export const readTransaction = {
  method: 'GET',
  path: '/transactions/{transactionId}',
  tag: 'Transactions',
  summary: 'One transaction, by its id or its external reference',
  effect: 'read',
  params: z.strictObject({ transactionId: identifier }),
  reply: assumed('transaction-not-found', z.looseObject({ success: succeeded, data: singleTransaction })),
} satisfies Endpoint;
