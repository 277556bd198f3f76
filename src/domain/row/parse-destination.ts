import type { Country } from '../reference-data/countries.ts';
import { isOperatorWord } from '../reference-data/operator-words.ts';
import type { Payee } from '../row.ts';
import { foldText } from '../text/fold-text.ts';
import { readableText } from '../text/readable-text.ts';
import { wordList } from '../text/word-list.ts';
import type { Cell } from './read-cell.ts';
import type { RowFindings } from './row-findings.ts';

export type Destination = Payee['destination'];

/** What the row is paid to: what its destination says, else the one number that is filled. */
export function parseDestination(
  cell: Cell,
  phoneNumber: Cell,
  accountNumber: Cell,
  country: Country | undefined,
  findings: RowFindings,
): Destination | undefined {
  if (cell.spoilt) return undefined;
  if (cell.text === '') return destinationByNumber(cell, phoneNumber, accountNumber, findings);
  const destination = destinationFrom(cell.text);
  if (!destination) {
    return findings.problem(
      'destination-unknown',
      cell,
      `The destination ${readableText(cell.text)} is not known. Write MoMo for mobile money (also: mobile, wallet, M-PESA) or Bank Account (also: bank, EFT, RTGS).`,
    );
  }
  const [wanted, other] =
    destination === 'MoMo' ? [phoneNumber, accountNumber] : [accountNumber, phoneNumber];
  if (wanted.text === '' && other.text !== '') {
    const [needed, filled, otherwise] =
      destination === 'MoMo'
        ? ['phoneNumber', 'an account', 'Bank Account']
        : ['accountNumber and bankCode', 'a phone', 'MoMo'];
    const unavailable = destination === 'MoMo' && country?.operators.length === 0;
    return findings.problem(
      unavailable ? 'momo-not-available' : 'destination-conflict',
      cell,
      unavailable
        ? noMobileMoney(country, cell)
        : `The destination is ${readableText(cell.text)}, but only ${filled} number is filled in. Fill in ${needed}, or change destination to ${otherwise}.`,
    );
  }
  return destination;
}

export function noMobileMoney(country: Country, destination: Cell): string {
  const change =
    destination.text === ''
      ? ''
      : ` change destination from ${readableText(destination.text)} to Bank Account, and`;
  return `Mobile money cannot be paid in ${country.name}. Pay to a bank account:${change} fill in accountNumber and bankCode.`;
}

function destinationByNumber(
  cell: Cell,
  phoneNumber: Cell,
  accountNumber: Cell,
  findings: RowFindings,
): Destination | undefined {
  if (phoneNumber.text !== '' && phoneNumber.raw === accountNumber.raw) {
    return findings.problem(
      'destination-unclear',
      cell,
      'The number may be a phone or an account, and the destination does not say which. Write MoMo or Bank Account.',
    );
  }
  if (phoneNumber.text !== '' && accountNumber.text !== '') {
    return findings.problem(
      'destination-unclear',
      cell,
      'Both a phone number and an account number are filled in. Write MoMo or Bank Account in a destination column, or empty one of the two.',
    );
  }
  if (phoneNumber.text !== '') return 'MoMo';
  if (accountNumber.text !== '') return 'Bank Account';
  const column = !phoneNumber.absent || accountNumber.absent ? phoneNumber : accountNumber;
  return findings.problem(
    'destination-missing',
    column,
    'This row has neither a phone number nor an account number. Fill in phoneNumber for mobile money, or accountNumber and bankCode for a bank.',
  );
}

/** What a word for a destination means, if it means one. */
export function destinationFrom(text: string): Destination | undefined {
  const word = foldText(text);
  if (mobileWords.has(word)) return 'MoMo';
  if (bankWords.has(word)) return 'Bank Account';
  return isOperatorWord(text) ? 'MoMo' : undefined;
}

const mobileWords = foldedSet(`
  MoMo, Mobile, Mobile Money, Mobile Money Transfer, Mobile Wallet, Mobile Number, Mobile Phone, Wallet,
  E-Wallet, Phone, Phone Number, Telephone, Cell, Cell Phone, MMO, MNO, MM
`);

const bankWords = foldedSet(`
  Bank, Bank Account, Bank Transfer, Bank Deposit, Bank Payment, Bank Credit, To Bank, Account,
  Account Transfer, Direct Deposit, Direct Credit, Electronic Funds Transfer, EFT, RTGS, ACH, Wire,
  Wire Transfer, SWIFT, PesaLink, TISS, NIP, NIBSS, NEFT, GIP
`);

function foldedSet(words: string): ReadonlySet<string> {
  return new Set(wordList(words).map(foldText));
}
