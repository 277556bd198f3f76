import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/mobile';
import metadata from 'libphonenumber-js/mobile/metadata';
import type { Country } from '../reference-data/countries.ts';

export interface MobileNumber {
  /** In E.164. */
  readonly number: string;
  /** Behind the country's code. */
  readonly nationalNumber: string;
}

/** The mobile number that some digits are in a country; undefined where they are none of its own. */
export function mobileNumber(text: string, country: Country): MobileNumber | undefined {
  if (text.length > longestNumber) return undefined;
  return plainNumber(text, country) ?? parsedNumber(text, country);
}

/** Longer than any number with its prefixes: spares the metadata the work. */
export const longestNumber = 20;

/** A number that is written as nearly all are, by the pattern of its country: the whole parse takes ten times as long. */
export function plainNumber(text: string, country: Country): MobileNumber | undefined {
  const nationalNumber = plainPattern(country)?.exec(text)?.[1];
  if (nationalNumber === undefined) return undefined;
  return { number: `+${country.dialingCode}${nationalNumber}`, nationalNumber };
}

export function parsedNumber(text: string, country: Country): MobileNumber | undefined {
  const phone = parsePhoneNumberFromString(text, {
    defaultCountry: country.iso2 as CountryCode,
    extract: false,
  });
  return phone?.countryCallingCode === country.dialingCode && phone.isValid() ? phone : undefined;
}

const patterns = new Map<string, RegExp | undefined>();

function plainPattern({ iso2, dialingCode }: Country): RegExp | undefined {
  if (!patterns.has(iso2)) patterns.set(iso2, patternOf(iso2, dialingCode));
  return patterns.get(iso2);
}

/** What the metadata says of a country, by place. */
const place = { nationalPrefix: 5, prefixForParsing: 7, prefixTransform: 8, types: 11 } as const;

/** Undefined where more than a pattern is needed: several countries behind one code, or a prefix that changes the number. */
function patternOf(iso2: string, dialingCode: string): RegExp | undefined {
  const codes: Record<string, readonly string[] | undefined> = metadata.country_calling_codes;
  const told = (metadata.countries as Record<string, readonly unknown[] | undefined>)[iso2];
  if (!told || codes[dialingCode]?.length !== 1) return undefined;
  if (told[place.prefixForParsing] || told[place.prefixTransform]) return undefined;
  const mobile = (told[place.types] as readonly [unknown, readonly [string]] | undefined)?.[1][0];
  const prefix = told[place.nationalPrefix];
  if (mobile === undefined) return undefined;
  return typeof prefix === 'string'
    ? new RegExp(`^(?:\\+${dialingCode}|${prefix})?((?!${prefix})(?:${mobile}))$`)
    : new RegExp(`^(?:\\+${dialingCode})?(${mobile})$`);
}
