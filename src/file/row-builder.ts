import type { Problem } from '../domain/problems/problem.ts';
import type { Field, PayrunColumn, RawRow } from '../domain/row.ts';
import { removeMark } from '../domain/text/formula-mark.ts';
import { readableText } from '../domain/text/readable-text.ts';
import type { ReadHeader } from './file-header.ts';
import type { ProblemLog } from './problem-log.ts';
import type { FileRecord } from './records.ts';

/** A row, and what was wrong with it already while it was read. */
export interface ReadRow extends RawRow {
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
  readonly #namedWidth: number;
  readonly #inputs: readonly number[];
  readonly #fields: readonly (readonly [Field, number])[];
  readonly #ours: readonly (readonly [PayrunColumn, number])[];
  /** Columns without a name in front of named ones, until text was found in them. */
  readonly #nameless: Set<number>;

  constructor(read: ReadHeader, problems: ProblemLog) {
    this.#read = read;
    this.#problems = problems;
    this.#width = read.names.length;
    this.#namedWidth = read.names.findLastIndex((name) => name.trim() !== '') + 1;
    this.#fields = [...read.mapping.fieldColumns];
    this.#ours = [...read.mapping.payrunColumns];
    const ours = new Set(read.mapping.payrunColumns.values());
    this.#inputs = [...read.names.keys()].filter((index) => !ours.has(index));
    const named = [...read.names.entries()].slice(0, this.#namedWidth);
    this.#nameless = new Set(named.filter(([, name]) => name.trim() === '').map(([index]) => index));
  }

  build(record: FileRecord, watch: Suspicions, found: readonly Problem[] = []): ReadRow {
    const problems = [...found];
    if (record.cells.length !== this.#width || this.#namedWidth < this.#width) {
      this.#checkWidth(record, problems);
    }
    if (watch.longestRecordBytes > maxCellLength) this.#checkSize(record, problems);
    if (watch.multiLineSeen) this.#checkSwallowedRows(record, problems);
    if (this.#nameless.size > 0) this.#checkNameless(record, problems);
    const cells = this.#read.isOurs ? record.cells.map(removeMark) : record.cells;
    const values: Partial<Record<Field, string>> = { ...this.#read.header.defaults };
    for (const [field, index] of this.#fields) values[field] = cells[index] ?? '';
    const payrun: Partial<Record<PayrunColumn, string>> = {};
    for (const [name, index] of this.#ours) payrun[name] = cells[index] ?? '';
    const isWhole = this.#ours.length === 0 && cells.length === this.#width;
    const inputs = isWhole ? cells : this.#inputs.map((index) => cells[index] ?? '');
    return { line: record.line, cells: inputs, values, payrun, problems };
  }

  #checkWidth({ line, cells }: FileRecord, problems: Problem[]): void {
    const extra = cells.slice(this.#namedWidth).find((cell) => cell.trim() !== '');
    if (extra !== undefined) {
      const message = `Line ${line} has text beyond the last column of the header ("${readableText(extra.trim())}"), so its values may be shifted: often a comma inside a value that is not in quotes, such as 1,250.00. Put that value in quotes; or, if it is a column of its own, give it a name in the header.`;
      problems.push(this.#problems.add('row-too-many-cells', { line, message, value: extra }));
    }
    const missing = this.#fields.find(
      ([field, index]) => index >= cells.length && this.#isNeeded(field, cells.length),
    );
    if (missing === undefined) return;
    const [field, index] = missing;
    const name = this.#read.names[index] ?? field;
    const swallowed = cells.some((cell) => /[\r\n]/.test(cell))
      ? ' One of its cells goes over several lines: look for a quote (") that is not closed.'
      : '';
    const message = `Line ${line} ends after ${cells.length} of ${this.#width} cells, before "${readableText(name)}". It was cut off, or a separator is missing.${swallowed}`;
    problems.push(
      this.#problems.add('row-too-few-cells', { line, column: name, message, value: cells.join(' ') }),
    );
  }

  /** Of phone and account number a row needs one; an end that holds only the other may be missing. */
  #isNeeded(field: Field, cellCount: number): boolean {
    if (field === 'phoneNumber' || field === 'accountNumber') {
      return !this.#fields.some(
        ([other, index]) => (other === 'phoneNumber' || other === 'accountNumber') && index < cellCount,
      );
    }
    return neededFields.has(field);
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
      const message = `Column ${index + 1} has no name in the header and holds text from line ${line} on ("${readableText(text)}"). It passes through; if it is a field, say --map "#${index + 1}=field".`;
      problems.push(
        this.#problems.add('header-empty', { line, column: `#${index + 1}`, message, value: text }),
      );
    }
  }
}

const neededFields = new Set<Field>([
  'paymentId',
  'accountName',
  'firstName',
  'lastName',
  'country',
  'currency',
  'amount',
]);
