import * as z from 'zod';
import { assumed } from './assumptions.ts';
import type { Endpoint } from './endpoint.ts';
import { accountNumber, currencyCode, shortText, succeeded } from './fields.ts';

export const resolveRequest = z.discriminatedUnion('method', [
  z.strictObject({
    accountNumber,
    currency: currencyCode,
    method: z.literal('momo'),
    momoOperator: shortText.optional(),
  }),
  assumed(
    'resolve-bank',
    z.strictObject({ accountNumber, currency: currencyCode, method: z.literal('bank'), bankCode: shortText }),
  ),
]);

export const resolvedAccount = z
  .looseObject({ accountId: z.string().nullish(), accountName: z.string().nullish() })
  .meta({ id: 'ResolvedAccount' });

const tag = 'Reference data';

/** Writes nothing at the service, so it counts as a read although it is a POST. */
export const resolveAccount = {
  method: 'POST',
  path: '/utilities/account/resolve',
  tag,
  summary: 'The name an account is held under',
  effect: 'read',
  body: resolveRequest,
  reply: z.looseObject({ success: succeeded, data: resolvedAccount }),
} satisfies Endpoint;

export const exchangeRate = z
  .looseObject({ currencyPair: z.string(), buy: z.number(), sell: z.number(), updatedAt: z.string() })
  .meta({ id: 'ExchangeRate' });

export type ExchangeRate = z.output<typeof exchangeRate>;

export const listRates = {
  method: 'GET',
  path: '/utilities/rates/historical',
  tag,
  summary: 'Exchange rates of the last 30 days',
  effect: 'read',
  query: assumed(
    'rates-parameters',
    z
      .strictObject({ from: currencyCode.optional(), to: currencyCode.optional() })
      .refine((query) => (query.from === undefined) === (query.to === undefined), {
        message: 'from and to go together',
        path: ['from'],
      }),
  ),
  reply: z.looseObject({ success: succeeded, data: z.array(exchangeRate) }),
} satisfies Endpoint;

export const bankBranch = z
  .looseObject({
    id: z.number().int(),
    branch_code: z.string(),
    branch_name: z.string(),
    swift_code: z.string().nullish(),
    bic: z.string().nullish(),
    bank_id: z.number().int(),
  })
  .meta({ id: 'BankBranch' });

export const listBranches = {
  method: 'GET',
  path: '/utilities/branches',
  tag,
  summary: 'Branches of a bank',
  effect: 'read',
  query: assumed(
    'branches-parameter',
    z.strictObject({ bankId: z.coerce.number<number | string>().int().min(1).max(1_000_000_000) }),
  ),
  reply: z.looseObject({ success: succeeded, data: z.array(bankBranch) }),
} satisfies Endpoint;

export const countryEntry = z
  .looseObject({
    name: z.string(),
    iso2: z.string(),
    iso3: z.string().nullish(),
    dialing_code: z.string().nullish(),
    currency: z
      .looseObject({
        code: z.string(),
        symbol: z.string().nullish(),
        decimal: z.union([z.string(), z.number()]).nullish(),
      })
      .nullish(),
  })
  .meta({ id: 'Country' });

export const listCountries = {
  method: 'GET',
  path: '/utilities/countries',
  tag,
  summary: 'Supported countries',
  effect: 'read',
  reply: z.looseObject({ success: succeeded, data: z.array(countryEntry) }),
  failureBody: 'error-text',
} satisfies Endpoint;
