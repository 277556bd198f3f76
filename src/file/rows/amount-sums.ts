import { decimalMarkOfAmount } from '../../domain/row/parse-amount.ts';
import { type DecimalStyle, readDecimal } from '../../domain/row/read-decimal.ts';
import { splitAmount } from '../../domain/row/split-amount.ts';
import { cleanText } from '../../domain/text/clean-text.ts';
import { ExactSum } from './exact-sum.ts';

export type DecimalMark = 'point' | 'comma';

/**
 * The sum of the amounts read so far, twice: `1.200` is one number where points part decimals and another where commas
 * do, and which it is can show on the last line only. Whether an amount may be paid is not judged here.
 */
export class AmountSums {
  decimalPointSeen = false;
  decimalCommaSeen = false;
  /** Amounts that are no number; they count as nothing, as they do in a spreadsheet's own sum. */
  unreadable = 0;
  #certain = new ExactSum();
  #doubtful = { point: new ExactSum(), comma: new ExactSum() };

  add(text: string): void {
    const [, whole, fraction = ''] = plainAmount.exec(text) ?? [];
    if (whole !== undefined) {
      if (fraction !== '') this.decimalPointSeen = true;
      this.#certain.add(whole, fraction);
      return;
    }
    const mark = decimalMarkOfAmount(text);
    if (mark === 'point') this.decimalPointSeen = true;
    if (mark === 'comma') this.decimalCommaSeen = true;
    const readings = readingsOf(text);
    if (!readings) {
      this.unreadable += 1;
      return;
    }
    const isCertain = readings.point === readings.comma;
    if (isCertain) this.#certain.add(...readings.point);
    else {
      this.#doubtful.point.add(...readings.point);
      this.#doubtful.comma.add(...readings.comma);
    }
  }

  copy(): AmountSums {
    const copy = new AmountSums();
    copy.decimalPointSeen = this.decimalPointSeen;
    copy.decimalCommaSeen = this.decimalCommaSeen;
    copy.unreadable = this.unreadable;
    copy.#certain = this.#certain.plus(new ExactSum());
    copy.#doubtful = {
      point: this.#doubtful.point.plus(new ExactSum()),
      comma: this.#doubtful.comma.plus(new ExactSum()),
    };
    return copy;
  }

  sum(mark: DecimalMark): ExactSum {
    return this.#certain.plus(this.#doubtful[mark]);
  }

  /** Whether a total is the sum, in one of the ways in which the file's amounts can be meant. */
  equals(total: string, marks: readonly DecimalMark[]): boolean {
    return marks.some((mark) => amountOf(total, mark)?.equals(this.sum(mark)) === true);
  }

  /** The ways in which the file's doubtful amounts can be meant. */
  marks(declared: DecimalMark | undefined): readonly DecimalMark[] {
    if (declared) return [declared];
    if (this.decimalPointSeen === this.decimalCommaSeen) return ['point', 'comma'];
    return this.decimalPointSeen ? ['point'] : ['comma'];
  }
}

/** The number that a text is, with doubtful separators read in one way. */
export function amountOf(text: string, mark: DecimalMark): ExactSum | undefined {
  const readings = readingsOf(text);
  if (!readings) return undefined;
  const amount = new ExactSum();
  amount.add(...readings[mark]);
  return amount;
}

type Digits = readonly [whole: string, fraction: string];

const plainAmount = /^(\d{1,15})(?:\.(\d{1,2}))?$/;
const longestAmount = 100;

/** Of a style that decides nothing, so that doubt is told apart from certainty. */
const undecided: DecimalStyle = {
  delimiter: ';',
  decimalCommaSeen: true,
  decimalPointSeen: true,
  decimal: undefined,
};

function readingsOf(text: string): { readonly point: Digits; readonly comma: Digits } | undefined {
  if (text.length > longestAmount) return undefined;
  const split = splitAmount(cleanText(text).text);
  if (split.kind !== 'amount') return undefined;
  const reading = readDecimal(split.digits, undecided);
  if (reading.kind === 'number') {
    const digits: Digits = [reading.whole, reading.fraction];
    return { point: digits, comma: digits };
  }
  if (reading.kind !== 'ambiguous') return undefined;
  const thousands: Digits = [reading.thousands, ''];
  const [whole = '0', fraction = ''] = reading.decimals.split('.');
  const decimals: Digits = [whole, fraction];
  return split.digits.includes(',')
    ? { point: thousands, comma: decimals }
    : { point: decimals, comma: thousands };
}
