import { agreesWithMask } from '../payee/masked-number.ts';
import { isSameBank } from '../payee/same-bank.ts';
import { findCountry } from '../reference-data/countries.ts';
import { operatorFrom } from '../reference-data/operator-words.ts';
import { countryFrom } from '../row/parse-country.ts';
import { destinationFrom } from '../row/parse-destination.ts';
import { readableText } from '../text/readable-text.ts';
import { isShown, type JudgedPayout, type ShownTransaction } from './shown-transaction.ts';

/**
 * Where a transaction shows another payee than a payout's. What is not shown proves nothing, and neither does a word
 * that we do not know: services have names of their own for countries, banks and operators.
 */
export function payeeDifference(transaction: ShownTransaction, payout: JudgedPayout): string | undefined {
  const { beneficiary, phoneNumber, country, destination } = transaction;
  for (const number of [beneficiary?.accountNumber, phoneNumber]) {
    if (isShown(number) && !isOurNumber(number, payout)) return 'it went to another account';
  }
  for (const shown of [country, beneficiary?.country]) {
    if (isShown(shown) && isOtherCountry(shown.trim(), payout.country)) {
      return `it went to ${readableText(shown)}, ours goes to ${payout.country}`;
    }
  }
  for (const shown of [destination, beneficiary?.destination]) {
    const meant = isShown(shown) ? destinationFrom(shown) : undefined;
    if (isShown(shown) && meant !== undefined && meant !== payout.destination) {
      const article = meant === 'Bank Account' ? 'a ' : '';
      return `it went to ${article}${readableText(shown)}, ours goes to ${payout.destination}`;
    }
  }
  const code = beneficiary?.bankCode;
  return isShown(code) ? codeDifference(code, payout) : undefined;
}

export function digitsOf(number: string): string {
  return number.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
}

function isOurNumber(shown: string, payout: JudgedPayout): boolean {
  const own = digitsOf(payout.number);
  return digitsOf(shown) === own || (agreesWithMask(shown, formsOf(own, payout)) ?? false);
}

/** A phone number that is shown in part may be shown as it is dialled at home. */
function formsOf(own: string, { destination, country }: JudgedPayout): string[] {
  const dialing = findCountry(country)?.dialingCode;
  if (destination !== 'MoMo' || dialing === undefined || !own.startsWith(dialing)) return [own];
  const national = own.slice(dialing.length);
  return [own, national, `0${national}`];
}

/** Codes of two letters that stand for no country. */
const noCountry: ReadonlySet<string> = new Set(['XX', 'ZZ', 'NA']);

function isOtherCountry(shown: string, own: string): boolean {
  const known = countryFrom(shown);
  if (known) return known.iso2 !== own;
  const code = shown.toUpperCase();
  return /^[A-Z]{2}$/.test(code) && !noCountry.has(code);
}

/** Of a bank, or of an operator where the money went to a phone. */
function codeDifference(code: string, payout: JudgedPayout): string | undefined {
  const shown = readableText(code);
  if (payout.destination === 'Bank Account') {
    const isOther = isSameBank(code, payout.bankCode, payout.country) === false;
    return isOther ? `it went to bank ${shown}, ours goes to bank ${payout.bankCode}` : undefined;
  }
  const country = findCountry(payout.country);
  const operator = country && operatorFrom(code, country);
  const isOther = operator !== undefined && payout.operator !== '' && operator !== payout.operator;
  return isOther ? `it went by ${shown}, ours goes by ${payout.operator}` : undefined;
}
