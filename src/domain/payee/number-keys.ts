import { findCountry } from '../reference-data/countries.ts';
import { mobileNumber } from '../row/mobile-number.ts';
import { numberPlan } from '../row/number-plan.ts';
import { phoneNotation } from '../row/phone-notation.ts';

/**
 * All that one number may be known by, however it is written: 0712 345678, 254712345678 and +254712345678 have a key in
 * common. Two numbers that are not the same may as well: whoever asks by these keys is told too much, and never too
 * little.
 */
export function numberKeys(number: string, country: string): readonly string[] {
  return [...new Set([number, ...phoneForms(number.trim(), country)].map(plain))];
}

function plain(number: string): string {
  return number
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/^0+/, '');
}

/** As it is dialled from abroad, and at home: of an account that is stored there the country may not be shown. */
function phoneForms(number: string, iso2: string): readonly string[] {
  const country = findCountry(iso2);
  if (!country) return [];
  const written = phoneNotation(number, numberPlan(country));
  if (typeof written === 'string') return [];
  const phone = mobileNumber(written.international ? `+${written.digits}` : written.digits, country);
  return phone ? [phone.number, phone.nationalNumber] : [];
}
