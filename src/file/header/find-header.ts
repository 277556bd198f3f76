import { payrunColumns } from '../../domain/row.ts';
import type { ColumnChoice } from './column-choice.ts';
import { fieldOfHeader, headerKey, suggestedFieldOf } from './header-aliases.ts';

/** How many lines that are not blank are looked at; titles above the table are rarely more than ten. */
export const headerSearchLines = 30;

/**
 * Which of the first lines has the column names: the first that could stand for a table of payments; and where none
 * does, the one with the most names that we know, so that what is missing can be said. `Currency,KES` above a table is
 * a title. Of two tables in one file the first counts: taking the header of the second would pass over rows.
 */
export function findHeader(
  lines: readonly (readonly string[])[],
  choices: readonly ColumnChoice[],
): number | undefined {
  const chosen = chosenNames(choices);
  const whole = lines.findIndex((cells) => isWholeHeader(cells, chosen));
  if (whole >= 0) return whole;
  const best = bestLine(lines, (cells) => knownNames(cells, chosen).size);
  if (best.score >= 2) return best.index;
  if (best.score === 1 && isRowOfNames(lines[best.index] ?? [])) return best.index;
  const nearest = bestLine(lines, misspeltNames);
  return nearest.score >= 2 ? nearest.index : undefined;
}

/** What a person said about columns, by the names under which they are looked for. */
export function chosenNames(choices: readonly ColumnChoice[]): ReadonlyMap<string, string> {
  return new Map(choices.map(({ header, field }) => [headerKey(header), field]));
}

/** The different things of ours that the cells name. */
export function knownNames(
  cells: readonly string[],
  chosen: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const known = new Set<string>();
  for (const cell of cells.slice(0, widestCompared)) {
    const text = cell.trim();
    if (text === '' || text.length > longestHeader) continue;
    const name = payrunNames.has(text) ? text : (chosen.get(headerKey(text)) ?? fieldOfHeader(text)?.field);
    if (name !== undefined) known.add(name);
  }
  return known;
}

/** No file can be paid from without an amount and somebody to pay; a number among the names makes it a title or a row. */
export function isWholeHeader(cells: readonly string[], chosen: ReadonlyMap<string, string>): boolean {
  const known = knownNames(cells, chosen);
  return (
    known.size >= 3 && known.has('amount') && !cells.some((cell) => /^[+-]?\d[\d\s.,]*$/.test(cell.trim()))
  );
}

const payrunNames = new Set<string>(payrunColumns);
const longestHeader = 100;
/** A line of a million cells must not cost a million comparisons. */
const widestCompared = 1000;
const widestMisspelt = 100;

function bestLine(
  lines: readonly (readonly string[])[],
  scoreOf: (cells: readonly string[]) => number,
): { readonly index: number; readonly score: number } {
  let index = -1;
  let score = 0;
  for (const [each, cells] of lines.entries()) {
    const scoreHere = scoreOf(cells);
    if (scoreHere > score) {
      index = each;
      score = scoreHere;
    }
  }
  return { index, score };
}

function isRowOfNames(cells: readonly string[]): boolean {
  const texts = cells.filter((cell) => cell.trim() !== '');
  return texts.length >= 2 && texts.every((text) => !/\d/.test(text) && !text.trim().endsWith(':'));
}

function misspeltNames(cells: readonly string[]): number {
  const meant = new Set<string>();
  for (const cell of cells.slice(0, widestMisspelt)) {
    const text = cell.trim();
    if (text.length > longestHeader || /\d/.test(text)) continue;
    const field = fieldOfHeader(text)?.field ?? suggestedFieldOf(text);
    if (field) meant.add(field);
  }
  return meant.size;
}
