import { findCurrency } from '../reference-data/countries.ts';
import { currenciesOfMark, isMarkInPlace } from './currency-marks.ts';

export interface NumberWithMarks {
  readonly kind: 'amount';
  readonly digits: string;
  readonly marks: readonly Mark[];
}

/** The currencies that a sign beside the number can stand for. */
type Mark = readonly string[];

export type AmountText =
  | NumberWithMarks
  | { readonly kind: 'cents'; readonly digits: string }
  | { readonly kind: 'nothing' | 'dash' | 'negative' | 'exponent' | 'unreadable' };

/** Parts the number from the currency signs around it, and names the forms that are no payable number. */
export function splitAmount(text: string): AmountText {
  if (text === '') return { kind: 'nothing' };
  const first = text.search(/\d/);
  if (first === -1) return { kind: withoutDigits(text) };
  let behind = text.length;
  while (!isDigit(text.charCodeAt(behind - 1))) behind -= 1;
  return splitAround(text.slice(0, first), text.slice(first, behind), text.slice(behind));
}

function splitAround(before: string, number: string, after: string): AmountText {
  const shillings = shillingSign.exec(after);
  const rest = shillings ? after.slice(shillings[0].length) : after;
  if (minus.test(before) || minus.test(rest)) return { kind: 'negative' };
  if (exponent.test(number)) return { kind: 'exponent' };
  if (before === '.' || before === ',') return splitAround('', before + number, after);
  const dotted = pointBefore(before);
  if (dotted === 'fraction') return { kind: 'unreadable' };
  if (dotted === 'abbreviation' && /^\d{1,2}$/.test(number)) return { kind: 'cents', digits: number };
  const marks: Mark[] = shillings ? [shillingCurrencies] : [];
  for (const [place, mark] of [
    ['before', before.replace(/^\+/, '').trim()],
    ['behind', rest.trim()],
  ] as const) {
    if (mark === '') continue;
    const meant = isMarkInPlace(mark, place) ? currenciesOfMark(mark) : [];
    if (meant.length === 0) return { kind: 'unreadable' };
    marks.push(meant);
  }
  return { kind: 'amount', digits: number, marks };
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** A dash alone is how accounting formats show nothing. */
function withoutDigits(text: string): 'dash' | 'unreadable' {
  const rest = text.replace(minuses, '').trim();
  return rest !== text && (rest === '' || currenciesOfMark(rest).length > 0) ? 'dash' : 'unreadable';
}

/** `12,500/=` and `500/-` are how East Africans write shillings without cents. */
const shillingSign = /^ ?\/[=-]/;
const shillingCurrencies = ['KES', 'UGX', 'TZS'];
const minus = /[-−–—﹣－()]/u;
const minuses = /[-−–—﹣－]/gu;
const exponent = /^[\d.,]+[eE][+-]?\d+$/;

/** `Ksh.500` abbreviates; after a sign, a code or a blank a point belongs to the number, whose whole part is then missing. */
function pointBefore(before: string): 'none' | 'abbreviation' | 'fraction' {
  if (!before.endsWith('.')) return 'none';
  const word = /(?<!\p{L})(\p{L}+)\.$/u.exec(before)?.[1];
  return word === undefined || findCurrency(word.toUpperCase()) ? 'fraction' : 'abbreviation';
}
