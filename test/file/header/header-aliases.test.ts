import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Field, fields } from '../../../src/domain/row.ts';
import {
  fieldOfHeader,
  headerKey,
  offeredFieldOf,
  suggestedFieldOf,
} from '../../../src/file/header/header-aliases.ts';

const known: readonly (readonly [Field, string])[] = [
  ['paymentId', 'payment id, employee id, employee no, staff no, payslip no, request id, reference id'],
  ['paymentId', 'customer reference, beneficiary id, invoice no, Employee Number, STAFF-NO., Invoice #'],
  [
    'accountName',
    'name, full name, recipient name, beneficiary name, payee name, account name, employee name',
  ],
  ['accountName', 'counterparty name, Full Names, Name (required), *Name*'],
  ['firstName', 'first name, First_Name'],
  ['lastName', 'last name, surname'],
  ['phoneNumber', 'phone, msisdn, mobile, mobile number, recipient phone, Phone No., Mobile No'],
  [
    'accountNumber',
    'account, account no, acct no, iban, payee identifier, counterparty account number, Account №',
  ],
  ['bankCode', 'bank, account bank, institution, sort code, swift, ifsc, bank_code'],
  ['operator', 'telco, network, momo operator, provider, correspondent'],
  ['amount', 'net pay, net salary, payout amount, credit amount, Amount (KES), Net Pay KES, Amount in Ksh'],
  ['amount', 'KES Amount, amount_usd, Amount (₦), Amount (in UGX), Net Pay [Kshs.]'],
  ['currency', 'currency code, target currency'],
  ['destination', 'method, payment mode, payment method, channel, type'],
  ['narration', 'note, description, reason, comment, purpose, remarks'],
  ['branchCode', 'branch code'],
  ['debitCurrency', 'Debit Currency'],
  ['debitCountry', 'debit-country'],
];

describe('headers', () => {
  test.each(known.flatMap(([field, names]) => names.split(', ').map((name) => [name, field] as const)))(
    '%j is %s',
    (name, field) => {
      expect(fieldOfHeader(name)?.field).toBe(field);
    },
  );

  test.each(fields)('%s is known by its own name in any case', (field) => {
    expect(fieldOfHeader(field)?.field).toBe(field);
    expect(fieldOfHeader(` ${field.toUpperCase()} `)?.field).toBe(field);
  });

  test.each([
    'id',
    'reference',
    'external reference',
    'Country Code',
    'gross amount',
    'Gross Pay',
    'Phone (next of kin)',
    'Amount (gross)',
    'Amount K',
    'Account Number (old)',
    'total',
    '',
    'payrun_key',
  ])('%j is not taken for a field', (name) => {
    expect(fieldOfHeader(name)).toBeUndefined();
  });

  test.each([
    ['ID', 'paymentId'],
    ['External Reference', 'paymentId'],
    ['reference', 'paymentId'],
    ['country_code', 'country'],
  ])('%j is offered as %s', (name, field) => {
    expect(offeredFieldOf(name)).toBe(field);
  });

  test.each([
    ['Ammount', 'amount'],
    ['Phone Nubmer', 'phoneNumber'],
    ['Beneficary Name', 'accountName'],
    ['Amount (gross)', 'amount'],
    ['Tax amount', undefined],
    ['Department', undefined],
    ['Net', undefined],
  ])('%j is suggested as %s', (name, field) => {
    expect(suggestedFieldOf(name)).toBe(field);
  });

  test('name a currency only where one alone is meant, and it is never taken as the currency', () => {
    expect(fieldOfHeader('Amount (KES)')).toEqual({ field: 'amount', currency: 'KES' });
    expect(fieldOfHeader('Amount (Shs)')).toEqual({ field: 'amount' });
  });
});

test('a plain header has the key that the same has in wide signs, which are read the long way', () => {
  const wide = (text: string) =>
    Array.from(text, (sign) => (sign === ' ' ? '\u3000' : String.fromCodePoint(0xfee0 + sign.charCodeAt(0))));
  const header = fc.stringMatching(/^[\x20-\x7e]{1,30}$/);
  fc.assert(
    fc.property(header, (text) => {
      expect(headerKey(wide(text).join(''))).toBe(headerKey(text));
    }),
  );
  expect(headerKey('Payment_Id. *"\'')).toBe('paymentid');
});
