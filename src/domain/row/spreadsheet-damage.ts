import { type Field, nameFields } from '../row.ts';
import { cleanText } from '../text/clean-text.ts';
import { readableText } from '../text/readable-text.ts';
import { unmarkedText } from '../text/text-mark.ts';
import { type Cell, valueText } from './read-cell.ts';
import type { RowFindings } from './row-findings.ts';

/**
 * Names what spreadsheets and text tools did to a cell, mends what has one answer, and marks the cell as spoilt
 * where there is none. Called only for cells that count: #N/A in the phone column of a bank row harms nobody.
 */
export function mendCell(cell: Cell, findings: RowFindings): Cell {
  if (cell.text === '') return cell;
  const trouble = troubleOf(cell);
  if (trouble) {
    findings.problem(trouble.code, cell, trouble.message);
    return { ...cell, text: '', spoilt: true };
  }
  if (cell.hidden && !nameFields.some((field) => field === cell.field)) {
    const message = `Invisible characters were taken out of the cell: read as ${readableText(cell.text)}.`;
    findings.repair('hidden-characters', cell, cell.raw, cell.text, message);
  }
  if (!numberFields.has(cell.field)) return cell;
  const inner = withoutTextMark(cell, findings);
  // What the mark kept apart is a cell of its own, and may be damaged too.
  if (inner !== undefined) return mendCell({ ...cell, text: inner, hidden: false }, findings);
  return cell.field === 'amount' ? cell : mendDigits(cell, findings);
}

function mendDigits(cell: Cell, findings: RowFindings): Cell {
  if (!damagedDigits.test(cell.text)) return cell;
  const text = withoutGrouping(cell, withoutTrailingZero(cell, cell.text, findings), findings);
  if (isScientific(cell.field, text)) {
    findings.problem('scientific-notation', cell, scientificMessage(cell));
    return { ...cell, text: '', spoilt: true };
  }
  return text === cell.text ? cell : { ...cell, text };
}

/** A text that a spreadsheet makes of 12-3 or 3/12 when it takes them for a date. */
export function isDateLike(text: string): boolean {
  return text.length <= 20 && (monthWord.test(text) || numericDate.test(text));
}

/** The fields whose values a spreadsheet takes for numbers. */
const numberFields = new Set<Field>([
  'paymentId',
  'amount',
  'phoneNumber',
  'accountNumber',
  'bankCode',
  'branchCode',
]);

type Trouble = {
  readonly code: 'cell-too-long' | 'control-characters' | 'spreadsheet-error' | 'formula';
  readonly message: string;
};

function troubleOf(cell: Cell): Trouble | undefined {
  const { text } = cell;
  if (cell.tooLong) {
    return {
      code: 'cell-too-long',
      message: `This cell holds ${cell.raw.length} characters: a quote or a separator may be missing in this line. Put the right value in.`,
    };
  }
  if (cell.control) {
    return {
      code: 'control-characters',
      message: `The cell ${readableText(text)} holds control characters, which cannot be seen. Type the value again.`,
    };
  }
  if (!troubledBeginning.test(text)) return undefined;
  if (hashes.test(text)) {
    return {
      code: 'spreadsheet-error',
      message: `The cell shows ${readableText(text)}: the column was too narrow to show its value. Widen the column in the spreadsheet and save the file as CSV again.`,
    };
  }
  if (errorValue.test(text)) {
    return {
      code: 'spreadsheet-error',
      message: `The cell holds the spreadsheet error ${readableText(text)}. Correct the formula, or type the value, and save the file as CSV again.`,
    };
  }
  if (formula.test(text) && !(numberFields.has(cell.field) && unmarkedText(text) !== undefined)) {
    return {
      code: 'formula',
      message: `The cell holds the formula ${readableText(text)} and not its result. Copy the column, paste it as values, and save the file as CSV again.`,
    };
  }
  return undefined;
}

/** Of all three below: most cells begin otherwise. */
const troubledBeginning = /^[#=@E]/i;
/** Spreadsheets run `@SUM(A1)` as well; an @ alone may begin a name. */
const formula = /^(?:=|@[A-Z][A-Z0-9.]*\()/i;
const hashes = /^#{2,}$/;
/** As English, French and LibreOffice spreadsheets write them. */
const errorValue =
  /^(?:#(?:REF!|N\/A|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|VALEUR!|NOM\?|NOMBRE!|NUL!)|Err:\d{3})$/i;

function withoutTextMark(cell: Cell, findings: RowFindings): string | undefined {
  const marked = unmarkedText(cell.text);
  if (marked === undefined) return undefined;
  const inner = cleanText(marked).text;
  const message = `The cell ${readableText(cell.text)} is text marked as such: read as ${readableText(inner)}.`;
  findings.repair('text-mark', cell, cell.text, inner, message);
  return valueText(cell.field, inner);
}

/** What any of the four below finds has one of these behind a digit. */
const damagedDigits = /\d[.,eE]/;
const trailingZero = /^(\+?\d+)[.,]00?$/;

function withoutTrailingZero(cell: Cell, text: string, findings: RowFindings): string {
  const digits = trailingZero.exec(text)?.[1];
  if (digits === undefined) return text;
  findings.repair(
    'trailing-zero',
    cell,
    text,
    digits,
    `A spreadsheet added ${text.slice(digits.length)} to the number: read as ${readableText(digits)}.`,
  );
  return digits;
}

const groupedDigits = /^\d{1,3}(?:,\d{3})+$/;

/** An id or a code may well hold commas of its own; a phone or account number does not. */
function withoutGrouping(cell: Cell, text: string, findings: RowFindings): string {
  if (cell.field !== 'phoneNumber' && cell.field !== 'accountNumber') return text;
  if (!groupedDigits.test(text)) return text;
  const digits = text.replaceAll(',', '');
  findings.repair(
    'digit-grouping',
    cell,
    text,
    digits,
    `Thousands separators were taken out of ${readableText(text)}: read as ${digits}.`,
  );
  return digits;
}

/** Without a plus or a separator, 12E45678 may be somebody's account or id; in a phone number an E is never right. */
function isScientific(field: Field, text: string): boolean {
  return (field === 'phoneNumber' ? anyExponent : clearExponent).test(text);
}

const anyExponent = /^[+-]?\d(?:[.,]\d+)?[eE][+-]?\d{1,3}$/;
const clearExponent = /^[+-]?(?:\d[.,]\d+[eE][+-]?|\d[eE]\+)\d{1,3}$/;

function scientificMessage(cell: Cell): string {
  return `The spreadsheet wrote this number as ${readableText(cell.text)}: digits are lost. Format the column as text, enter the full number again, and save the file as CSV.`;
}

const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const monthWord = new RegExp(`^(?:\\d{1,4}[-/ ]${month}(?:[-/ ]\\d{1,4})?|${month}[-/ ]\\d{1,4})$`, 'i');
const numericDate =
  /^(?:\d{4}[-/](?:0?[1-9]|1[0-2])[-/]\d{1,2}|\d{1,2}[-/]\d{1,2}[-/](?:19|20)?\d{2})(?: 0?0:00(?::00)?)?$/;
