import type { Payout } from '../../domain/payout/payout.ts';

/** The columns of a payout, by the names the rest of payrun has for them. */
export const payoutColumns: Record<keyof Payout, string> = {
  id: 'id',
  batch: 'batch',
  key: 'key',
  attempt: 'attempt',
  lastAttempt: 'last_attempt',
  reference: 'reference',
  state: 'state',
  code: 'code',
  details: 'details',
  fingerprint: 'fingerprint',
  payee: 'payee',
  accountName: 'account_name',
  foldedName: 'folded_name',
  country: 'country',
  currency: 'currency',
  amountMinor: 'amount',
  destination: 'destination',
  number: 'number',
  bankCode: 'bank_code',
  operator: 'operator',
  branchCode: 'branch_code',
  debitCurrency: 'debit_currency',
  debitCountry: 'debit_country',
  narration: 'narration',
  acceptedRun: 'accepted_run',
  acceptedMs: 'accepted_ms',
  externalAccountId: 'external_account_id',
  verdict: 'verdict',
  resolvedName: 'resolved_name',
  resolvedMs: 'resolved_ms',
  released: 'released',
  hold: 'hold',
  transactionId: 'transaction_id',
  everSent: 'ever_sent',
  unknownSends: 'unknown_sends',
  submittedMs: 'submitted_ms',
  settledMs: 'settled_ms',
  paidTwice: 'paid_twice',
  watched: 'watched',
  paidMinor: 'paid_amount',
};

/** `accountRoute` of a payout, in SQL: accounts and names are kept by it. */
export const routeOfPayout = `iif(payouts.destination = 'MoMo', payouts.payee,
  payouts.country || ':bank:' || payouts.bank_code || ':' || payouts.number)`;

export const selectPayout = `SELECT ${Object.entries(payoutColumns)
  .map(([field, column]) => `payouts.${column} AS ${field}`)
  .join(', ')} FROM payouts`;

const moneyFields: ReadonlySet<string> = new Set<keyof Payout>(['amountMinor', 'paidMinor']);

/** Money stays whole; counters and times become ordinary numbers. For statements with safeIntegers. */
export function payoutFromStore(stored: Record<string, unknown>): Payout {
  const plain = Object.fromEntries(
    Object.entries(stored).map(([field, value]) => [
      field,
      typeof value === 'bigint' && !moneyFields.has(field) ? Number(value) : value,
    ]),
  );
  return { ...plain, everSent: plain['everSent'] === 1 } as unknown as Payout;
}
