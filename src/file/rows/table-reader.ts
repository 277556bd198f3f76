import { counted } from '../../domain/text/counted.ts';
import { grouped } from '../../domain/text/grouped.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import type { ReadHeader } from '../header/file-header.ts';
import { isWholeHeader } from '../header/find-header.ts';
import type { ProblemLog } from '../problem-log.ts';
import type { AmountSums, DecimalMark } from './amount-sums.ts';
import { CurrencySums } from './currency-sums.ts';
import type { RecordScanner } from './record-scanner.ts';
import type { FileRecord } from './records.ts';
import { type ReadRow, RowBuilder } from './row-builder.ts';
import type { SkippedLines } from './skipped-lines.ts';
import { countsIn, type TrailingKind, TrailingLines } from './trailing-lines.ts';

/** A line of the file that says what its amounts add up to. */
export interface ControlTotal {
  readonly line: number;
  /** As the file writes it. */
  readonly total: string;
  /** What the amounts of the rows add up to. */
  readonly sum: string;
  /** Where the file has several, and the line names one: the sum is that of its rows. */
  readonly currency?: string;
  readonly equal: boolean;
}

export interface TableContext {
  readonly skipped: SkippedLines;
  readonly problems: ProblemLog;
  readonly watch: RecordScanner;
  /** What `--decimal` says. */
  readonly decimal: DecimalMark | undefined;
  /** What `--map` and the config call columns. */
  readonly chosen: ReadonlyMap<string, string>;
}

/** Lines that may stand below the table are held back until it shows whether rows follow; no table has more of them. */
const maxLinesHeld = 50;

/** Reads what stands below the header, and tells rows from blank lines, totals and signatures. */
export class TableReader {
  rowCount = 0;
  readonly controlTotals: ControlTotal[] = [];
  readonly #context: TableContext;
  readonly #builder: RowBuilder;
  readonly #trailing: TrailingLines;
  readonly #headerTexts: readonly string[];
  readonly #amountColumn: number | undefined;
  readonly #amountName: string;
  readonly #currencyColumn: number | undefined;
  readonly #sums = new CurrencySums();
  /** Rows less the totals inside the table. */
  #amounts = 0;
  #held: { readonly record: FileRecord; readonly kind: TrailingKind }[] = [];

  constructor(read: ReadHeader, context: TableContext) {
    this.#context = context;
    this.#builder = new RowBuilder(read, context.problems);
    this.#trailing = new TrailingLines(read.mapping.fieldColumns, read.names.length);
    this.#headerTexts = read.names.map((name) => name.trim());
    this.#amountColumn = read.mapping.fieldColumns.get('amount');
    this.#amountName = read.names[this.#amountColumn ?? -1] ?? 'amount';
    this.#currencyColumn = read.mapping.fieldColumns.get('currency');
  }

  /** Of all amounts, whatever their currency. */
  get sums(): AmountSums {
    return this.#sums.all;
  }

  async *pages(
    first: readonly FileRecord[],
    further: readonly FileRecord[],
    rest: AsyncIterable<readonly FileRecord[]>,
  ): AsyncGenerator<readonly ReadRow[]> {
    this.#builder.learn(first.filter(({ cells }) => this.#trailing.hasPayeeNumber(cells)));
    const rowsOf = (records: readonly FileRecord[]) => records.flatMap((record) => this.#take(record));
    yield rowsOf([...first, ...further]);
    for await (const records of rest) yield rowsOf(records);
    this.#end();
  }

  #take(record: FileRecord): readonly ReadRow[] {
    const { skipped } = this.#context;
    if (!hasSigns(record.cells)) {
      const reason = record.cells.some((cell) => cell.trim() !== '') ? 'ruler' : 'blank';
      skipped.add(record.line, reason, record.cells);
      return [];
    }
    if (this.#isHeaderAgain(record.cells)) {
      skipped.add(record.line, 'repeated header', record.cells);
      return [];
    }
    const kind = this.rowCount > 0 ? this.#trailing.kindOf(record.cells, this.#held.length > 0) : undefined;
    if (kind && this.#held.length < maxLinesHeld) {
      this.#held.push({ record, kind });
      return [];
    }
    const rows = this.#held.length > 0 ? this.#releaseHeld() : [];
    rows.push(this.#isSecondHeader(record.cells) ? this.#secondHeader(record) : this.#row(record));
    return rows;
  }

  #row(record: FileRecord): ReadRow {
    this.rowCount += 1;
    this.#amounts += 1;
    if (this.#amountColumn !== undefined) {
      const currency = this.#currencyColumn === undefined ? '' : record.cells[this.#currencyColumn];
      this.#sums.add(record.cells[this.#amountColumn] ?? '', currency ?? '');
    }
    return this.#builder.build(record, this.#context.watch);
  }

