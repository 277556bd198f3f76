import { type Field, nameFields } from '../../domain/row.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import type { ProblemLog } from '../problem-log.ts';
import { columnReference } from './column-names.ts';
import { fieldLabels, fieldOfHeader } from './header-aliases.ts';

/** What is known of the fields. */
export interface KnownFields {
  /** It has a column, or several that wait for `--map`. */
  readonly decided: (field: Field) => boolean;
  /** It has a column or a default. */
  readonly given: (field: Field) => boolean;
  /** The `--map` that takes the column which might be it. */
  readonly suggested: ReadonlyMap<Field, string>;
  /** The columns that nothing was made of. */
  readonly free: ReadonlySet<number>;
  /** The one column that holds phone or account. */
  readonly both: number | undefined;
  readonly firstRows: readonly (readonly string[])[];
}

/** Says which columns are missing that every payout needs, once for the file and not once a row. */
export function requireColumns(
  header: readonly string[],
  line: number,
  known: KnownFields,
  flagDefaults: Readonly<Partial<Record<Field, string>>>,
  problems: ProblemLog,
): void {
  const missing = missingFields(header, known);
  // Only a column that is not yet used can be the missing one; where there are several, a person knows which.
  const free = [...known.free].filter((index) => (header[index] ?? '').trim() !== '');
  const [only] = free.length === 1 ? free : [];
  for (const { field, lack, fill } of missing) {
    const suggested = known.suggested.get(field);
    const mapOnly =
      only !== undefined && looksLike(field, only, known.firstRows)
        ? `--map "${columnReference(header, only)}=${field}"`
        : undefined;
    const hint =
      suggested === undefined
        ? `${fill === undefined ? addAdvice(field) : `Or ${lowered(addAdvice(field))}`} ${freeAdvice(header, free, mapOnly ?? `--map "COLUMN=${field}"`)}`
        : `Perhaps it has another name here: run again with ${suggested}. If not, ${lowered(addAdvice(field))}`;
    const remedy = fill ?? suggested ?? (missing.length === 1 ? mapOnly : undefined);
    problems.add('column-missing', { line, column: field, message: `${lack} ${hint}`, remedy });
  }
  for (const [field, value] of Object.entries(flagDefaults) as [Field, string][]) {
    if (!known.decided(field)) continue;
    problems.add('default-unused', {
      line,
      column: field,
      message: `--default ${field}=${readableText(value)} is not used: the file has a column for ${fieldLabels[field]}, and a default never fills empty cells.`,
      value,
    });
  }
}

interface MissingField {
  readonly field: Field;
  readonly lack: string;
  /** The default that would fill it, where one value may do for all rows. */
  readonly fill?: string;
}

function missingFields(header: readonly string[], { given, both }: KnownFields): MissingField[] {
  const missing: MissingField[] = [];
  const miss = (field: Field, lack: string) => missing.push({ field, lack });
  const mayFill = (field: Field, value: string, lack: string, more = '') => {
    const fill = `--default ${field}=${value}`;
    missing.push({ field, lack: `${lack}: ${fill}${more}.`, fill });
  };
  if (!given('amount')) miss('amount', 'No column is the amount.');
  const hasParts = given('firstName') || given('lastName');
  if (!given('accountName') && !hasParts) miss('accountName', "No column is the payee's name.");
  if (!given('accountName') && hasParts && !given('lastName')) {
    miss('lastName', 'There is a first name and no last name.');
  }
  if (!given('accountName') && hasParts && !given('firstName')) {
    miss('firstName', 'There is a last name and no first name.');
  }
  if (!given('country')) {
    mayFill('country', 'KE', 'No column is the country. If all rows are of one country', ' (or UG, NG …)');
  }
  if (!given('currency')) {
    const currency = currencyInHeader(header) ?? 'KES';
    mayFill('currency', currency, `No column is the currency. If all amounts are in ${currency}`);
  }
  if (!given('phoneNumber') && !given('accountNumber')) {
    miss('phoneNumber', 'No column is the phone number or the account number to pay to.');
  } else if (!given('phoneNumber') && !given('bankCode')) {
    const lack = 'There are account numbers and no column with the bank. If all are at one bank';
    mayFill('bankCode', '68', lack);
  }
  if (both !== undefined && !given('destination')) {
    const column = readableText(header[both] ?? '');
    const lack = `The column "${column}" holds phone numbers or account numbers, and no column says which.`;
    mayFill('destination', 'MoMo', `${lack} If all of them are phones`, ', or "Bank Account"');
  }
  return missing;
}

/** What the first rows of a column look like: a department is nobody's phone number. */
function looksLike(field: Field, index: number, firstRows: readonly (readonly string[])[]): boolean {
  const texts = firstRows.map((cells) => cells[index]?.trim() ?? '').filter((text) => text !== '');
  if (field === 'phoneNumber' || field === 'accountNumber')
    return texts.every((text) => (text.match(/\d/g) ?? []).length >= leastDigits);
  if (field === 'amount') return texts.every((text) => /\d/.test(text));
  return !nameFields.some((name) => name === field) || texts.every((text) => !/\d/.test(text));
}

const leastDigits = 6;

function currencyInHeader(header: readonly string[]): string | undefined {
  for (const text of header) {
    const currency = fieldOfHeader(text)?.currency;
    if (currency !== undefined) return currency;
  }
  return undefined;
}

function addAdvice(field: Field): string {
  const names = field === 'accountName' ? 'accountName, or firstName and lastName' : field;
  return `Add a column ${field === 'phoneNumber' ? 'phoneNumber, or accountNumber and bankCode' : names}.`;
}

function freeAdvice(header: readonly string[], indexes: readonly number[], command: string): string {
  if (indexes.length === 0) return 'All columns that are there are in use.';
  const names = indexes
    .slice(0, namesShown)
    .map((index) => `"${readableText((header[index] ?? '').trim())}"`);
  const more = indexes.length > namesShown ? ` and ${indexes.length - namesShown} more` : '';
  const which = indexes.length === 1 ? 'If the column' : 'Or, if one of the columns';
  return `${which} ${names.join(', ')}${more} holds it, run again and say so, as in ${command}.`;
}

const namesShown = 40;

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
