import type * as z from 'zod';
import { findCountry, isPayable } from '../../domain/reference-data/countries.ts';
import { branchCodeMessage } from '../../service/contract/error-codes.ts';
import type { payoutMethod } from '../../service/contract/external-accounts.ts';
import { failure, invalid, type RouteResult } from '../http/reply.ts';
import type { ExternalAccountRecord } from '../store/external-account-store.ts';

export type Beneficiary = Omit<ExternalAccountRecord, 'id' | 'createdS'>;

type Rail = Pick<Beneficiary, 'country' | 'currency' | 'destination'>;

/** Who is paid, as a request describes him. */
export function beneficiaryOf(
  { country, currency, destination }: Rail,
  { accountName, accountNumber, code = '', branchCode = '' }: z.output<typeof payoutMethod>,
): Beneficiary {
  const number = canonicalNumber(destination, accountNumber);
  return { country, currency, destination, number, code, branchCode, accountName };
}

/** What keeps money from reaching this number on this rail, be it for an external account or for a payout. */
export function railTrouble(end: Beneficiary): RouteResult | undefined {
  const country = findCountry(end.country);
  if (!country) return invalid(`country ${end.country} is not supported`);
  if (!isPayable(end.currency, end.country))
    return invalid(`${end.currency} cannot be paid out in ${end.country}`);
  if (country.branchCodeNeeded && end.branchCode === '')
    return failure('VALIDATION_ERROR', branchCodeMessage);
  if (end.destination === 'Bank Account')
    return end.code === '' ? invalid('a bank code is needed') : undefined;
  if (country.operators.length === 0) return invalid(`mobile money is not available in ${end.country}`);
  if (end.currency !== country.currency)
    return invalid(`mobile money in ${end.country} takes ${country.currency}`);
  if (!/^\+[1-9]\d{6,14}$/.test(end.number)) return invalid('the phone number is not international');
  return end.number.startsWith(`+${country.dialingCode}`)
    ? undefined
    : invalid(`the phone number is not one of ${end.country}`);
}

/** Phone numbers are kept with their plus, however they came (assumption `phone-plus`). */
export function canonicalNumber(destination: string, number: string): string {
  return destination === 'MoMo' && !number.startsWith('+') ? `+${number}` : number;
}
