import { expect, test } from 'vitest';
import { bankRow, codesOf, judgeRow, mobileRow } from './judge-row.ts';

test.each([
  ['kes', 'KE', 'KES'],
  ['KSh', 'KE', 'KES'],
  ['Ksh.', 'KE', 'KES'],
  ['KES ', 'KE', 'KES'],
  ['Shs', 'KE', 'KES'],
  ['$', 'KE', 'USD'],
  ['US Dollars', 'KE', 'USD'],
])('%s in %s is %s', (currency, country, code) => {
  expect(judgeRow({ ...mobileRow, country, currency }).row?.currency).toBe(code);
});

test.each([
  ['₦', 'NG', 'NGN'],
  ['Naira', 'NG', 'NGN'],
  ['GH₵', 'GH', 'GHS'],
  ['USh', 'UG', 'UGX'],
  ['Shs', 'UG', 'UGX'],
  ['F CFA', 'CI', 'XOF'],
  ['CFA', 'CM', 'XAF'],
  ['K', 'ZM', 'ZMW'],
  ['K', 'MW', 'MWK'],
  ['R', 'ZA', 'ZAR'],
])('%s in %s is known', (currency, country) => {
  expect(
    codesOf(judgeRow({ ...bankRow, country, currency })).filter((code) => code.startsWith('currency')),
  ).toEqual([]);
});

test.each([
  ['XYZ', 'currency-unknown'],
  ['CFA', 'currency-unknown'],
  ['EUR', 'currency-unknown'],
  ['UGX', 'currency-not-payable'],
  ['₦', 'currency-not-payable'],
  ['', 'currency-missing'],
])('%s in Kenya is %s', (currency, code) => {
  const { row, problems } = judgeRow({ ...mobileRow, currency });
  expect(row).toBeUndefined();
  expect(problems.map((problem) => problem.code)).toEqual([code]);
});

test('the message says what can be paid there', () => {
  expect(judgeRow({ ...mobileRow, currency: 'UGX' }).problems[0]?.message).toBe(
    'The currency UGX cannot be paid in Kenya: use KES or USD, or correct the country.',
  );
});

test('a sign that could be several needs the country to be decided', () => {
  const judgement = judgeRow({ ...mobileRow, country: 'Atlantis', currency: 'Shs' });
  expect(codesOf(judgement)).toEqual(['country-unknown', 'currency-unknown']);
  expect(judgement.problems[1]?.message).toContain('KES or UGX or TZS');
});
