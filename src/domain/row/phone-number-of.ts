import type { Country } from '../reference-data/countries.ts';
import { parsePhone } from './parse-phone.ts';
import { readCell } from './read-cell.ts';
import { RowFindings } from './row-findings.ts';
import { mendCell } from './spreadsheet-damage.ts';

/** The number that a cell gives in a country, in E.164, however it is written; undefined where it gives none. */
export function phoneNumberOf(text: string, country: Country): string | undefined {
  const unheard = new RowFindings(0, {});
  const cell = readCell({ line: 0, cells: [text], values: { phoneNumber: text }, payrun: {} }, 'phoneNumber');
  return parsePhone(mendCell(cell, unheard), country, unheard);
}
