import { readableText } from '../domain/text/readable-text.ts';

/** What a person sees of a reply: rows of a list, the fields of one thing, and what is to be said about it. */
export interface ServiceText {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly notes?: readonly string[];
  /** One thing, whose fields stand below each other. */
  readonly single?: boolean;
  /** Heads of the columns that hold amounts. */
  readonly right?: readonly string[];
}

export type Cell = string | number | null | undefined;

/** A table where it is no wider than the screen, else a block for each row: a table that wraps is read wrongly. */
export function serviceText(
  { heads, rows, notes = [], single, right = [] }: ServiceText,
  width: number,
): string {
  const cells = rows.map((row) => heads.map((_, column) => cellText(row[column])));
  // A column that is empty everywhere says nothing.
  const used = heads.map((_, column) => cells.some((row) => row[column] !== ''));
  const kept = <Value>(row: readonly Value[]) => row.filter((_, column) => used[column]);
  const table = aligned(kept(heads), cells.map(kept), right);
  const isWide = table.some((line) => line.length > width);
  const shown = single || isWide ? blocks(kept(heads), cells.map(kept)) : table;
  return [...(rows.length === 0 ? [] : shown), ...notes.map(cellText)].join('\n');
}

/** As long as the longest address that the contract takes: an id or an address that was cut is of no use. */
const longestCell = 2000;
const pieceLength = 40;

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  const signs = Array.from(String(cell).slice(0, longestCell));
  const pieces = signs.flatMap((_, from) =>
    from % pieceLength === 0 ? [readableText(signs.slice(from, from + pieceLength).join(''))] : [],
  );
  return pieces.join('');
}

function aligned(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly string[],
): string[] {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => lengthOf(row[column]))),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        const blanks = ' '.repeat(Math.max(0, (widths[column] ?? 0) - lengthOf(cell)));
        return right.includes(heads[column] ?? '') ? `${blanks}${cell}` : `${cell}${blanks}`;
      })
      .join('  ')
      .trimEnd();
  return [line(heads), ...rows.map(line)];
}

function blocks(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widest = Math.max(0, ...heads.map((head) => head.length));
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : ['']),
    ...row.flatMap((cell, column) =>
      cell === '' ? [] : [`${(heads[column] ?? '').padEnd(widest)}  ${cell}`],
    ),
  ]);
}

function lengthOf(text = ''): number {
  return [...text].length;
}
