import { findCurrency } from '../reference-data/countries.ts';
import { decimalFromMinor, type Minor } from './money.ts';

/** Plain decimal text in the currency's decimals, for files and JSON: `125000.00`. */
export function decimalOf(minor: Minor, currency: string): string {
  return decimalFromMinor(minor, findCurrency(currency)?.decimals ?? 0);
}

/** For people: `KES 125,000.00`. */
export function formatMoney(minor: Minor, currency: string): string {
  const [whole = '', fraction] = decimalOf(minor, currency).split('.');
  const grouped = groupedDigits(whole);
  return `${currency} ${fraction === undefined ? grouped : `${grouped}.${fraction}`}`;
}

/** `-125000` as `-125,000`. */
function groupedDigits(whole: string): string {
  const sign = whole.startsWith('-') ? '-' : '';
  const digits = whole.slice(sign.length);
  const first = digits.length % 3 || 3;
  const groups = digits.slice(first).match(/\d{3}/g) ?? [];
  return sign + [digits.slice(0, first), ...groups].join(',');
}

/** Enough of a number to recognise it by, too little to misuse: `…5678`. */
export function maskNumber(number: string): string {
  return `…${number.slice(-4)}`;
}