  /** A row came behind them, so they do not stand below the table: they are rows, and the next stage judges them. */
  #releaseHeld(): ReadRow[] {
    const held = this.#held;
    this.#held = [];
    return held.map(({ record, kind }) => {
      if (kind === 'footer') return this.#row(record);
      this.rowCount += 1;
      const problem = this.#context.problems.add('total-inside', {
        line: record.line,
        column: this.#amountName,
        message: `Line ${record.line} looks like a total, but rows follow it. Delete line ${record.line}; a total below the last row may stay.`,
        value: record.cells.join(' '),
      });
      return this.#builder.build(record, this.#context.watch, [problem]);
    });
  }

  #isHeaderAgain(cells: readonly string[]): boolean {
    if (cells[0]?.trim() !== this.#headerTexts[0]) return false;
    return this.#headerTexts.every((text, index) => (cells[index] ?? '').trim() === text);
  }

  #isSecondHeader(cells: readonly string[]): boolean {
    return !this.#trailing.hasPayeeNumber(cells) && isWholeHeader(cells, this.#context.chosen);
  }

  /** What follows has other columns; read under the first header, numbers and amounts would be taken for each other. */
  #secondHeader(record: FileRecord): ReadRow {
    this.rowCount += 1;
    const problem = this.#context.problems.add('header-second', {
      line: record.line,
      message: `A second table with other columns begins on line ${record.line}. Put each table into a file of its own, or bring them under one header.`,
      value: record.cells.join(' '),
    });
    return this.#builder.build(record, this.#context.watch, [problem]);
  }

  #end(): void {
    const { problems, skipped, watch } = this.#context;
    const isCut = watch.cutLine !== undefined;
    for (const { record, kind } of this.#held) {
      skipped.add(record.line, kind === 'total' ? 'control total' : kind, record.cells);
      if (isCut) continue;
      if (kind === 'total') this.#judgeTotal(record);
      if (kind === 'count') this.#judgeCount(record);
    }
    if (this.rowCount > 0 || isCut) return;
    problems.add('rows-missing', {
      line: 0,
      message:
        'The file has a line of column names and no rows below it. Check whether the export had finished.',
    });
  }

  #judgeTotal(record: FileRecord): void {
    const { decimal, problems } = this.#context;
    const total = this.#trailing.totalOf(record.cells);
    const named = this.#sums.namedBy(record.cells);
    const sums = named?.sums ?? this.sums;
    const marks = this.sums.marks(decimal);
    const sum = sums.sum(marks[0] ?? 'point').toString();
    const equal = sums.equals(total, marks);
    const { currency } = named ?? {};
    const known = { line: record.line, total: readableText(total), sum, equal };
    this.controlTotals.push({ ...known, ...(currency === undefined ? {} : { currency }) });
    if (equal) return;
    const { unreadable } = sums;
    const unread =
      unreadable > 0
        ? ` (${unreadable} of them ${unreadable === 1 ? 'is no amount that can be paid and counts' : 'are no amounts that can be paid and count'} as nothing)`
        : '';
    const count = named?.amounts ?? this.#amounts;
    const which = `${counted(count, 'amount')}${currency === undefined ? '' : ` in ${currency}`} above it ${count === 1 ? 'adds' : 'add'} up`;
    const several =
      currency === undefined && this.#sums.areSeveral
        ? ' The file has several currencies: a line with the total of one of them names it in its currency cell.'
        : '';
    problems.add('total-mismatch', {
      line: record.line,
      column: this.#amountName,
      message: `The total on line ${record.line} is ${readableText(total)}, but the ${which} to ${groupedDecimal(sum)}${unread}. A row is missing, doubled or changed: correct the row or the total.${several}`,
      value: total,
    });
  }

  #judgeCount(record: FileRecord): void {
    const counts = countsIn(record.cells);
    if (counts.includes(this.#amounts)) return;
    this.#context.problems.add('count-mismatch', {
      line: record.line,
      message: `Line ${record.line} counts ${counts.join(' or ')}, but the file has ${this.#amounts} rows. Rows are missing or doubled: correct them, or the count.`,
      value: record.cells.join(' '),
    });
  }
}

/** Lines of nothing but delimiters, dashes or the mark with which old systems end a file hold nothing to lose. */
function hasSigns(cells: readonly string[]): boolean {
  return cells.some((cell) => cell !== '' && /[\p{L}\p{N}]/u.test(cell));
}

/** As people write it: 1,234,567.50. */
function groupedDecimal(text: string): string {
  const [whole = '', ...fraction] = text.split('.');
  return [grouped(whole), ...fraction].join('.');
}
