import { parse } from 'csv-parse/sync';
import { PayrunError } from '../../errors.ts';
import type { ColumnChoice } from '../header/column-choice.ts';
import { chosenNames, headerSearchLines, knownNames } from '../header/find-header.ts';

/** By the names that `--delimiter` takes. */
const delimiters = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;

/**
 * The sign between the cells. The header tells best: with `1.250,50` in every row a comma is as regular as the
 * semicolon that parts the cells. Where no header is known, the sign that gives the most lines of one width.
 */
export function detectDelimiter(preview: string, choices: readonly ColumnChoice[]): string {
  const declared = separatorLine.exec(preview)?.[1];
  if (declared !== undefined) return declared;
  const chosen = chosenNames(choices);
  const lines = withoutCutLine(preview);
  const signs = Object.values(delimiters);
  const absent = signs.filter((sign) => !lines.includes(sign));
  const [best] = signs
    // Whichever sign is absent, the cells are the same.
    .filter((sign) => sign === absent[0] || !absent.includes(sign))
    .map((delimiter) => ({ delimiter, ...scoresOf(lines, delimiter, chosen) }))
    .sort((one, other) => other.names - one.names || other.regular - one.regular);
  return best !== undefined && (best.names > 0 || best.regular > 0) ? best.delimiter : ',';
}

/** Excel's own first line, which says the delimiter and is no part of the table. */
export function isSeparatorLine(line: number, cells: readonly string[]): boolean {
  return (
    line === 1 &&
    cells.length <= 2 &&
    /^sep=.?$/i.test(cells[0]?.trim() ?? '') &&
    (cells[1] ?? '').trim() === ''
  );
}

/** What `--delimiter` may say. */
export function delimiterNamed(name: string): string {
  const wanted = name.toLowerCase().replace('\\t', '\t');
  const found = Object.entries(delimiters).find(([word, sign]) => wanted === word || wanted === sign);
  if (found) return found[1];
  const names = Object.keys(delimiters).join(', ');
  throw new PayrunError(
    'usage',
    `The delimiter "${name}" is not one that payrun reads. Use one of: ${names}.`,
  );
}

/** The name of the sign that stands most often in a line. */
export function delimiterIn(line: string): string {
  const times = Object.entries(delimiters).map(([name, sign]) => ({ name, times: line.split(sign).length }));
  const [most] = times.sort((one, other) => other.times - one.times);
  return most?.name ?? 'comma';
}

const separatorLine = /^\ufeff?"?sep=([\t!#-/:-@[-^`{-~])"?[ \t]*(?:\r|\n|$)/i;

const linesCompared = 200;

function scoresOf(
  text: string,
  delimiter: string,
  chosen: ReadonlyMap<string, string>,
): { names: number; regular: number } {
  const filled = firstRecords(text, delimiter).filter((cells) => cells.some((cell) => cell.trim() !== ''));
  const names = Math.max(
    0,
    ...filled.slice(0, headerSearchLines).map((cells) => knownNames(cells, chosen).size),
  );
  const widths = new Map<number, number>();
  for (const { length } of filled) {
    if (length > 1) widths.set(length, (widths.get(length) ?? 0) + 1);
  }
  return { names, regular: Math.max(0, ...widths.values()) };
}

/** Without a quote there is nothing to parse. */
export function firstRecords(text: string, delimiter: string): string[][] {
  if (!text.includes('"')) return text.split(lineEnd, linesCompared).map((line) => line.split(delimiter));
  return parse(text, {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    // The preview may end inside a quoted cell.
    skip_records_with_error: true,
    to: linesCompared,
  });
}

const lineEnd = /\r\n|\n|\r/;

/** The preview's last line is probably cut in the middle. */
function withoutCutLine(preview: string): string {
  const end = Math.max(preview.lastIndexOf('\n'), preview.lastIndexOf('\r'));
  return end > 0 ? preview.slice(0, end + 1) : preview;
}
