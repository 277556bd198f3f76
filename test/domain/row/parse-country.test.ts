import { expect, test } from 'vitest';
import { countries } from '../../../src/domain/reference-data/countries.ts';
import { countryFrom } from '../../../src/domain/row/parse-country.ts';
import { codesOf, judgeRow, mobileRow } from './judge-row.ts';

test.each([
  ['KE', 'KE'],
  ['ke', 'KE'],
  ['KEN', 'KE'],
  ['Kenya', 'KE'],
  ['KENYA ', 'KE'],
  ["Cote d'Ivoire", 'CI'],
  ['Côte d’Ivoire', 'CI'],
  ['COTE DIVOIRE', 'CI'],
  ['Ivory Coast', 'CI'],
  ['Tanzania, United Republic of', 'TZ'],
  ['United Republic of Tanzania', 'TZ'],
  ['Sénégal', 'SN'],
  ['Cameroun', 'CM'],
  ['U.S.A.', 'US'],
  ['United States of America', 'US'],
  ['South-Africa', 'ZA'],
])('%s is %s', (text, iso2) => {
  expect(countryFrom(text)?.iso2).toBe(iso2);
});

test('every country is found by both codes and by its name', () => {
  for (const country of countries) {
    for (const text of [country.iso2, country.iso3, country.name]) expect(countryFrom(text)).toBe(country);
  }
});

test('an unknown country is refused with the likeliest one and the list', () => {
  const { problems } = judgeRow({ ...mobileRow, country: 'Kenia' });
  expect(problems[0]?.code).toBe('country-unknown');
  expect(problems[0]?.message).toContain('Did you mean Kenya (KE)?');
  expect(problems[0]?.message).toContain('UG Uganda');
});

test('a code of two letters is never taken for a misspelling', () => {
  const { problems } = judgeRow({ ...mobileRow, country: 'NA' });
  expect(problems[0]?.code).toBe('country-unknown');
  expect(problems[0]?.message).not.toContain('Did you mean');
});

test('a missing column and an empty cell are told apart in what to do', () => {
  const { country: _, ...without } = mobileRow;
  expect(judgeRow(without).problems[0]?.message).toContain('--default country=KE');
  const empty = judgeRow({ ...mobileRow, country: ' ' });
  expect(codesOf(empty)).toEqual(['country-missing']);
  expect(empty.problems[0]?.message).not.toContain('--default');
});
