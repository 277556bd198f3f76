import { strict as assert } from 'node:assert';

/** Money is a whole number of minor units (cents, or whole shillings where a currency has no cents). Never a float. */
export type Minor = bigint;

/** The longest amount that travels: fifteen significant digits survive a JSON number exactly. */
export const maxAmountDigits = 15;
const largestExact = 10n ** BigInt(maxAmountDigits) - 1n;

/** Reads plain decimal text such as `1250.50`. Zeros beyond the decimals are harmless; other digits there are not. */
export function minorFromDecimal(text: string, decimals: number): Minor | undefined {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!parts) return undefined;
  const [, sign, whole = '', fraction = ''] = parts;
  const kept = fraction.slice(0, decimals).padEnd(decimals, '0');
  if (/[^0]/.test(fraction.slice(decimals))) return undefined;
  const minor = BigInt(whole + kept);
  return sign === '-' ? -minor : minor;
}

/** Plain decimal text with exactly the currency's decimals: `1250.50`. */
export function decimalFromMinor(minor: Minor, decimals: number): string {
  const sign = minor < 0n ? '-' : '';
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0');
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * The number that goes on the wire. A double prints back every decimal of up to fifteen digits unchanged,
 * so the JSON text is the exact amount; longer amounts are a bug of the caller's.
 */
export function jsonNumberFromMinor(minor: Minor, decimals: number): number {
  assert(
    minor >= -largestExact && minor <= largestExact,
    'an amount of more than 15 digits cannot travel exactly',
  );
  return Number(decimalFromMinor(minor, decimals));
}

/** An amount out of a reply, as a number or as text, in minor units; undefined where it is not that many decimals. */
export function minorFromReply(value: number | string, decimals: number): Minor | undefined {
  const text = typeof value === 'number' ? plainDecimal(value) : value.trim();
  return text === undefined ? undefined : minorFromDecimal(text, decimals);
}

/** `1e+21` and `1e-7` are how a double prints numbers no amount of ours can be. */
function plainDecimal(value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  const text = String(value);
  return text.includes('e') ? undefined : text;
}
