import { currenciesOfMark } from '../../domain/row/currency-marks.ts';
import { type Field, fields } from '../../domain/row.ts';
import { nearestText } from '../../domain/text/nearest-text.ts';
import { wordList } from '../../domain/text/word-list.ts';

export interface KnownHeader {
  readonly field: Field;
  /** The currency that `Amount (KES)` names. Never taken as the row's currency, only suggested as a default. */
  readonly currency?: string;
}

/** No name of a column is longer; what is, is text that stands where names should. */
const longestHeader = 200;

/** The field that a column of this name is, or undefined where we do not know or must not guess. */
export function fieldOfHeader(header: string): KnownHeader | undefined {
  if (header.trim().length > longestHeader) return undefined;
  const field = fieldByKey.get(headerKey(header));
  if (field) return { field };
  return fieldOfAnnotatedHeader(header) ?? amountOfCurrencyHeader(header);
}

/** The currencies that the header of the amount column can mean: a row of another one contradicts it. */
export function currenciesOfAmountHeader(header: string): readonly string[] {
  if (header.trim().length > longestHeader) return [];
  const note = bracketed(header)?.note ?? '';
  const words = wordsOf(header);
  const marks = [note, words.at(-1) ?? '', words[0] ?? ''];
  return marks.map(currenciesNamed).find((meant) => meant.length > 0) ?? [];
}

