import { type Bank, banksIn } from '../reference-data/banks.ts';
import { bankByName } from '../row/bank-names.ts';
import { canonicalBankCode, withoutZeros } from './canonical-bank-code.ts';

/**
 * Whether a bank that the service shows is the bank of a payout. Undefined where that cannot be told: services have
 * numbers of their own for banks, and a code of another kind than ours says nothing.
 */
export function isSameBank(shown: string, ownCode: string, country: string): boolean | undefined {
  const there = plainCode(shown);
  const own = plainCode(ownCode);
  if (there === own || (isNumber(there) && isNumber(own) && withoutZeros(there) === withoutZeros(own))) {
    return true;
  }
  const [bankThere, ownBank] = [bankOf(shown, country), bankOf(ownCode, country)];
  if (bankThere && ownBank) return bankThere === ownBank;
  return isOfOneKind(there, own) ? false : undefined;
}

/** By its code, however that is written, by its SWIFT code, or by its name. */
function bankOf(text: string, country: string): Bank | undefined {
  const code = plainCode(text);
  const canonical = canonicalBankCode(country, code);
  const listed = banksIn(country).find((bank) => bank.code === canonical || bank.swift === code.slice(0, 8));
  return listed ?? bankByName(country, text);
}

/** Numbers of about one length, or letters and digits in the same places. */
function isOfOneKind(one: string, other: string): boolean {
  if (isNumber(one) && isNumber(other)) return Math.abs(one.length - other.length) <= 1;
  return shapeOf(one) === shapeOf(other);
}

function shapeOf(code: string): string {
  return code.replace(/\d/g, '0').replace(/[A-Z]/g, 'A');
}

function plainCode(text: string): string {
  return text.toUpperCase().replace(/[^0-9A-Z]/g, '');
}

function isNumber(code: string): boolean {
  return /^\d+$/.test(code);
}
