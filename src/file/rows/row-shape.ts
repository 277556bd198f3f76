import type { ReadingProblemCode } from '../../domain/problems/reading-problems.ts';
import { countryFrom } from '../../domain/row/parse-country.ts';
import { currenciesFrom } from '../../domain/row/parse-currency.ts';
import { type Field, nameFields } from '../../domain/row.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import type { ReadHeader } from '../header/file-header.ts';
import type { FileRecord } from './records.ts';
import { tornAdvice, tornAmount } from './torn-amount.ts';

export interface ShapeProblem {
  readonly code: ReadingProblemCode;
  readonly message: string;
  readonly column?: string | undefined;
  readonly value: string;
}

/** Finds rows whose cells do not stand under the names they belong to: too many, too few, or split by a comma. */
export class RowShape {
  readonly #names: readonly string[];
  readonly #namedWidth: number;
  readonly #fields: readonly (readonly [Field, number])[];
  readonly #amountColumn: number | undefined;
  readonly #commas: boolean;
  readonly #identifying: readonly number[];
  /** How many cells a row may have, if those behind the header are empty. */
  #usualWidth: number;

  constructor({ names, mapping, header }: ReadHeader) {
    this.#names = names;
    this.#namedWidth = names.findLastIndex((name) => name.trim() !== '') + 1;
    this.#fields = [...mapping.fieldColumns];
    this.#amountColumn = mapping.fieldColumns.get('amount');
    this.#commas = header.delimiter === ',';
    this.#identifying = this.#fields
      .filter(([field]) => identifyingFields.has(field))
      .map(([, index]) => index);
    this.#usualWidth = names.length;
  }

