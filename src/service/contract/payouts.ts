import * as z from 'zod';
import { assumed } from './assumptions.ts';
import type { Endpoint } from './endpoint.ts';
import { payoutMethod } from './external-accounts.ts';
import {
  amount,
  countryCode,
  currencyCode,
  destination,
  doneReply,
  externalReference,
  identifier,
} from './fields.ts';

export const payoutRequest = assumed(
  'payout-saved-payee',
  z
    .strictObject({
      amount,
      currency: currencyCode,
      country: countryCode,
      destination,
      externalReference,
      externalAccountId: identifier.optional(),
      payoutMethod: assumed('payout-inline-payee', payoutMethod).optional(),
      debitCurrency: currencyCode.optional(),
      debitCountry: countryCode.optional(),
    })
    .refine((body) => (body.externalAccountId === undefined) !== (body.payoutMethod === undefined), {
      message: 'exactly one of externalAccountId and payoutMethod is required',
      path: ['externalAccountId'],
    }),
);

export type PayoutRequest = z.input<typeof payoutRequest>;

/** The one call that moves money out. Its success is only believed with a transaction id. */
export const createPayout = {
  method: 'POST',
  path: '/fiat/payout',
  tag: 'Payouts',
  summary: 'Pay out to a mobile money or bank destination',
  effect: 'payout',
  body: payoutRequest,
  reply: assumed('payout-money', doneReply.extend({ transactionId: identifier })),
} satisfies Endpoint;
