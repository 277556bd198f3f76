import * as z from 'zod';
import { assumed } from './assumptions.ts';
import type { Endpoint } from './endpoint.ts';
import {
  accountNumber,
  countryCode,
  currencyCode,
  destination,
  doneReply,
  identifier,
  phoneNumber,
  shortText,
  succeeded,
} from './fields.ts';

const bankCode = z.string().regex(/^[A-Za-z0-9]{1,20}$/, 'must be 1 to 20 letters and digits');
/** An operator, or a bank's code where it is known. */
const optionalCode = z.string().regex(/^[A-Za-z0-9-]{0,20}$/, 'must be at most 20 letters and digits');
const branchCode = assumed('branch-code', z.string().max(20));

export const payoutMethod = z.strictObject({
  accountName: shortText,
  accountNumber,
  code: optionalCode.optional(),
  branchCode: branchCode.optional(),
});

export const createExternalAccountRequest = z.discriminatedUnion('type', [
  z.strictObject({
    country: countryCode,
    currency: currencyCode,
    type: assumed('external-account-type', z.literal('momo')),
    payload: assumed(
      'external-account-payload',
      z.strictObject({
        firstName: shortText,
        lastName: z.string().trim().max(200),
        phoneNumber,
        destination: z.literal('MoMo'),
        code: optionalCode.optional(),
        branchCode: branchCode.optional(),
      }),
    ),
  }),
  z.strictObject({
    country: countryCode,
    currency: currencyCode,
    type: assumed('external-account-type', z.literal('bank')),
    payload: assumed(
      'external-account-payload',
      z.strictObject({
        accountName: shortText,
        accountNumber,
        code: bankCode,
        branchCode: branchCode.optional(),
        destination: z.literal('Bank Account'),
      }),
    ),
  }),
]);

export type CreateExternalAccountRequest = z.input<typeof createExternalAccountRequest>;

export const externalAccount = z
  .looseObject({
    externalAccountId: identifier,
    country: z.string().nullish(),
    currency: z.string().nullish(),
    destination: z.string().nullish(),
    createdAt: z.number().nullish(),
    payoutMethod: z
      .looseObject({
        branchCode: z.string().nullish(),
        code: z.string().nullish(),
        accountName: z.string().nullish(),
        accountNumber: z.string().nullish(),
      })
      .nullish(),
  })
  .meta({ id: 'ExternalAccount' });

export type ExternalAccount = z.output<typeof externalAccount>;

const byId = z.strictObject({ externalAccountId: identifier });
const tag = 'External accounts';

export const createExternalAccount = {
  method: 'POST',
  path: '/external-accounts',
  tag,
  summary: 'Store a beneficiary',
  effect: 'write',
  body: createExternalAccountRequest,
  reply: doneReply.extend({ data: z.looseObject({ id: identifier }) }),
} satisfies Endpoint;

export const listExternalAccounts = {
  method: 'GET',
  path: '/external-accounts',
  tag,
  summary: 'All stored beneficiaries',
  effect: 'read',
  reply: assumed(
    'external-account-list',
    z.looseObject({ success: succeeded, data: z.array(externalAccount) }),
  ),
  item: externalAccount,
  // Unpaged, and read an item at a time: some 250 bytes an account, so this is room for four million payees.
  replyLimitBytes: 1024 * 1024 * 1024,
} satisfies Endpoint;

export const readExternalAccount = {
  method: 'GET',
  path: '/external-accounts/{externalAccountId}',
  tag,
  summary: 'One stored beneficiary',
  effect: 'read',
  params: byId,
  reply: z.looseObject({ success: succeeded, data: externalAccount }),
} satisfies Endpoint;

export const updateExternalAccount = {
  method: 'PUT',
  path: '/external-accounts/{externalAccountId}',
  tag,
  summary: 'Replace a stored beneficiary',
  effect: 'write',
  params: byId,
  body: z.strictObject({ country: countryCode, currency: currencyCode, destination, payoutMethod }),
  reply: doneReply,
} satisfies Endpoint;

export const deleteExternalAccount = {
  method: 'DELETE',
  path: '/external-accounts/{externalAccountId}',
  tag,
  summary: 'Remove a stored beneficiary',
  effect: 'write',
  params: byId,
  reply: doneReply,
} satisfies Endpoint;
