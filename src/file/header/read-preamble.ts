import { countryFrom } from '../../domain/row/parse-country.ts';
import { currenciesFrom } from '../../domain/row/parse-currency.ts';
import { grouped } from '../../domain/text/grouped.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import type { ProblemLog } from '../problem-log.ts';
import { delimiterIn, isSeparatorLine } from '../rows/detect-delimiter.ts';
import type { FileRecord } from '../rows/records.ts';
import type { SkippedLines } from '../rows/skipped-lines.ts';
import type { ColumnChoice } from './column-choice.ts';
import { findHeader, headerSearchLines, knownNames } from './find-header.ts';

const maxColumns = 1000;

/** The line of column names, the records behind it that were read in search of it, and those that came with them. */
export interface Preamble {
  readonly header: FileRecord | undefined;
  readonly below: readonly FileRecord[];
  readonly further: readonly FileRecord[];
}

/** Finds the line of column names among the first lines, and names the lines above it. */
export async function readPreamble(
  records: AsyncIterator<readonly FileRecord[]>,
  choices: readonly ColumnChoice[],
  skipped: SkippedLines,
  problems: ProblemLog,
): Promise<Preamble> {
  const { lines, further } = await takeLines(records);
  const index = findHeader(
    lines.map(({ line, cells }) => (isSeparatorLine(line, cells) ? [] : cells)),
    choices,
  );
  const header = lines[index ?? -1];
  if (header === undefined) {
    if (!problems.hasBlocking) reportMissing(lines, problems);
    return { header: undefined, below: [], further };
  }
  for (const { line, cells } of lines.slice(0, index)) {
    const reason = isSeparatorLine(line, cells) ? 'separator line' : isBlank(cells) ? 'blank' : 'title';
    skipped.add(line, reason, cells);
  }
  if (header.cells.length > maxColumns) {
    problems.add('too-many-columns', {
      line: header.line,
      message: `The header has ${header.cells.length} columns; payrun reads up to ${grouped(maxColumns)}. Export only the columns that a payout needs.`,
    });
    return { header: undefined, below: [], further };
  }
  return { header, below: lines.slice((index ?? 0) + 1), further };
}

async function takeLines(
  records: AsyncIterator<readonly FileRecord[]>,
): Promise<{ readonly lines: readonly FileRecord[]; readonly further: readonly FileRecord[] }> {
  const lines: FileRecord[] = [];
  let filled = 0;
  for (;;) {
    const next = await records.next();
    if (next.done) return { lines, further: [] };
    for (const [index, record] of next.value.entries()) {
      lines.push(record);
      if (!isBlank(record.cells)) filled += 1;
      if (filled === headerSearchLines || lines.length === headerSearchLines * 10)
        return { lines, further: next.value.slice(index + 1) };
    }
  }
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

function reportMissing(lines: readonly FileRecord[], problems: ProblemLog): void {
  const first = lines.find(({ line, cells }) => !isBlank(cells) && !isSeparatorLine(line, cells));
  const cells = first?.cells ?? [];
  const shown = readableText(cells.slice(0, 10).join(', '));
  const { advice, remedy } = adviceOn(first, lines);
  problems.add('header-missing', {
    line: 0,
    message: `None of the first ${headerSearchLines} lines has column names that payrun knows; line ${first?.line ?? 1} reads "${shown}". ${advice}`,
    value: shown,
    remedy,
  });
}

function adviceOn(
  first: FileRecord | undefined,
  lines: readonly FileRecord[],
): { readonly advice: string; readonly remedy?: string } {
  const cells = first?.cells ?? [];
  const text = (cells[0] ?? '').slice(0, 10_000);
  if (first && cells.length === 1 && knownNames(text.split(/[,;\t|]/), new Map()).size >= 2) {
    if (first.quoted)
      return {
        advice:
          'Each line is wrapped in quotes as one single cell: take the outer quotes away, or export the file again.',
      };
    const name = delimiterIn(text);
    const said = lines.some(({ line, cells: each }) => isSeparatorLine(line, each))
      ? 'the line "sep=" at the top'
      : '--delimiter';
    const remedy = `--delimiter ${name}`;
    return {
      advice: `The cells are separated by ${name}s, but ${said} says otherwise. Run again with ${remedy}.`,
      remedy,
    };
  }
  const count = cells.length;
  const example = guessedNames(cells).join(',');
  const advice = `If the file has no column names, add a line of them at the top: one name for each of its ${count} columns, in their order, perhaps ${example} ("payrun template" prints all names). If its columns have other names, run again and say which is which: --map "${readableText(cells[0]?.trim() || 'Net Pay')}=${guessedNames(cells)[0] ?? 'amount'}".`;
  return { advice };
}

/** What the columns of a file without names seem to hold, by its first line: a beginning for the person who adds them. */
function guessedNames(cells: readonly string[]): string[] {
  const left = new Set<string>();
  return cells.slice(0, namesGuessed).map((cell, index) => {
    const name = guessOf(cell.trim(), index);
    if (left.has(name)) return `column${index + 1}`;
    left.add(name);
    return name;
  });
}

const namesGuessed = 20;

function guessOf(text: string, index: number): string {
  if (/^[A-Z]{2}$/.test(text) && countryFrom(text)) return 'country';
  if (/^[A-Z]{3}$/.test(text) && currenciesFrom(text).length > 0) return 'currency';
  if (/^(?:\+|0)\d{8,14}$/.test(text.replace(/[ -]/g, ''))) return 'phoneNumber';
  if (/^\d[\d,]*(?:\.\d{1,2})?$/.test(text) && text.length < 12) return index === 0 ? 'paymentId' : 'amount';
  if (/^(?=\D*\d)\S*$/.test(text)) return 'paymentId';
  return /\p{L}/u.test(text) ? 'accountName' : `column${index + 1}`;
}
