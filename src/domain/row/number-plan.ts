import { type CountryCode, getExampleNumber } from 'libphonenumber-js/mobile';
import examples from 'libphonenumber-js/mobile/examples';
import type { Country } from '../reference-data/countries.ts';

/** How mobile numbers of a country are written. */
export interface NumberPlan {
  readonly dialingCode: string;
  /** Digits of a mobile number behind the country's code. */
  readonly digits: number;
  /** At home a zero is dialled in front that is no part of the number. */
  readonly zeroInFront: boolean;
  /** The number itself begins with a zero. */
  readonly zeroBelongs: boolean;
  /** As it is written at home. */
  readonly example: string;
}

export function numberPlan(country: Country): NumberPlan {
  const plan = plans.get(country.iso2) ?? planFromExample(country);
  plans.set(country.iso2, plan);
  return plan;
}

const plans = new Map<string, NumberPlan>();

function planFromExample(country: Country): NumberPlan {
  const number = getExampleNumber(country.iso2 as CountryCode, examples);
  const national = number?.nationalNumber ?? '';
  const example = number?.formatNational() ?? '';
  const zeroBelongs = national.startsWith('0');
  return {
    dialingCode: country.dialingCode,
    digits: national.length,
    zeroBelongs,
    zeroInFront: example.startsWith('0') && !zeroBelongs,
    example,
  };
}