/** Headers are compared without case, blanks, `_`, `-`, `.` and a star for "required"; `No` and `Number` are one. */
export function headerKey(header: string): string {
  return lettersOf(header)
    .replace(/(?:number|num|nbr|#)$/, 'no')
    .replace(/names$/, 'name');
}

/** Columns that are often something else than they look: offered, never taken. */
export function offeredFieldOf(header: string): Field | undefined {
  return offered.get(headerKey(header));
}

/** What a misspelt header, or a known one with words of somebody's own behind it, was probably meant to be. */
export function suggestedFieldOf(header: string): Field | undefined {
  if (header.trim().length > longestHeader) return undefined;
  const annotated = fieldByKey.get(headerKey(bracketed(header)?.name ?? header));
  if (annotated) return annotated;
  const letters = lettersOf(header);
  if (letters.length < 4) return undefined;
  // "Tax amount" is no misspelling of "amount": a slip leaves the first letter and most of the length.
  const near = nearestText(
    letters,
    spellings.filter((each) => each[0] === letters[0] && Math.abs(each.length - letters.length) <= 2),
  );
  return near === undefined ? undefined : fieldByKey.get(headerKey(near));
}

/** How a person calls the field. */
export const fieldLabels: Readonly<Record<Field, string>> = {
  paymentId: 'the payment id',
  accountName: "the payee's name",
  firstName: 'the first name',
  lastName: 'the last name',
  country: 'the country',
  currency: 'the currency',
  amount: 'the amount',
  destination: 'the destination (MoMo or Bank Account)',
  phoneNumber: 'the phone number',
  operator: 'the mobile money operator',
  accountNumber: 'the account number',
  bankCode: 'the bank code',
  branchCode: 'the branch code',
  debitCurrency: 'the debit currency',
  debitCountry: 'the debit country',
  narration: 'the narration',
};

/** What payroll systems, banks and payment services call the fields. Compared as `headerKey` compares. */
export const headerAliases: Readonly<Partial<Record<Field, readonly string[]>>> = {
  paymentId: wordList(`
    employee id, employee no, staff no, payslip no, request id, reference id, customer reference,
    beneficiary id, invoice no
  `),
  accountName: wordList(`
    name, full name, recipient name, beneficiary name, payee name, employee name, counterparty name
  `),
  lastName: ['surname'],
  phoneNumber: wordList(`
    phone, msisdn, mobile, mobile number, recipient phone, tel, telephone, tel no, telephone no, cell,
    cellphone, cell no, m-pesa, m-pesa no, mobile money, mobile money no, momo no
  `),
  accountNumber: wordList(`
    account, acct no, a/c, a/c no, ac no, iban, payee identifier, counterparty account number
  `),
  bankCode: wordList('bank, account bank, institution, sort code, swift, ifsc'),
  operator: wordList('telco, network, momo operator, provider, correspondent'),
  amount: wordList(`
    net pay, net salary, net amount, net payable, take-home, take-home pay, payout amount, credit amount
  `),
  currency: wordList('currency code, target currency'),
  destination: wordList('method, payment mode, payment method, channel, type'),
  narration: wordList('note, description, reason, comment, purpose, remarks'),
};

const plain = /^[\x20-\x7e]*$/;
const plainBetween = /[ _\-.*:"']+/g;
const between = /[\p{Cf}\s_\-.*:"'’]+/gu;

const fieldByKey = new Map<string, Field>();
const spellings: string[] = [];
for (const field of fields) {
  for (const name of [field, ...(headerAliases[field] ?? [])]) {
    fieldByKey.set(headerKey(name), field);
    spellings.push(lettersOf(name));
  }
}

/**
 * The first is often a row number, the second the same text on every line, the third our own; a country code is as
 * often a dialing code, an employee as often a number, and a salary as often the one before tax.
 */
const offered = new Map<string, Field>([
  ['id', 'paymentId'],
  ['reference', 'paymentId'],
  ['externalreference', 'paymentId'],
  ['countrycode', 'country'],
  ['employee', 'accountName'],
  ['staff', 'accountName'],
  ['payee', 'accountName'],
  ['beneficiary', 'accountName'],
  ['recipient', 'accountName'],
  ['salary', 'amount'],
  ['pay', 'amount'],
]);

function lettersOf(header: string): string {
  // Most headers are plain, and what looks for signs of all the world takes milliseconds to be made ready.
  if (plain.test(header)) return header.toLowerCase().replace(plainBetween, '');
  return header.normalize('NFKC').toLowerCase().replace(between, '');
}

/** `Amount (KES) *`: the name, and what stands in brackets at its end. */
function bracketed(header: string): { readonly name: string; readonly note: string } | undefined {
  const starred = header.trimEnd();
  const text = starred.endsWith('*') ? starred.slice(0, -1).trimEnd() : starred;
  if (!closing.has(text.at(-1) ?? '')) return undefined;
  const open = Math.max(...['(', '[', '{'].map((sign) => text.lastIndexOf(sign)));
  const note = text.slice(open + 1, -1);
  if (open < 0 || Array.from(closing).some((sign) => note.includes(sign))) return undefined;
  return { name: text.slice(0, open), note };
}

const closing = new Set([')', ']', '}']);
/** Words in brackets that say nothing about what the column is. `Phone (next of kin)` is another column. */
const harmlessNote = /^\s*(?:required|mandatory|optional|compulsory|text|as text|numeric|digits only)\s*$/i;

function fieldOfAnnotatedHeader(header: string): KnownHeader | undefined {
  const { name, note } = bracketed(header) ?? { name: '', note: '' };
  const field = fieldByKey.get(headerKey(name));
  if (!field) return undefined;
  if (harmlessNote.test(note)) return { field };
  return field === 'amount' ? amountIn(note) : undefined;
}

/** `Amount KES`, `Net Pay in Ksh`, `KES Amount`. */
function amountOfCurrencyHeader(header: string): KnownHeader | undefined {
  const words = wordsOf(header);
  const isAmount = (name: readonly string[]) => fieldByKey.get(headerKey(name.join(' '))) === 'amount';
  const before = words.slice(0, -1);
  if (isAmount(before.at(-1)?.toLowerCase() === 'in' ? before.slice(0, -1) : before))
    return amountIn(words.at(-1) ?? '');
  return isAmount(words.slice(1)) ? amountIn(words[0] ?? '') : undefined;
}

function wordsOf(header: string): string[] {
  return header.trim().split(/[\s_\-,/]+/);
}

function amountIn(mark: string): KnownHeader | undefined {
  const meant = currenciesNamed(mark);
  const [only] = meant;
  if (only === undefined) return undefined;
  return meant.length === 1 ? { field: 'amount', currency: only } : { field: 'amount' };
}

/** A single letter behind "Amount" may as well mean thousands. */
function currenciesNamed(mark: string): readonly string[] {
  const name = mark.replace(/^\s*in\s+/i, '').trim();
  return /^[a-z]$/i.test(name) ? [] : currenciesOfMark(name);
}
