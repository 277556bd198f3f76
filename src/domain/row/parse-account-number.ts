import type { Country } from '../reference-data/countries.ts';
import { readableText } from '../text/readable-text.ts';
import { nubanFits } from './check-digits.ts';
import type { Cell } from './read-cell.ts';
import type { RowFindings } from './row-findings.ts';
import { isDateLike } from './spreadsheet-damage.ts';

const shortest = 4;
const longest = 34;

/** Letters and digits, in one form. Lengths vary by bank and only warn; Nigeria's alone are fixed by rule. */
export function parseAccountNumber(
  cell: Cell,
  country: Country,
  bankCode: string | undefined,
  findings: RowFindings,
): string | undefined {
  if (cell.spoilt) return undefined;
  const shown = readableText(cell.text);
  if (cell.text === '') {
    return findings.problem(
      'account-number-missing',
      cell,
      'A payment to a bank account needs the account number. Fill in accountNumber.',
    );
  }
  if (isDateLike(cell.text)) {
    return findings.problem(
      'account-number-date',
      cell,
      `The account number ${shown} looks like a date that the spreadsheet made of it. Format the column as text and enter the account number again, without dashes.`,
    );
  }
  const accountNumber = cell.text.toUpperCase().replace(/[ \-‐-―−]/gu, '');
  if (!/^[A-Z0-9]*$/.test(accountNumber) || /^0*$/.test(accountNumber)) {
    return findings.problem(
      'account-number-unreadable',
      cell,
      `The account number ${shown} cannot be one. Write its letters and digits only.`,
    );
  }
  if (accountNumber.length < shortest || accountNumber.length > longest) {
    return findings.problem(
      'account-number-length',
      cell,
      `The account number ${shown} has ${accountNumber.length} characters; account numbers in ${country.name} usually have ${usualLength(country)}. Check it, and enter the full number.`,
    );
  }
  if (country.iso2 === 'NG') return parseNuban(cell, accountNumber, bankCode, findings);
  warnOfLength(cell, accountNumber, country, findings);
  return accountNumber;
}

function parseNuban(
  cell: Cell,
  accountNumber: string,
  bankCode: string | undefined,
  findings: RowFindings,
): string | undefined {
  // Wallets and microfinance banks, with their longer codes, give out numbers that keep no check digit.
  const checkedBy = bankCode !== undefined && /^\d{3}$/.test(bankCode) ? bankCode : undefined;
  if (/^\d{10}$/.test(accountNumber)) {
    if (checkedBy !== undefined && !nubanFits(checkedBy, accountNumber)) {
      findings.problem(
        'nuban-check-digit',
        cell,
        `The check digit of account number ${accountNumber} does not fit bank ${checkedBy}. Check the account number and the bank.`,
      );
    }
    return accountNumber;
  }
  const padded = `0${accountNumber}`;
  if (checkedBy !== undefined && /^\d{9}$/.test(accountNumber) && nubanFits(checkedBy, padded)) {
    const message = `Account number ${accountNumber} has lost its leading zero: read as ${padded}, whose check digit fits bank ${checkedBy}.`;
    findings.repair('account-leading-zero', cell, cell.text, padded, message);
    return padded;
  }
  return findings.problem(
    'nuban-length',
    cell,
    `The account number ${readableText(cell.text)} has ${accountNumber.length} characters; account numbers in Nigeria have exactly 10 digits. Perhaps the spreadsheet dropped leading zeros: enter the full number.`,
  );
}

function warnOfLength(cell: Cell, accountNumber: string, country: Country, findings: RowFindings): void {
  const { min, max } = country.accountDigits;
  if (accountNumber.length < min || accountNumber.length > max) {
    findings.problem(
      'account-number-odd-length',
      cell,
      `The account number ${accountNumber} has ${accountNumber.length} characters; account numbers in ${country.name} usually have ${usualLength(country)}. Check that no leading zero or digit is missing.`,
    );
  }
  // A spreadsheet keeps fifteen digits of a number and writes zeros for the rest.
  if (/^\d{15}0+$/.test(accountNumber)) {
    findings.problem(
      'account-number-rounded',
      cell,
      `The account number ${accountNumber} ends in zeros after its 15th digit, as when a spreadsheet rounds it. Check the last digits.`,
    );
  }
}

function usualLength({ accountDigits: { min, max } }: Country): string {
  return min === max ? `${min}` : `${min} to ${max}`;
}
