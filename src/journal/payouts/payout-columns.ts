import { doubts } from '../../domain/payout/doubted.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import type { JournalDatabase } from '../journal-database.ts';

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

/** `isGivenUp` of a payout, in SQL: the service may still pay it. */
export const givenUp = (table = 'payouts') =>
  `(${table}.state = 'refused' AND ${table}.code = 'decided-while-pending')`;

/** `isDoubted` of a payout, in SQL. */
export const doubted = (table = 'payouts') =>
  `(${table}.state = 'paid' AND ${table}.code IN (${[...doubts].map((code) => `'${code}'`).join(', ')}))`;

/** `isOpenDoubt` of a payout, in SQL. */
export const openDoubt = (table = 'payouts') =>
  `(${doubted(table)} AND ' ' || ${table}.released || ' ' NOT LIKE '% doubt %')`;

/** What a payout has of its row. */
export const rowFields = [
  'key',
  'reference',
  'attempt',
  'fingerprint',
  'payee',
  'accountName',
  'foldedName',
  'country',
  'currency',
  'amountMinor',
  'destination',
  'number',
  'bankCode',
  'operator',
  'branchCode',
  'debitCurrency',
  'debitCountry',
  'narration',
] as const satisfies readonly (keyof Payout)[];

const moneyFields = ['amountMinor', 'paidMinor'] as const satisfies readonly (keyof Payout)[];

/** For a SELECT. */
export function columnsOf(fields: readonly (keyof Payout)[]): string {
  return fields.map(columnOf).join(', ');
}

/** By the names of the fields. */
export function namedColumns(fields: readonly (keyof Payout)[]): string {
  return fields.map((field) => `${columnOf(field)} AS ${field}`).join(', ');
}

/** Money comes as text: a number of JavaScript would round what is large. */
function columnOf(field: keyof Payout): string {
  const column = `payouts.${payoutColumns[field]}`;
  return (moneyFields as readonly string[]).includes(field) ? `CAST(${column} AS TEXT)` : column;
}

const payoutFields = Object.keys(payoutColumns) as (keyof Payout)[];
const selectPayout = `SELECT json_array(${columnsOf(payoutFields)}) FROM payouts`;

/**
 * The payouts that the rest of a SELECT finds. Each comes as one text: to take so many columns one by one out of SQLite takes
 * twice as long as to read them from that.
 */
export function preparePayouts(db: JournalDatabase, rest: string): (...parameters: unknown[]) => Payout[] {
  const statement = db.prepare<unknown[], string>(`${selectPayout} ${rest}`).pluck();
  return (...parameters) =>
    statement.all(...parameters).map((text) => payoutFromRow(JSON.parse(text) as unknown[]));
}

const places = payoutFields.map((field, place) => [field, place]);
const at = Object.fromEntries(places) as Record<keyof Payout, number>;

/**
 * Made here and not by SQLite, whose objects of so many columns are slow to make. One literal: an object that is filled
 * field by field is a hash table once it has so many, and to copy that takes longer than to write the payout.
 */
function payoutFromRow(row: readonly unknown[]): Payout {
  const payout = {
    id: row[at.id],
    batch: row[at.batch],
    key: row[at.key],
    attempt: row[at.attempt],
    lastAttempt: row[at.lastAttempt],
    reference: row[at.reference],
    state: row[at.state],
    code: row[at.code],
    details: row[at.details],
    fingerprint: row[at.fingerprint],
    payee: row[at.payee],
    accountName: row[at.accountName],
    foldedName: row[at.foldedName],
    country: row[at.country],
    currency: row[at.currency],
    amountMinor: minor(row[at.amountMinor]),
    destination: row[at.destination],
    number: row[at.number],
    bankCode: row[at.bankCode],
    operator: row[at.operator],
    branchCode: row[at.branchCode],
    debitCurrency: row[at.debitCurrency],
    debitCountry: row[at.debitCountry],
    narration: row[at.narration],
    acceptedRun: row[at.acceptedRun],
    acceptedMs: row[at.acceptedMs],
    externalAccountId: row[at.externalAccountId],
    verdict: row[at.verdict],
    resolvedName: row[at.resolvedName],
    resolvedMs: row[at.resolvedMs],
    released: row[at.released],
    hold: row[at.hold],
    transactionId: row[at.transactionId],
    everSent: row[at.everSent] === 1,
    unknownSends: row[at.unknownSends],
    submittedMs: row[at.submittedMs],
    settledMs: row[at.settledMs],
    paidTwice: row[at.paidTwice],
    watched: row[at.watched],
    paidMinor: minor(row[at.paidMinor]),
  } satisfies Record<keyof Payout, unknown>;
  return payout as Payout;
}

function minor(stored: unknown): unknown {
  return typeof stored === 'string' ? BigInt(stored) : stored;
}

/** A row as SQLite gives it, made a payout in its place: this is done for every payout at every step. */
export function payoutFromStore<Stored = Payout>(stored: Record<string, unknown>): Stored {
  for (const field of moneyFields) if (field in stored) stored[field] = minor(stored[field]);
  if ('everSent' in stored) stored['everSent'] = stored['everSent'] === 1;
  return stored as Stored;
}
