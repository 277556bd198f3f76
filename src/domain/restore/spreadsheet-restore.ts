import { columnPlaces, type FileColumn } from '../file-columns.ts';
import type { Repair } from '../problems/problem.ts';
import { readableText } from '../text/readable-text.ts';
import { isDateDamage } from './date-damage.ts';
import { isNumberDamage } from './number-damage.ts';

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
}

export interface RestoredCells {
  readonly cells: readonly string[];
  readonly repairs: readonly Repair[];
  /** Restored, every cell is as it was journaled: no person has corrected anything in the row. */
  readonly unchanged: boolean;
}

/** A row of a results or retry file of ours, with the damage that a spreadsheet did to it undone. */
export function restoreCells(
  journaled: JournaledCells,
  read: {
    readonly line: number;
    readonly columns: readonly FileColumn[];
    readonly cells: readonly string[];
  },
): RestoredCells {
  const places = columnPlaces(read.columns, journaled.columns);
  const repairs: Repair[] = [];
  let unchanged = columnPlaces(journaled.columns, read.columns).every((place) => place >= 0);
  const cells = read.cells.map((cell, index) => {
    const was = journaled.cells[places[index] ?? -1] ?? '';
    const restored = restoreDamage(was, cell, journaled.sound);
    if ((restored ?? cell) !== was) unchanged = false;
    if (restored === undefined) return cell;
    repairs.push(spreadsheetRepair(read.line, read.columns[index]?.[0], cell, restored));
    return restored;
  });
  return { cells, repairs, unchanged };
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
