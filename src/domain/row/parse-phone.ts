import { parsePhoneNumberFromString } from 'libphonenumber-js/mobile';
import type { RowRepairCode } from '../problems/row-problems.ts';
import { type Country, countries } from '../reference-data/countries.ts';
import { readableText } from '../text/readable-text.ts';
import { longestNumber, type MobileNumber, mobileNumber, plainNumber } from './mobile-number.ts';
import { type NumberPlan, numberPlan } from './number-plan.ts';
import { nationalDigits, type PhoneDigits, phoneNotation } from './phone-notation.ts';
import type { Cell } from './read-cell.ts';
import type { RowFindings } from './row-findings.ts';

/**
 * A mobile number of the row's country in E.164, whichever way it is written. The metadata is that of mobile
 * numbers alone: a landline, and a range nobody was given, are both "not a mobile number" to it.
 */
export function parsePhone(cell: Cell, country: Country, findings: RowFindings): string | undefined {
  if (cell.spoilt) return undefined;
  const plain = cell.text.startsWith('+') ? plainNumber(cell.text, country) : undefined;
  if (plain) return plain.number;
  const shown = readableText(cell.text);
  const plan = numberPlan(country);
  if (cell.text === '') {
    return findings.problem(
      'phone-missing',
      cell,
      `A mobile money payment needs a phone number. Fill in phoneNumber, such as ${plan.example}.`,
    );
  }
  const written = phoneNotation(cell.text, plan);
  if (written === 'unreadable') {
    return findings.problem('phone-unreadable', cell, unreadableMessage(cell.text, plan));
  }
  if (written === 'several') {
    return findings.problem(
      'phone-several',
      cell,
      `The cell ${shown} holds more than one phone number. Keep the one to be paid.`,
    );
  }
  const phone = mobileNumber(written.international ? `+${written.digits}` : written.digits, country);
  if (!phone) return mended(cell, written, country, findings) ?? refused(cell, written, country, findings);
  const lostZero = plan.zeroInFront && !written.international && written.digits === phone.nationalNumber;
  if (lostZero) sayMended('phone-leading-zero', cell, phone, findings);
  return phone.number;
}

/** People write the letter for the digit, or a word beside the number; often there is nothing but words. */
function unreadableMessage(text: string, plan: NumberPlan): string {
  const shown = readableText(text);
  const digits = text.replace(/[Oo]/g, '0');
  if (/^[\dOo+ ().-]+$/.test(text) && /[Oo]/.test(text) && /\d{3}/.test(text)) {
    return `Phone number ${shown} has the letter O in place of a zero. Write ${readableText(digits)}.`;
  }
  const [number, another] = text.match(/\+?\d(?:[ -]?\d){6,}/g) ?? [];
  if (number !== undefined && another === undefined && number.length < longestNumber) {
    return `Phone number ${shown} holds more than a number. Write ${number} alone.`;
  }
  return `The text "${shown}" is not a phone number. Write its digits only, such as ${plan.example}.`;
}

/** Damage that leaves one possible number. */
function mended(
  cell: Cell,
  written: PhoneDigits,
  country: Country,
  findings: RowFindings,
): string | undefined {
  const plan = numberPlan(country);
  const national = nationalDigits(written, plan) ?? '';
  const code = zeroDamage(national, plan);
  if (!code) return undefined;
  const repaired = code === 'phone-leading-zero' ? `0${national}` : national.slice(1);
  const phone = mobileNumber(`+${country.dialingCode}${repaired}`, country);
  if (phone) sayMended(code, cell, phone, findings);
  return phone?.number;
}

/**
 * Where every mobile number begins with a zero (Côte d'Ivoire), one that is a digit short and begins otherwise
 * lost just that zero. Where none does and none is dialled in front, a zero there is a habit from elsewhere.
 */
function zeroDamage(
  national: string,
  plan: NumberPlan,
): 'phone-leading-zero' | 'phone-extra-zero' | undefined {
  const begins = national.startsWith('0');
  if (plan.zeroBelongs)
    return national.length === plan.digits - 1 && !begins ? 'phone-leading-zero' : undefined;
  if (plan.zeroInFront) return undefined;
  return national.length === plan.digits + 1 && begins ? 'phone-extra-zero' : undefined;
}

function sayMended(code: RowRepairCode, cell: Cell, phone: MobileNumber, findings: RowFindings): void {
  const what = code === 'phone-leading-zero' ? 'has lost its leading zero' : 'has a leading zero too many';
  const message = `Phone number ${readableText(cell.text)} ${what}: read as ${phone.number}.`;
  findings.repair(code, cell, cell.text, phone.number, message);
}

function refused(cell: Cell, written: PhoneDigits, country: Country, findings: RowFindings): undefined {
  const shown = readableText(cell.text);
  const plan = numberPlan(country);
  const other = otherCountry(written, plan);
  if (other !== undefined) {
    return findings.problem(
      'phone-other-country',
      cell,
      `Phone number ${shown} is a number of ${nameOf(other)}, but the country of this row is ${country.name} (+${country.dialingCode}). Usually the phone number is wrong: correct it.${moveTo(other.country)}`,
    );
  }
  const national = nationalDigits(written, plan) ?? '';
  const length = plan.zeroInFront && national.startsWith('0') ? national.length - 1 : national.length;
  const needed = `${plan.digits} digits after +${country.dialingCode} are needed (for example ${plan.example})`;
  if (length !== plan.digits) {
    const isShort = length < plan.digits;
    const message = `Phone number ${shown} is too ${isShort ? 'short' : 'long'} for ${country.name}: ${needed}.`;
    return findings.problem(isShort ? 'phone-too-short' : 'phone-too-long', cell, message);
  }
  return findings.problem(
    'phone-not-mobile',
    cell,
    `Phone number ${shown} is not a mobile number of ${country.name}; mobile money needs one such as ${plan.example}. Check its first digits.`,
  );
}

/** Whose number it is, where it stands behind the code of another country, with a plus or long enough to tell. */
function otherCountry(written: PhoneDigits, plan: NumberPlan): OtherCountry | undefined {
  const { digits } = written;
  if (digits.length > longestNumber) return undefined;
  const foreign = nationalDigits(written, plan) === undefined;
  if (!foreign && (digits.length <= plan.digits + 1 || digits.startsWith(plan.dialingCode))) return undefined;
  const phone = parsePhoneNumberFromString(`+${digits}`, { extract: false });
  if (!foreign && !phone?.isValid()) return undefined;
  const dialingCode = phone?.countryCallingCode;
  return { country: countries.find((each) => each.dialingCode === dialingCode), dialingCode };
}

interface OtherCountry {
  /** Undefined where it is none that payrun knows. */
  readonly country: Country | undefined;
  readonly dialingCode: string | undefined;
}

function nameOf({ country, dialingCode }: OtherCountry): string {
  const name = country?.name ?? 'another country';
  return dialingCode === undefined ? name : `${name} (+${dialingCode})`;
}

/** The country alone is not enough: its currency and sometimes its branch code go with it. */
function moveTo(country: Country | undefined): string {
  if (!country) return '';
  const branch = country.branchCodeNeeded ? ' and fill in branchCode' : '';
  return ` If the person is in ${country.name}, set country to ${country.iso2}${branch ? ',' : ' and'} currency to ${country.currency}${branch}.`;
}
