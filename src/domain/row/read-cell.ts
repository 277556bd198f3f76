import { type Field, fields, type RawRow } from '../row.ts';
import { type CleanText, cleanText } from '../text/clean-text.ts';

/** One cell, cleaned but not yet judged. */
export interface Cell extends CleanText {
  readonly field: Field;
  /** As it came. */
  readonly raw: string;
  /** Cleaned; empty where the cell is blank or holds only a sign for nothing. */
  readonly text: string;
  /** The file has no such column. */
  readonly absent: boolean;
  /** Something was found in it that leaves no value to read; it was said, and nothing more need be said of it. */
  readonly spoilt: boolean;
  readonly tooLong: boolean;
}

/** No field of ours is near this; a longer cell is not worth reading. */
const longestCell = 1000;
/** Row after row has the same country and the same currency. */
const lastCells = new Map<Field, Cell>();

export function readCell(row: RawRow, field: Field): Cell {
  const raw = row.values[field];
  if (raw === undefined) return absentCells[field];
  const last = lastCells.get(field);
  if (last?.raw === raw) return last;
  const kept = raw.length > longestCell ? raw.trim() : raw;
  const tooLong = kept.length > longestCell;
  const { text: cleaned, hidden, control } = cleanText(tooLong ? beginningOf(kept) : kept);
  const text = shownText(field, cleaned, tooLong);
  const cell = { field, raw, text, absent: false, spoilt: false, hidden, control, tooLong };
  lastCells.set(field, cell);
  return cell;
}

/** Not with half a character at its end, which would look like damage of the file's. */
function beginningOf(text: string): string {
  return text.slice(0, longestCell).replace(/[\ud800-\udbff]$/, '');
}

/** A cell too long to be read is never taken for an empty one, even where all that was read of it is invisible. */
function shownText(field: Field, text: string, tooLong: boolean): string {
  if (tooLong) return text === '' ? '…' : text;
  return valueText(field, text);
}

/** Most columns are absent from most files: one cell serves all their rows. */
const absentCells = Object.fromEntries(
  fields.map((field): [Field, Cell] => [
    field,
    { field, raw: '', text: '', absent: true, spoilt: false, hidden: false, control: false, tooLong: false },
  ]),
) as Record<Field, Cell>;

/** People fill the cells that do not apply with a dash or N/A; such a cell is empty, whatever it shows. */
export function valueText(field: Field, text: string): string {
  return saysNothing(field, text) ? '' : text;
}

function saysNothing(field: Field, text: string): boolean {
  if (text.length > 4 || field === 'amount') return false;
  if (signsForNothing.has(text)) return true;
  return !wordFields.has(field) && wordsForNothing.has(text.toLowerCase());
}

const signsForNothing = new Set(['-', '--', '---', '–', '—', '.', '/']);
const wordsForNothing = new Set(['n/a', 'na', 'nil', 'none', 'null']);
/** NA is a country's code, and Null and Nil are people's names. */
const wordFields = new Set<Field>(['country', 'debitCountry', 'firstName', 'lastName']);
