import { columnPlaces, type FileColumn } from '../file-columns.ts';
import type { Problem, Repair } from '../problems/problem.ts';
import { batchProblem } from '../problems/problem-kinds.ts';
import { findCountry } from '../reference-data/countries.ts';
import { phoneNumberOf } from '../row/phone-number-of.ts';
import type { Field } from '../row.ts';
import { readableText } from '../text/readable-text.ts';
import { unmarkedText } from '../text/text-mark.ts';
import { isDateDamage } from './date-damage.ts';
import { exponent, isNumberDamage } from './number-damage.ts';

/**
 * The journaled cell, where the cell read back shows exactly what a spreadsheet makes of it; undefined where the cell is
 * unchanged, or changed in a way that only a person could have meant. In a row that was not sound, a number merely
 * written otherwise may be the very correction that was asked for, and stays.
 */
export function restoreDamage(journaled: string, read: string, sound = true): string | undefined {
  if (read === journaled || read === '' || journaled.length > longestCell) return undefined;
  const was = journaled.trim();
  const now = read.trim();
  const isDamage =
    isNumberDamage(was, now, sound) ||
    isDateDamage(was, now) ||
    isLogicalDamage(was, now) ||
    isLetterDamage(journaled, read);
  return isDamage ? journaled : undefined;
}

/** A row as the journal has it. */
export interface JournaledCells {
  readonly columns: readonly FileColumn[];
  readonly cells: readonly string[];
  /** False where the row was invalid: then some cell of it is wrong, and we do not know which. */
  readonly sound: boolean;
  /** Its payout came to nothing, perhaps because of whom it went to: a person is to look at just these cells. */
  readonly payeeInDoubt: boolean;
  /** It was sent: whatever these cells say now, it goes to nobody else. */
  readonly outOfReach: boolean;
  /** Of whom it pays, with two letters; empty where that is not known. */
  readonly country: string;
}

export interface RestoredCells {
  readonly cells: readonly string[];
  readonly repairs: readonly Repair[];
  /** Payee cells that a spreadsheet or a person may have changed: a person says which value is right. */
  readonly questions: readonly Problem[];
  /** Restored, every cell is as it was journaled: no person has corrected anything in the row. */
  readonly unchanged: boolean;
}

/**
 * A row of a results or retry file of ours, with the damage that a spreadsheet did to it undone. Whom it pays is put
 * back only in a row that nobody has touched and nobody was to touch, and only where its payout was sent or all of the
 * column is damaged: a number typed without its zero looks just the same, and undoing that would pay the old account.
 */
export function restoreCells(
  journaled: JournaledCells,
  read: ReadCells,
  isWholeColumn: (index: number) => boolean,
): RestoredCells {
  const compared = comparedCells(journaled, read);
  const places = columnPlaces(journaled.columns, read.columns);
  const lacking = journaled.columns.filter((_, index) => (places[index] ?? -1) < 0);
  const touched =
    lacking.some(([, field]) => field !== '') || compared.some(({ value, was }) => value !== was);
  const asked = journaled.payeeInDoubt || !journaled.sound || touched;
  const payeeTouched =
    lacking.some(isPayeeColumn) ||
    compared.some(({ column, value, was }) => value !== was && isPayeeColumn(column));
  const repairs: Repair[] = [];
  const questions: Problem[] = [];
  const cells = compared.map(({ column, now, was, value, damaged, marked }, index) => {
    const name = column?.[0];
    const isAsked = asked || !(journaled.outOfReach || isWholeColumn(index));
    const isSame = () => !payeeTouched && isPhone(column) && isSamePhone(was, now, journaled.country);
    if (damaged && isAsked && isPayeeColumn(column) && !isSame()) {
      questions.push(payeeQuestion(read.line, name, was, now));
      return now;
    }
    if (damaged) repairs.push(spreadsheetRepair(read.line, name, now, value));
    if (marked) repairs.push(markRepair(read.line, name, now, value));
    return value;
  });
  return { cells, repairs, questions, unchanged: !touched && lacking.length === 0 && questions.length === 0 };
}

function isPhone(column: FileColumn | undefined): boolean {
  return column?.[1] === 'phoneNumber';
}

