import { type Bank, banks } from './reference-data/banks.ts';
import { bankByName } from './row/bank-names.ts';

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

function bankOf(text: string, country: string): Bank | undefined {
  const code = plainCode(text);
  return ofCountry(country, code) ?? bankByName(country, text);
}

/** By its code, with or without leading zeros, with its branch behind it in Kenya, or by its SWIFT code. */
function ofCountry(country: string, code: string): Bank | undefined {
  const plain = isNumber(code) ? withoutZeros(code) : code;
  const alone = country === 'KE' && /^\d{4,5}$/.test(plain) ? plain.slice(0, -3) : plain;
  return banks.find(
    (bank) =>
      bank.country === country &&
      (bank.code === code ||
        (isNumber(bank.code) && withoutZeros(bank.code) === alone) ||
        (bank.swift !== undefined && code.slice(0, 8) === bank.swift.slice(0, 8))),
  );
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

function withoutZeros(code: string): string {
  return code.replace(/^0+(?=\d)/, '');
}
