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
  return plainNumber(text, country) ?? (mayBeNumber(text, country) ? parsedNumber(text, country) : undefined);
}

/** Longer than any number with its prefixes: spares the metadata the work. */
export const longestNumber = 20;

/** A number that is written as nearly all are, by the pattern of its country: the whole parse takes ten times as long. */
export function plainNumber(text: string, country: Country): MobileNumber | undefined {
  const nationalNumber = patternsOf(country)?.whole.exec(text)?.[1];
  if (nationalNumber === undefined) return undefined;
  return { number: `+${country.dialingCode}${nationalNumber}`, nationalNumber };
}

/**
 * False only of digits that the whole parse refuses: where nothing but a pattern is needed, it takes away what stands in
 * front, and the rest must be a mobile number. Most account numbers of banks end like none.
 */
export function mayBeNumber(text: string, country: Country): boolean {
  return !onlyDigits.test(text) || (patternsOf(country)?.end.test(text) ?? true);
}

const onlyDigits = /^\+?\d+$/;

export function parsedNumber(text: string, country: Country): MobileNumber | undefined {
  const phone = parsePhoneNumberFromString(text, {
    defaultCountry: country.iso2 as CountryCode,
    extract: false,
  });
  return phone?.countryCallingCode === country.dialingCode && phone.isValid() ? phone : undefined;
}

interface NumberPatterns {
  /** Of a number by itself, with the national number in it. */
  readonly whole: RegExp;
  /** Of whatever ends with a national number. */
  readonly end: RegExp;
}

const patterns = new Map<string, NumberPatterns | undefined>();

function patternsOf({ iso2, dialingCode }: Country): NumberPatterns | undefined {
  if (!patterns.has(iso2)) patterns.set(iso2, makePatterns(iso2, dialingCode));
  return patterns.get(iso2);
}

/** What the metadata says of a country, by place. */
const place = { nationalPrefix: 5, prefixForParsing: 7, prefixTransform: 8, types: 11 } as const;

/** Undefined where more than a pattern is needed: several countries behind one code, or a prefix that changes the number. */
function makePatterns(iso2: string, dialingCode: string): NumberPatterns | undefined {
  const codes: Record<string, readonly string[] | undefined> = metadata.country_calling_codes;
  const told = (metadata.countries as Record<string, readonly unknown[] | undefined>)[iso2];
  if (!told || codes[dialingCode]?.length !== 1) return undefined;
  if (told[place.prefixForParsing] || told[place.prefixTransform]) return undefined;
  const mobile = (told[place.types] as readonly [unknown, readonly [string]] | undefined)?.[1][0];
  const prefix = told[place.nationalPrefix];
  if (mobile === undefined) return undefined;
  const whole =
    typeof prefix === 'string'
      ? new RegExp(`^(?:\\+${dialingCode}|${prefix})?((?!${prefix})(?:${mobile}))$`)
      : new RegExp(`^(?:\\+${dialingCode})?(${mobile})$`);
  return { whole, end: new RegExp(`(?:${mobile})$`) };
}