/** Without its zero or its plus it is the same number, or still none: there is nothing to ask about whom it pays. */
function isSamePhone(was: string, now: string, iso2: string): boolean {
  const country = findCountry(iso2);
  return country !== undefined && phoneNumberOf(was, country) === phoneNumberOf(now, country);
}

export interface ReadCells {
  readonly line: number;
  readonly columns: readonly FileColumn[];
  readonly cells: readonly string[];
}

export interface ComparedCell {
  readonly column: FileColumn | undefined;
  readonly now: string;
  readonly was: string;
  /** What it is without a mark of text, or restored. */
  readonly value: string;
  readonly damaged: boolean;
  readonly marked: boolean;
}

export function comparedCells(journaled: JournaledCells, read: ReadCells): ComparedCell[] {
  const places = columnPlaces(read.columns, journaled.columns);
  return read.cells.map((now, index) => {
    const column = read.columns[index];
    const was = journaled.cells[places[index] ?? -1] ?? '';
    // Marked as text no spreadsheet has changed it: it is what a person says.
    const said = now !== was && isPayeeColumn(column) ? unmarkedText(now.trim()) : undefined;
    if (said !== undefined) return { column, now, was, value: said.trim(), damaged: false, marked: true };
    const restored = restoreDamage(was, now, journaled.sound);
    return { column, now, was, value: restored ?? now, damaged: restored !== undefined, marked: false };
  });
}

export function isPayeeColumn(column: FileColumn | undefined): boolean {
  return column !== undefined && payeeFields.has(column[1]);
}

/** What says where the money goes. */
export const payeeFields: ReadonlySet<FileColumn[1]> = new Set<Field>([
  'country',
  'destination',
  'phoneNumber',
  'operator',
  'accountNumber',
  'bankCode',
  'branchCode',
]);

/** In a spreadsheet a value between quotation marks stays as it was typed: so both answers can be told apart. */
function payeeQuestion(line: number, column: string | undefined, was: string, now: string): Problem {
  const old = readableText(was.trim());
  const fresh = readableText(now.trim());
  const isShort = exponent.test(now);
  const answer = isShort
    ? `"${old}" if it is to stay, or the new value with all its digits`
    : `"${old}" if it is to stay, "${fresh}" if it was corrected`;
  const message = `${column ?? 'The cell'} was ${old} and is now ${fresh}. A spreadsheet changes it in this way, and so may somebody who corrects it; payrun does not guess who is paid. Write the right value between quotation marks: ${answer}.`;
  return batchProblem('payee-cell-in-doubt', { line, message, value: now, ...(column ? { column } : {}) });
}

function markRepair(line: number, column: string | undefined, read: string, said: string): Repair {
  const from = readableText(read);
  const to = readableText(said);
  const message = `The cell ${from} is text marked as such: read as ${to}.`;
  return { line, column, code: 'text-mark', message, from, to };
}

export function spreadsheetRepair(
  line: number,
  column: string | undefined,
  read: string,
  restored: string,
): Repair {
  const from = readableText(read);
  const to = readableText(restored);
  const message = `A spreadsheet had made ${from} of ${to}: restored.`;
  return { line, column, code: 'spreadsheet-restored', message, from, to };
}

/** Nothing that a spreadsheet takes for a number, a date or a name is longer. */
const longestCell = 1000;

function isLogicalDamage(was: string, now: string): boolean {
  return /^(?:true|false)$/i.test(was) && now === was.toUpperCase();
}

/** Line breaks rewritten, and letters lost that the code page of the machine does not have. */
function isLetterDamage(journaled: string, read: string): boolean {
  const was = withPlainBreaks(journaled);
  const now = withPlainBreaks(read);
  return now === was || now === inCodePage(was, questionMarks) || now === inCodePage(was, bareLetter);
}

function withPlainBreaks(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** As a spreadsheet saves text that is not UTF-8: the letters that Windows-1252 lacks give way. */
function inCodePage(text: string, instead: (letter: string) => string): string {
  return text.replace(/[^\p{ASCII}\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/gu, instead);
}

/** One for each half of a letter that takes two. */
function questionMarks(letter: string): string {
  return '?'.repeat(letter.length);
}

function bareLetter(letter: string): string {
  const [bare = ''] = letter.normalize('NFD');
  return /^[A-Za-z]$/.test(bare) ? bare : questionMarks(letter);
}
