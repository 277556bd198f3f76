/**
 * What the specification leaves open and payrun assumes: docs/service.md says what each of these is. The parts of the
 * contract that rest on one carry its id (`x-assumption` in the OpenAPI document): an account that behaves otherwise
 * is a change to the contract, or to the configuration key named there, and to nothing else.
 */
export const assumptions = [
  'momo-charge-fields',
  'card-charge-fields',
  'charge-states',
  'authorise-types',
  'bank-transfer-charge',
  'phone-plus',
  'payout-inline-payee',
  'payout-saved-payee',
  'reference-reuse',
  'external-account-type',
  'external-account-payload',
  'external-account-list',
  'resolve-bank',
  'branches-parameter',
  'rates-parameters',
  'transaction-read',
  'transaction-not-found',
  'transaction-types',
  'id-form',
  'webhook-delivery',
  'webhook-list-parameters',
  'simulate-values',
  'wallets',
  'token-call',
  'path-prefix',
  'branch-code',
  'payout-money',
  'payout-returned',
  'error-statuses',
  'further-error-codes',
] as const;

/** Marks a schema, in place, as resting on an assumption. */
export function assumed<Schema extends { meta(data: Record<string, unknown>): Schema }>(
  id: (typeof assumptions)[number],
  schema: Schema,
): Schema {
  return schema.meta({ 'x-assumption': id });
}
