import * as z from 'zod';
import { assumed } from './assumptions.ts';
import type { Endpoint } from './endpoint.ts';
import {
  amount,
  currencyCode,
  doneReply,
  externalReference,
  identifier,
  phoneNumber,
  redirectUrl,
  shortText,
} from './fields.ts';

const email = z.email().max(254);
const digits = (min: number, max: number) =>
  z.string().regex(new RegExp(`^\\d{${min},${max}}$`), `must be ${min} to ${max} digits`);

const cardDetails = z.strictObject({
  cvv: digits(3, 4),
  number: digits(12, 19),
  expMonth: z.string().regex(/^(0?[1-9]|1[0-2])$/, 'must be a month, 1 to 12'),
  expYear: z.string().regex(/^(\d{2}|\d{4})$/, 'must be a year of two or four digits'),
});

export const billingAddress = z.strictObject({
  zip: shortText,
  country: shortText,
  street1: shortText,
  city: shortText,
  state: shortText,
});

const device3DSInfo = z.strictObject({
  colorDepth: z.number().int(),
  screenHeight: z.number().int(),
  screenWidth: z.number().int(),
  userAgent: shortText,
  timeZone: z.number().int(),
  deviceId: shortText,
});

const cardChargeRequest = assumed(
  'card-charge-fields',
  z.strictObject({
    amount,
    currency: currencyCode,
    email,
    externalReference,
    cardDetails,
    ipAddress: z.union([z.ipv4(), z.ipv6()]).optional(),
    firstName: shortText.optional(),
    lastName: shortText.optional(),
    address: billingAddress.optional(),
    device3DSInfo: device3DSInfo.optional(),
    successRedirectUrl: redirectUrl.optional(),
  }),
);

export const chargeByCard = {
  method: 'POST',
  path: '/fiat/deposit/card',
  tag: 'Charges',
  summary: 'Collect a payment by card',
  effect: 'write',
  body: cardChargeRequest,
  reply: doneReply.extend({
    data: z.looseObject({
      transactionId: identifier,
      stepRequired: assumed('charge-states', z.string()).nullish(),
      redirectUrl: z.string().nullish(),
    }),
  }),
} satisfies Endpoint;

const momoChargeRequest = assumed(
  'momo-charge-fields',
  z
    .strictObject({
      amount,
      currency: currencyCode,
      externalReference,
      externalAccountId: identifier.optional(),
      phoneNumber: phoneNumber.optional(),
      momoOperatorId: shortText.optional(),
      otpCode: digits(4, 8).optional(),
      voucherPin: digits(6, 20).optional(),
      walletCurrency: currencyCode.optional(),
      successRedirectUrl: redirectUrl.optional(),
      failureRedirectUrl: redirectUrl.optional(),
    })
    .refine((body) => body.externalAccountId !== undefined || body.phoneNumber !== undefined, {
      message: 'externalAccountId or phoneNumber is required',
      path: ['phoneNumber'],
    }),
);

export const chargeByMomo = {
  method: 'POST',
  path: '/fiat/deposit/momo',
  tag: 'Charges',
  summary: 'Collect a payment by mobile money',
  effect: 'write',
  body: momoChargeRequest,
  reply: doneReply.extend({ transactionId: identifier }),
} satisfies Endpoint;

/** Currencies in which a virtual account can be opened, and how long it lives (assumption `bank-transfer-charge`). */
export const virtualAccountCurrencies: readonly string[] = ['KES', 'NGN'];
export const virtualAccountLifetimeMs = 2 * 60 * 60 * 1000;

const virtualAccount = z
  .looseObject({
    permanent: z.boolean().optional(),
    accountNumber: z.string(),
    bankName: z.string().optional(),
    createdAt: z.string().optional(),
    expiresAt: z.string(),
    note: z.string().optional(),
    amount: z.string().optional(),
    bankLogo: z.string().optional(),
  })
  .meta({ id: 'VirtualAccount' });

export const chargeByBankTransfer = {
  method: 'POST',
  path: '/fiat/deposit/bank-transfer',
  tag: 'Charges',
  summary: 'Collect a payment by transfer to a temporary virtual account',
  effect: 'write',
  body: assumed(
    'bank-transfer-charge',
    z.strictObject({ amount, email, externalReference, currency: currencyCode }),
  ),
  reply: doneReply.extend({ data: z.looseObject({ transactionId: identifier, virtualAccount }) }),
} satisfies Endpoint;

export const authoriseType = assumed('authorise-types', z.enum(['otp', 'pin', 'address']));

export const authoriseCharge = {
  method: 'POST',
  path: '/fiat/deposit/{transactionId}/authorise',
  tag: 'Charges',
  summary: 'Give the authorisation data a pending charge waits for',
  effect: 'write',
  params: z.strictObject({ transactionId: identifier }),
  body: z.strictObject({ type: authoriseType, value: z.string().min(1).max(1000) }),
  reply: doneReply,
} satisfies Endpoint;
