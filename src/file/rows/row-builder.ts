import type { Problem } from '../../domain/problems/problem.ts';
import type { PayrunColumn, RawRow } from '../../domain/row.ts';
import { removeMark } from '../../domain/text/formula-mark.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import type { ReadHeader } from '../header/file-header.ts';
import type { ProblemLog } from '../problem-log.ts';
import type { FileRecord } from './records.ts';
import { RowShape } from './row-shape.ts';

/** A row whose cells no field was looked up in yet, and what was wrong with it already while it was read. */
export interface ReadRow extends Omit<RawRow, 'values'> {
  /** Also among the problems of the whole reading. A blocking one means that the cells cannot be trusted. */
  readonly problems: readonly Problem[];
}

/** What the file has shown so far; checks that most files need on no row are made only where they can find something. */
interface Suspicions {
  readonly longestRecordBytes: number;
  readonly multiLineSeen: boolean;
}

/** A cell of this size is no value; the record as a whole is bounded elsewhere. */
const maxCellLength = 100 * 1024;

/** Makes rows of records: cells to fields, missing ends filled, shifted and cut rows refused. */
export class RowBuilder {
  readonly #read: ReadHeader;
  readonly #problems: ProblemLog;
  readonly #width: number;
  readonly #shape: RowShape;
  readonly #inputs: readonly number[];
  readonly #ours: readonly (readonly [PayrunColumn, number])[];
  /** Columns without a name in front of named ones, until text was found in them. */
  readonly #nameless: Set<number>;

  constructor(read: ReadHeader, problems: ProblemLog) {
    this.#read = read;
    this.#problems = problems;
    this.#width = read.names.length;
    this.#shape = new RowShape(read);
    this.#ours = [...read.mapping.payrunColumns];
    const ours = new Set(read.mapping.payrunColumns.values());
    this.#inputs = [...read.names.keys()].filter((index) => !ours.has(index));
    const namedWidth = read.names.findLastIndex((name) => name.trim() !== '') + 1;
    const named = [...read.names.entries()].slice(0, namedWidth);
    this.#nameless = new Set(named.filter(([, name]) => name.trim() === '').map(([index]) => index));
  }

  /** What the first rows show of the file's habits. */
  learn(rows: readonly FileRecord[]): void {
    this.#shape.learn(rows);
  }

  build(record: FileRecord, watch: Suspicions, found: readonly Problem[] = []): ReadRow {
    const problems = [...found];
    for (const found of this.#shape.problems(record)) {
      problems.push(this.#problems.add(found.code, { ...found, line: record.line }));
    }
    if (watch.longestRecordBytes > maxCellLength) this.#checkSize(record, problems);
    if (watch.multiLineSeen) this.#checkSwallowedRows(record, problems);
    if (this.#nameless.size > 0) this.#checkNameless(record, problems);
    const cells = this.#read.isOurs ? record.cells.map(removeMark) : record.cells;
    const payrun: Partial<Record<PayrunColumn, string>> = {};
    for (const [name, index] of this.#ours) payrun[name] = cells[index] ?? '';
    const isWhole = this.#ours.length === 0 && cells.length === this.#width;
    const inputs = isWhole ? cells : this.#inputs.map((index) => cells[index] ?? '');
    return { line: record.line, cells: inputs, payrun, problems };
  }

  #checkSize({ line, cells }: FileRecord, problems: Problem[]): void {
    const index = cells.findIndex((cell) => cell.length > maxCellLength);
    if (index < 0) return;
    const name = this.#read.names[index] ?? '';
    const message = `Line ${line} has a cell of more than 100 KiB in column ${index + 1}. Look for a quote (") that is not closed, or shorten the cell.`;
    problems.push(this.#problems.add('cell-too-large', { line, column: name, message, value: cells[index] }));
  }

  /** Two quotes that do not belong together hide whole rows in a cell that looks sound. */
  #checkSwallowedRows({ line, cells }: FileRecord, problems: Problem[]): void {
    if (this.#width < 3) return;
    for (const cell of cells) {
      if (!/[\r\n]/.test(cell)) continue;
      const row = cell
        .split(/\r\n?|\n/)
        .find((text) => text.split(this.#read.header.delimiter).length === this.#width && /\d{5}/.test(text));
      if (row === undefined) continue;
      const message = `A cell that begins on line ${line} holds what looks like a row ("${readableText(row)}"): look for a quote (") that is not closed. If it is meant as text, take the line breaks out of the cell.`;
      problems.push(this.#problems.add('quote-unclosed', { line, message, value: row }));
      return;
    }
  }

  #checkNameless({ line, cells }: FileRecord, problems: Problem[]): void {
    for (const index of this.#nameless) {
      const text = cells[index]?.trim() ?? '';
      if (text === '') continue;
      this.#nameless.delete(index);
      const message = `Column ${index + 1} has no name in the header and holds text from line ${line} on ("${readableText(text)}"). It is copied to the results and not used. If it is one of payrun's columns, such as the phone number, run again with --map "#${index + 1}=phoneNumber".`;
      problems.push(
        this.#problems.add('header-empty', { line, column: `#${index + 1}`, message, value: text }),
      );
    }
  }
}