  /**
   * Some exports end every row in an empty cell that the header has not. That is a habit only if all rows have it:
   * an empty cell more on some of them is what is left of a row that a comma has shifted.
   */
  learn(rows: readonly FileRecord[]): void {
    const widths = rows.map(({ cells }) => cells.length).filter((width) => width >= this.#names.length);
    if (widths.length > 0) this.#usualWidth = Math.min(...widths);
  }

  *problems(record: FileRecord): Generator<ShapeProblem> {
    const unfilled = this.#unfilled(record);
    if (unfilled) {
      yield unfilled;
      return;
    }
    const wide = this.#tooMany(record) ?? this.#split(record);
    if (wide) yield wide;
    const short = this.#tooFew(record);
    if (short) yield short;
  }

  /** A row of a template that was never filled in has nothing to be judged one by one. */
  #unfilled({ line, cells }: FileRecord): ShapeProblem | undefined {
    for (const index of this.#identifying) {
      if ((cells[index] ?? '').trim() !== '') return undefined;
    }
    const filled = [...cells.keys()].filter((index) => (cells[index] ?? '').trim() !== '');
    if (filled.some((index) => index >= this.#namedWidth)) return undefined;
    const names = filled.slice(0, namesShown).map((index) => this.#nameOf(index));
    if (filled.length > namesShown) names.push('others');
    const message = `Line ${line} is empty but for ${listed(names)}. Fill it in, or delete the line.`;
    return { code: 'row-unfilled', message, value: cells.join(' ') };
  }

  #tooMany({ line, cells }: FileRecord): ShapeProblem | undefined {
    if (cells.length <= this.#namedWidth) return undefined;
    const width = this.#names.length;
    const extra = cells.slice(this.#namedWidth).find((cell) => cell.trim() !== '');
    const excess = cells.length - width;
    if (extra === undefined && excess <= 0) return undefined;
    const code = 'row-too-many-cells';
    const torn = this.#torn(cells, Math.max(1, excess));
    if (torn) {
      const message = `Line ${line} has ${cells.length} cells, and the header has ${width}. ${tornAdvice(torn)}`;
      return { code, message, value: torn.written };
    }
    if (extra !== undefined) {
      const shown = readableText(extra.trim());
      const message = `Line ${line} has text beyond the last column of the header ("${shown}"), so its values may be shifted: often by a comma inside a value that is not in quotes, such as 1,250.00. Put that value in quotes. If the text does not belong there, delete it; if it is a column of its own, give it a name in the header.`;
      return { code, message, value: extra };
    }
    if (cells.length <= this.#usualWidth || this.#endsRight(cells)) return undefined;
    const more = excess === 1 ? 'one cell' : `${excess} cells`;
    const message = `Line ${line} has ${more} more than the header, and other rows have not. Perhaps an amount such as 12,500 stands without quotes, so that its values are shifted: put that value in quotes. If nothing is shifted, delete the separator at the end of the line.`;
    return { code, message, value: cells.join(' ') };
  }

  /** A shift moves all that follows it: where the last column holds what belongs there, nothing was shifted. */
  #endsRight(cells: readonly string[]): boolean {
    const last = this.#namedWidth - 1;
    const field = this.#fields.find(([, index]) => index === last)?.[0];
    const text = cells[last]?.trim() ?? '';
    if (field === 'country') return countryFrom(text) !== undefined;
    return field === 'currency' && currenciesFrom(text).length > 0;
  }

  /** In a row as long as the header: sure where three digits cannot stand in the next column, else worth a look. */
  #split({ cells }: FileRecord): ShapeProblem | undefined {
    const torn = this.#torn(cells);
    if (!torn || this.#amountColumn === undefined) return undefined;
    const next = this.#amountColumn + 1;
    const field = this.#fields.find(([, index]) => index === next)?.[0];
    const found = {
      column: this.#nameOf(this.#amountColumn),
      value: torn.written,
      message: tornAdvice(torn),
    };
    if (field !== undefined && !mayBeThreeDigits.has(field)) return { code: 'amount-split', ...found };
    const isSuspect = field === 'narration' || (field === undefined && torn.written.includes('.'));
    if (!isSuspect) return undefined;
    const message = `${found.message} If ${torn.cells[0]} is the whole amount, you need to do nothing.`;
    return { code: 'amount-split-perhaps', ...found, message };
  }

  #torn(cells: readonly string[], most?: number) {
    if (!this.#commas || this.#amountColumn === undefined) return undefined;
    return tornAmount(cells, this.#amountColumn, most);
  }

  #tooFew({ line, cells }: FileRecord): ShapeProblem | undefined {
    if (cells.length >= this.#names.length) return undefined;
    const missing = this.#fields
      .filter(([field, index]) => index >= cells.length && this.#isNeeded(field, cells.length))
      .map(([, index]) => index)
      .sort((one, other) => one - other);
    const [first] = missing;
    if (first === undefined) return undefined;
    const names = listed(missing.map((index) => `"${this.#nameOf(index)}"`));
    const verb = missing.length === 1 ? 'is' : 'are';
    const swallowed = cells.some((cell) => /[\r\n]/.test(cell))
      ? ' One of its cells goes over several lines: look for a quote (") that is not closed.'
      : '';
    const message = `Line ${line} ends after ${cells.length} of ${this.#names.length} cells: ${names} ${verb} missing. Fill in the rest of the row, or delete the line.${swallowed}`;
    return { code: 'row-too-few-cells', column: this.#names[first], message, value: cells.join(' ') };
  }

  /** Of phone and account number a row needs one; an end that holds only the other may be missing. */
  #isNeeded(field: Field, cellCount: number): boolean {
    if (!numberFields.includes(field)) return neededFields.has(field);
    return !this.#fields.some(([other, index]) => numberFields.includes(other) && index < cellCount);
  }

  #nameOf(index: number): string {
    const name = this.#names[index]?.trim() ?? '';
    return name === '' ? `column ${index + 1}` : readableText(name);
  }
}

const namesShown = 4;

const numberFields: readonly Field[] = ['phoneNumber', 'accountNumber'];
const neededFields = new Set<Field>(['paymentId', ...nameFields, 'country', 'currency', 'amount']);

/** Without any of these a row is nobody's payment. */
const identifyingFields = new Set<Field>([
  'paymentId',
  ...nameFields,
  'amount',
  ...numberFields,
  'narration',
]);

/** A bank's or branch's code and an id may be three digits; no value of any other field is. */
const mayBeThreeDigits = new Set<Field>(['paymentId', 'amount', 'bankCode', 'branchCode', 'narration']);

function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
