/**
 * What the specification leaves open and payrun assumes. The parts of the contract that rest on one carry its id
 * (`x-assumption` in the OpenAPI document), and docs/service.md lists them all: an account that behaves otherwise
 * is a change to the contract, or to the configuration key named here, and to nothing else.
 */
export const assumptions = {
  'momo-charge-fields': {
    topic: 'Mobile money charge, further fields',
    assume:
      'phoneNumber, momoOperatorId (needed unless KES), otpCode, voucherPin, walletCurrency (defaults to currency), successRedirectUrl, failureRedirectUrl',
    source: 'vendor documentation',
  },
  'card-charge-fields': {
    topic: 'Card charge, mandatory and redirect fields',
    assume:
      'successRedirectUrl; amount, currency, email, externalReference and cardDetails are mandatory, address and device3DSInfo depend on the card and the currency',
    source: 'assumption',
  },
  'charge-states': {
    topic: 'Charge states',
    assume:
      'starts PENDING/pending, may carry stepRequired and redirectUrl, ends SUCCESSFUL/successful or FAILED/failed',
    source: 'vendor documentation',
  },
  'authorise-types': {
    topic: 'Authorise types',
    assume: 'otp, pin, address',
    source: 'otp is shown, the others are assumed',
  },
  'bank-transfer-charge': {
    topic: 'Bank transfer charge',
    assume: 'KES and NGN only; the virtual account lives two hours and has a ten-digit number',
    source: 'vendor documentation',
  },
  'phone-plus': {
    topic: 'Phone numbers on the wire',
    assume:
      'E.164 with a leading plus, as the specification says; both forms are accepted and compared without it. Configuration key `phonePlus`',
    source: 'specification and vendor documentation differ',
  },
  'payout-inline-payee': {
    topic: 'Payout to an inline payee',
    assume:
      'payoutMethod { accountName, accountNumber, code, branchCode } instead of externalAccountId; code is the bank code or the operator id',
    source: 'vendor documentation',
  },
  'payout-saved-payee': {
    topic: 'Payout to a saved payee',
    assume: 'externalAccountId, sent together with currency, country and destination',
    source: 'specification',
  },
  'reference-reuse': {
    topic: 'A reference used again',
    assume:
      'refused with E-API-D.S-28, for payouts as for charges. Not shown for payouts, so nothing rests on it alone',
    source: 'vendor documentation',
  },
  'external-account-type': {
    topic: 'External account, type',
    assume: 'momo or bank',
    source: 'assumption',
  },
  'external-account-payload': {
    topic: 'External account, payload',
    assume:
      'bank: accountName, accountNumber, code, branchCode, destination, after the update body; momo: code (the operator) and branchCode besides the fields shown',
    source: 'assumption',
  },
  'external-account-list': {
    topic: 'List of external accounts',
    assume: 'unpaged',
    source: 'assumption',
  },
  'resolve-bank': {
    topic: 'Resolve for banks',
    assume: 'method bank, with accountNumber, currency and bankCode',
    source: 'assumption',
  },
  'branches-parameter': {
    topic: 'Branches, parameter',
    assume: 'bankId, a whole number',
    source: 'assumption',
  },
  'rates-parameters': {
    topic: 'Historical rates, parameters',
    assume: 'from and to, currency codes, given together; a pair is written FROM/TO',
    source: 'assumption',
  },
  'transaction-read': {
    topic: 'Single transaction read',
    assume:
      '{ success, data } with transactionId, amount, type, currency, status, chargeStatus, method, externalReference, phoneNumber; takes a transaction id or an external reference',
    source: 'vendor documentation',
  },
  'transaction-not-found': {
    topic: 'Transaction not found',
    assume:
      'a 404, success false or empty data on the single read is only a hint; not found is the list filtered by externalReference answering success with no rows',
    source: 'choice',
  },
  'transaction-types': {
    topic: 'Transaction types',
    assume: 'withdrew in lists, withdrawal in webhooks, deposit in both',
    source: 'specification and vendor documentation',
  },
  'id-form': {
    topic: 'Identifiers',
    assume: 'twenty letters and digits; read as any text that is not empty',
    source: 'samples',
  },
  'webhook-delivery': {
    topic: 'Webhook delivery',
    assume:
      'POST { event, data, timestamp }; X-Webhook-Signature carries the shared secret; 15 s time-out, tried again after 5, 15 and 45 s; the record is CREATED, then SUCCESS or FAILED',
    source: 'vendor documentation',
  },
  'webhook-list-parameters': {
    topic: 'Webhook list, parameters',
    assume: 'status, startDate, endDate, limit (at most 200), reference',
    source: 'assumption',
  },
  'simulate-values': {
    topic: 'Simulate webhook, values',
    assume: 'successful, failed, pending',
    source: 'successful is shown, the others are assumed',
  },
  wallets: {
    topic: 'Wallets in the profile',
    assume:
      '<CUR>Wallet { balance } at the top level; a currency with wallets in several countries also lists them as scopes [{ country, balance }]',
    source: 'pattern of KESWallet; the scopes are assumed',
  },
  'token-call': {
    topic: 'Token call',
    assume:
      'no Authorization header; the token is a JWT signed with HS256; expiresAt is read, never a lifetime',
    source: 'vendor documentation',
  },
  'path-prefix': {
    topic: 'Production and sandbox',
    assume: 'one host, /api/b2b and /api/sandbox/b2b. Configuration key `apiPrefix`',
    source: 'vendor documentation',
  },
  'branch-code': {
    topic: 'Branch code in UG and TZ',
    assume: 'needed for mobile money as well as for banks',
    source: 'specification, which makes no difference',
  },
  'payout-money': {
    topic: "A payout's money",
    assume: 'debited when accepted, given back to the wallet when the payout fails',
    source: 'usual practice',
  },
  'payout-returned': {
    topic: 'A success can be undone',
    assume: 'a successful payout may read failed days later, its money given back',
    source: 'usual practice',
  },
  'error-statuses': {
    topic: 'HTTP status of failures',
    assume:
      '400 for a refused request, 401 for a token, 404 for something that does not exist, 409 for a used reference or account number; a client must not rest on these',
    source: 'choice',
  },
  'further-error-codes': {
    topic: 'Error codes beyond the table',
    assume: 'E-API-P.S-41 insufficient balance, E-CH-PY.S-38 rail cannot be resolved, and the E-GEN codes',
    source: 'choice of the embedded service',
  },
} as const satisfies Record<string, Assumption>;

interface Assumption {
  readonly topic: string;
  readonly assume: string;
  readonly source: string;
}

export type AssumptionId = keyof typeof assumptions;

/** Marks a schema, in place, as resting on an assumption. */
export function assumed<Schema extends { meta(data: Record<string, unknown>): Schema }>(
  id: AssumptionId,
  schema: Schema,
): Schema {
  return schema.meta({ 'x-assumption': id });
}
