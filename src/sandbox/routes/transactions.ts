import { jsonNumberFromMinor, type Minor } from '../../domain/money/money.ts';
import { findCountry } from '../../domain/reference-data/countries.ts';
import { answer, failure, invalid } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import { decimalsOf } from '../store/rates.ts';
import type { TransactionRecord } from '../store/transaction-record.ts';

export const listTransactions: Route<'listTransactions'> = (world, { query, atMs }) => {
  const plan = world.faults.plan();
  const cursor = query.transactionId ? world.transactions.find(query.transactionId) : undefined;
  if (query.transactionId && !cursor) return invalid('no such transactionId');
  const found = world.transactions.list({
    ...query,
    externalReference: plan.listFilter ? query.externalReference : undefined,
    afterSeq: cursor?.seq,
    // Without a lag nothing is left out, not even when the clock went back.
    createdByMs: plan.lookupLagMs > 0 ? atMs - plan.lookupLagMs : Number.MAX_SAFE_INTEGER,
  });
  return answer({ data: found.map(listed) });
};

export const readTransaction: Route<'readTransaction'> = (world, { params, atMs }) => {
  const { lookupLagMs } = world.faults.plan();
  const shownBy = lookupLagMs > 0 ? atMs - lookupLagMs : Number.MAX_SAFE_INTEGER;
  const key = params.transactionId;
  const found = [world.transactions.find(key), ...world.transactions.findByReference(key)].find(
    (record) => record !== undefined && record.createdMs <= shownBy,
  );
  return found ? answer({ data: single(found) }) : failure('E-GEN.S-04', 'Transaction not found.');
};

/** Amounts are whole numbers in the list, as the specification has them: a fraction is cut. */
function listed(record: TransactionRecord): Record<string, unknown> {
  return {
    ...common(record),
    amount: wholeUnits(record.amountMinor, record.currency),
    senderAmount: wholeUnits(record.senderMinor, record.senderCurrency),
    receiverAmount: wholeUnits(record.receiverMinor, record.receiverCurrency),
  };
}

/** The single read shows the exact amounts and the reference. */
function single(record: TransactionRecord): Record<string, unknown> {
  return {
    ...common(record),
    amount: jsonNumberFromMinor(record.amountMinor, decimalsOf(record.currency)),
    senderAmount: jsonNumberFromMinor(record.senderMinor, decimalsOf(record.senderCurrency)),
    receiverAmount: jsonNumberFromMinor(record.receiverMinor, decimalsOf(record.receiverCurrency)),
    method: record.method,
    externalReference: record.externalReference,
    phoneNumber: record.method === 'momo' ? record.accountNumber : '',
    ...(record.stepRequired === null ? {} : { stepRequired: record.stepRequired }),
    ...(record.redirectUrl === null ? {} : { redirectUrl: record.redirectUrl }),
  };
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

function common(record: TransactionRecord): Record<string, unknown> {
  const created = new Date(record.createdMs);
  return {
    transactionId: record.id,
    type: record.type,
    status: record.status,
    chargeStatus: record.status.toLowerCase(),
    currency: record.currency,
    senderCurrency: record.senderCurrency,
    receiverCurrency: record.receiverCurrency,
    country: record.country,
    destination: record.destination,
    fullTimestamp: created.toISOString().replace('Z', '+00:00'),
    year: String(created.getUTCFullYear()),
    month: months[created.getUTCMonth()],
    day: weekdays[created.getUTCDay()],
    beneficiary: {
      country: findCountry(record.country)?.name ?? '',
      bankCode: record.bankCode,
      accountName: record.accountName,
      destination: record.destination,
      currency: record.receiverCurrency,
      accountNumber: record.accountNumber,
    },
  };
}

function wholeUnits(minor: Minor, currency: string): number {
  return Number(minor / 10n ** BigInt(decimalsOf(currency)));
}
