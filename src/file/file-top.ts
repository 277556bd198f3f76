import { readableText } from '../domain/text/readable-text.ts';
import type { ColumnChoice } from './column-choice.ts';
import { isSeparatorLine } from './dialect.ts';
import { findHeader, headerSearchLines, knownNames } from './find-header.ts';
import type { ProblemLog } from './problem-log.ts';
import type { FileRecord } from './records.ts';
import type { SkippedLines } from './skipped-lines.ts';

const maxColumns = 1000;

/** The line of column names, and the records behind it that were read in search of it. */
export interface FileTop {
  readonly header: FileRecord | undefined;
  readonly below: readonly FileRecord[];
}

/** Finds the line of column names among the first lines, and names the lines above it. */
export async function readTop(
  records: AsyncIterator<FileRecord>,
  choices: readonly ColumnChoice[],
  skipped: SkippedLines,
  problems: ProblemLog,
): Promise<FileTop> {
  const lines = await takeLines(records);
  const index = findHeader(
    lines.map(({ line, cells }) => (isSeparatorLine(line, cells) ? [] : cells)),
    choices,
  );
  const header = lines[index ?? -1];
  if (header === undefined) {
    if (!problems.hasBlocking) reportMissing(lines, problems);
    return { header: undefined, below: [] };
  }
  for (const { line, cells } of lines.slice(0, index)) {
    const reason = isSeparatorLine(line, cells) ? 'separator line' : isBlank(cells) ? 'blank' : 'title';
    skipped.add(line, reason, cells);
  }
  if (header.cells.length > maxColumns) {
    problems.add('too-many-columns', {
      line: header.line,
      message: `The header has ${header.cells.length} columns; payrun reads up to ${maxColumns.toLocaleString('en')}. Export only the columns that a payout needs.`,
    });
    return { header: undefined, below: [] };
  }
  return { header, below: lines.slice((index ?? 0) + 1) };
}

async function takeLines(records: AsyncIterator<FileRecord>): Promise<FileRecord[]> {
  const lines: FileRecord[] = [];
  let filled = 0;
  while (filled < headerSearchLines && lines.length < headerSearchLines * 10) {
    const next = await records.next();
    if (next.done) break;
    lines.push(next.value);
    if (!isBlank(next.value.cells)) filled += 1;
  }
  return lines;
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

function reportMissing(lines: readonly FileRecord[], problems: ProblemLog): void {
  const first = lines.find(({ line, cells }) => !isBlank(cells) && !isSeparatorLine(line, cells));
  const [cell = ''] = first?.cells ?? [];
  const isWrapped =
    first?.cells.length === 1 && knownNames(cell.slice(0, 10_000).split(/[,;\t|]/), new Map()).size >= 2;
  const shown = readableText((first?.cells ?? []).slice(0, 10).join(', '));
  const advice = isWrapped
    ? 'Each line is wrapped in quotes as one single cell: take the outer quotes away, or export the file again.'
    : `If it has no such line, add one at the top, such as accountName,country,currency,amount,phoneNumber ("payrun template" prints one). If its columns have other names, say which is which: --map "Your column=amount".`;
  problems.add('header-missing', {
    line: 0,
    message: `None of the first ${headerSearchLines} lines has column names that payrun knows; line ${first?.line ?? 1} reads "${shown}". ${advice}`,
    value: shown,
  });
}
