import { findCurrency } from '../reference-data/countries.ts';
import { grouped } from '../text/grouped.ts';
import { decimalFromMinor, type Minor } from './money.ts';

/** Plain decimal text in the currency's decimals, for files and JSON: `125000.00`. */
export function decimalOf(minor: Minor, currency: string): string {
  return decimalFromMinor(minor, findCurrency(currency)?.decimals ?? 0);
}

/** For people: `KES 125,000.00`. */
export function formatMoney(minor: Minor, currency: string): string {
  const [whole = '', ...fraction] = decimalOf(minor, currency).split('.');
  return `${currency} ${[grouped(whole), ...fraction].join('.')}`;
}

/** Enough of a number to recognise it by, too little to misuse: `…5678`. */
export function maskNumber(number: string): string {
  return `…${number.slice(-4)}`;
}
