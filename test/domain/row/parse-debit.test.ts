import { expect, test } from 'vitest';
import { debitWallet } from '../../../src/domain/money/debit-wallet.ts';
import { bankRow, codesOf, judgeRow, mobileRow, type Values } from './judge-row.ts';

const ivorian: Values = {
  ...mobileRow,
  country: 'CI',
  currency: 'XOF',
  amount: '5000',
  phoneNumber: '0707123456',
};

test.each([
  ['nothing is said', {}, undefined, undefined, 'KES', undefined],
  ['the paid currency is named', { debitCurrency: 'kes' }, undefined, undefined, 'KES', undefined],
  ['its only country is named too', { debitCountry: 'Kenya' }, undefined, undefined, 'KES', undefined],
  ['another currency', { debitCurrency: 'UGX' }, 'UGX', undefined, 'UGX', undefined],
  [
    'another currency with its only country',
    { debitCurrency: 'UGX', debitCountry: 'UG' },
    'UGX',
    undefined,
    'UGX',
    undefined,
  ],
  ['dollars of Kenya', { debitCurrency: '$', debitCountry: 'KE' }, 'USD', 'KE', 'USD', 'KE'],
  ['dollars of the States', { debitCurrency: 'USD', debitCountry: 'USA' }, 'USD', 'US', 'USD', 'US'],
  ['francs, by a sign and a country', { debitCurrency: 'CFA', debitCountry: 'SN' }, 'XOF', 'SN', 'XOF', 'SN'],
] as const)('%s', (_, values, debitCurrency, debitCountry, walletCurrency, walletCountry) => {
  const { row } = judgeRow({ ...mobileRow, ...values });
  expect(row).toMatchObject({ debitCurrency, debitCountry });
  expect(row && debitWallet(row)).toEqual({ currency: walletCurrency, country: walletCountry });
});

test('a currency with several wallets is paid from the one in the country of the row unless another is named', () => {
  const wallets = [
    {},
    { debitCountry: 'CI' },
    { debitCurrency: 'XOF' },
    { debitCurrency: 'XOF', debitCountry: 'CI' },
  ].map((values) => judgeRow({ ...ivorian, ...values }).row);
  for (const row of wallets) {
    expect(row).toMatchObject({ debitCurrency: undefined, debitCountry: undefined });
    expect(row && debitWallet(row)).toEqual({ currency: 'XOF', country: 'CI' });
  }
  const other = judgeRow({ ...ivorian, debitCountry: 'SN' }).row;
  expect(other && debitWallet(other)).toEqual({ currency: 'XOF', country: 'SN' });
});

test.each([
  [{ debitCurrency: 'USD' }, 'debit-country-missing'],
  [{ debitCurrency: 'XOF', debitCountry: ' ' }, 'debit-country-missing'],
  [{ debitCurrency: 'USD', debitCountry: 'UG' }, 'debit-country-wrong'],
  [{ debitCountry: 'UG' }, 'debit-country-wrong'],
  [{ debitCurrency: 'USD', debitCountry: 'Atlantis' }, 'debit-country-unknown'],
  [{ debitCurrency: 'EUR' }, 'debit-currency-unknown'],
  [{ debitCurrency: 'CFA' }, 'debit-currency-unknown'],
])('%j is %s', (values, code) => {
  const judgement = judgeRow({ ...bankRow, ...values });
  expect(judgement.row).toBeUndefined();
  expect(codesOf(judgement)).toEqual([code]);
});
