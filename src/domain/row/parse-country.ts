import { type Country, countries, findCountry } from '../reference-data/countries.ts';
import { once } from '../reference-data/once.ts';
import { foldText } from '../text/fold-text.ts';
import { nearestText } from '../text/nearest-text.ts';
import { readableText } from '../text/readable-text.ts';
import type { Cell } from './read-cell.ts';
import type { RowFindings } from './row-findings.ts';

export function parseCountry(cell: Cell, findings: RowFindings): Country | undefined {
  if (cell.spoilt) return undefined;
  if (cell.text === '') {
    return findings.problem(
      'country-missing',
      cell,
      cell.absent
        ? 'There is no country column. Add one, or say --default country=KE if all rows are of one country.'
        : 'This row has no country. Fill in a two-letter code such as KE.',
    );
  }
  const country = countryFrom(cell.text);
  if (country) return country;
  return findings.problem('country-unknown', cell, unknownCountryMessage(cell.text));
}

/** A country by code or name, in the usual spellings. */
export function countryFrom(text: string): Country | undefined {
  return findCountry(text) ?? byFoldedName().get(foldText(text));
}

export function unknownCountryMessage(text: string): string {
  const nearest = nearestText(foldText(text), Array.from(byFoldedName().keys()));
  const meant = nearest === undefined ? undefined : byFoldedName().get(nearest);
  const question = meant && text.length > 3 ? ` Did you mean ${meant.name} (${meant.iso2})?` : '';
  return `The country ${readableText(text)} is not one that payrun knows.${question} It knows ${known}.`;
}

const known = countries.map((country) => `${country.iso2} ${country.name}`).join(', ');

const otherNames: Readonly<Record<string, readonly string[]>> = {
  KE: ['Republic of Kenya'],
  UG: ['Republic of Uganda'],
  TZ: [
    'Tanzania, United Republic of',
    'United Republic of Tanzania',
    'Tanzania (United Republic of)',
    'Tanzanie',
  ],
  NG: ['Federal Republic of Nigeria'],
  GH: ['Republic of Ghana'],
  RW: ['Republic of Rwanda'],
  ZM: ['Republic of Zambia', 'Zambie'],
  CI: ['Ivory Coast', 'The Ivory Coast', "Republic of Côte d'Ivoire", "République de Côte d'Ivoire", 'RCI'],
  SN: ['Sénégal', 'Republic of Senegal'],
  CM: ['Cameroun', 'Republic of Cameroon'],
  MW: ['Republic of Malawi'],
  BW: ['Republic of Botswana'],
  ZA: ['Republic of South Africa', 'RSA'],
  US: [
    'United States of America',
    'The United States',
    'The United States of America',
    'U.S.',
    'U.S.A.',
    'America',
  ],
};

const byFoldedName = once(
  () =>
    new Map(
      countries.flatMap((country) =>
        [country.iso2, country.iso3, country.name, ...(otherNames[country.iso2] ?? [])].map(
          (name) => [foldText(name), country] as const,
        ),
      ),
    ),
);
