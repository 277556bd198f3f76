import { type Field, nameFields } from '../../domain/row.ts';
import { amountOf } from './amount-sums.ts';

/** What a line can be that stands below the last row and is none. */
export type TrailingKind = 'total' | 'count' | 'footer';

/**
 * Tells rows from the lines that stand under a table: totals, counts, signatures. A line with a number to pay to is
 * always a row. What is doubtful is a row too, which the next stage refuses: that is loud, and a payee passed over is not.
 */
export class TrailingLines {
  readonly #columns: ReadonlyMap<Field, number>;
  readonly #width: number;

  constructor(columns: ReadonlyMap<Field, number>, width: number) {
    this.#columns = columns;
    this.#width = width;
  }

  /** `below` is true where the line before was already no row: then a few words without an amount are enough. */
  kindOf(cells: readonly string[], below: boolean): TrailingKind | undefined {
    if (this.hasPayeeNumber(cells)) return undefined;
    const texts = cells.map((cell) => cell.trim()).filter((text) => text !== '');
    const amount = this.#cell(cells, 'amount').trim();
    const hasAmount = amount !== '' && amountOf(amount, 'point') !== undefined;
    if (texts.some((text) => countWords.test(text)) && texts.some((text) => /\d/.test(text))) return 'count';
    if (hasAmount) return this.#isTotal(cells, texts) ? 'total' : undefined;
    if (footerWords.test(texts[0] ?? '')) return 'footer';
    const isPayment = this.#name(cells) !== '' && this.#cell(cells, 'paymentId').trim() !== '';
    return below && !isPayment && texts.length * 2 <= this.#width ? 'footer' : undefined;
  }

  /** Whether the line has a number to pay to; then it is a row, whatever else it says. */
  hasPayeeNumber(cells: readonly string[]): boolean {
    for (const field of ['phoneNumber', 'accountNumber'] as const) {
      const text = this.#cell(cells, field);
      if (fiveDigits.test(text) && !date.test(text)) return true;
    }
    return false;
  }

  /** The amount that a total line gives. */
  totalOf(cells: readonly string[]): string {
    return this.#cell(cells, 'amount').trim();
  }

  #cell(cells: readonly string[], field: Field): string {
    const index = this.#columns.get(field);
    return index === undefined ? '' : (cells[index] ?? '');
  }

  #name(cells: readonly string[]): string {
    return nameFields.map((field) => this.#cell(cells, field).trim()).join('');
  }

  /** By its word, or because nothing but numbers stands in the line and no name or payment id among them. */
  #isTotal(cells: readonly string[], texts: readonly string[]): boolean {
    if (texts.some((text) => totalWords.test(text))) return true;
    if (this.#name(cells) !== '' || this.#cell(cells, 'paymentId').trim() !== '') return false;
    return texts.every((text) => amountOf(text, 'point') !== undefined);
  }
}

/** The numbers that a line of counting gives, whichever cell they stand in. */
export function countsIn(cells: readonly string[]): readonly number[] {
  return cells.flatMap((cell) => cell.match(/(?<![\d.,])\d{1,9}(?![\d.,])/g)?.map(Number) ?? []);
}

/** `Total Kenya PLC` is a company; a total says what it is the total of, or nothing more. */
const totalWords =
  /^\W*(?:(?:grand|sub|net|overall|batch|control|page|report|payroll|company|department|the)[\s-]*)*(?:totals?|totaux|sum|somme|jumla)\b\W*(?:$|\d|(?:amount|net|gross|pay|paid|payable|payments?|payouts?|salar\w+|wages|for|of|due|to|in|à|a|général|general|kuu|kes|kshs?|ngn|ugx|tzs|ghs|rwf|zmw|usd|xof|xaf|f?cfa|naira|shillings)\b)/iu;
const countWords =
  /\b(?:number|no\.?|count|total)\s*(?:of\s+)?(?:employees|staff|records|rows|payments|payees|beneficiaries|transactions|entries|people)\b|^(?:record|row|employee|payment) count\b/i;
const footerWords =
  /^\W*(?:(?:prepared|checked|approved|authori[sz]ed|verified|reviewed|signed|certified|compiled|printed|generated|exported|created)\s*(?:by|on|at|:|date)|signature|sign\s*:|date\s*:|date$|page\s*\d|notes?\s*:|n\.?b\.?\s*:|end of\b|confidential|this is a (?:computer|system)|(?:computer|system)[\s-]generated|for official use|stamp\b|powered by)/i;
const fiveDigits = /(?:\d\D*){5}/;
const date = /^\s*\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}\s*$/;
