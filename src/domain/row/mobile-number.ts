import { type CountryCode, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/mobile';
import type { Country } from '../reference-data/countries.ts';

/** The mobile number that some digits are in a country; undefined where they are none of its own. */
export function mobileNumber(text: string, country: Country): PhoneNumber | undefined {
  if (text.length > longestNumber) return undefined;
  const phone = parsePhoneNumberFromString(text, {
    defaultCountry: country.iso2 as CountryCode,
    extract: false,
  });
  return phone?.countryCallingCode === country.dialingCode && phone.isValid() ? phone : undefined;
}

/** Longer than any number with its prefixes: spares the metadata the work. */
export const longestNumber = 20;
