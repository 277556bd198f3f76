import { expect, test } from 'vitest';
import { findCountry } from '../../../src/domain/reference-data/countries.ts';
import { operatorFrom } from '../../../src/domain/reference-data/operator-words.ts';
import { codesOf, judgeRow, mobileRow } from './judge-row.ts';

test.each([
  ['KE', 'mpesa', 'mpesa'],
  ['KE', 'M-PESA', 'mpesa'],
  ['KE', 'SAFARICOM', 'mpesa'],
  ['KE', 'airtel', 'airtel'],
  ['KE', 'T-Kash', 'tkash'],
  ['TZ', 'Vodacom', 'mpesa'],
  ['TZ', 'Tigo Pesa', 'mixx'],
  ['TZ', 'Tigo', 'mixx'],
  ['TZ', 'Halotel', 'halopesa'],
  ['GH', 'Vodafone Cash', 'telecel'],
  ['GH', 'AirtelTigo', 'at'],
  ['GH', 'Tigo', 'at'],
  ['GH', 'MTN MoMo', 'mtn'],
  ['UG', 'MTN Mobile Money', 'mtn'],
  ['SN', 'Free Money', 'yas'],
  ['CI', 'Orange Money', 'orange'],
  ['BW', 'Orange', 'orange'],
  ['MW', 'Mpamba', 'tnm'],
  ['KE', 'Vodacom', undefined],
])('in %s %s is %s', (iso2, word, id) => {
  const country = findCountry(iso2);
  expect(country && operatorFrom(word, country)).toBe(id);
});

test('an operator that is not known only warns, and is left out', () => {
  const { row, problems } = judgeRow({ ...mobileRow, operator: 'Vodacom' });
  expect(problems.map(({ code, blocking }) => [code, blocking])).toEqual([['operator-unknown', false]]);
  expect(row?.payee).toMatchObject({ operator: undefined });
});

test('damage to the operator does not keep the row from being paid', () => {
  const judgement = judgeRow({ ...mobileRow, operator: '#N/A' });
  expect(codesOf(judgement)).toEqual(['operator-unknown']);
  expect(judgement.row).toBeDefined();
});

test('a destination that names an operator is the operator, unless a column says another', () => {
  expect(judgeRow({ ...mobileRow, destination: 'M-PESA' }).row?.payee).toMatchObject({ operator: 'mpesa' });
  expect(judgeRow({ ...mobileRow, destination: 'M-PESA', operator: 'Airtel' }).row?.payee).toMatchObject({
    operator: 'airtel',
  });
  expect(judgeRow({ ...mobileRow, destination: 'mobile' }).row?.payee).toMatchObject({ operator: undefined });
});
