import { withoutTrailing } from '../text/without-trailing.ts';
/**
 * Whether `now` is what a spreadsheet makes of the text `was` when it takes it for a number: without its plus and its
 * leading zeros, with other separators or decimals, in scientific notation, or without the digits beyond the fifteenth.
 * A spreadsheet never adds a plus or a zero in front: that is a person's doing.
 *
 * Of a cell that was not known to be sound only the loss of something counts. `1000` where `1e3` stood, or `1200`
 * where `1.200` stood, may be just the correction that was asked for.
 */
export function isNumberDamage(was: string, now: string, sound: boolean): boolean {
  if (startsOddly(now)) return false;
  if (
    !sound &&
    !(digitsOnly.test(was) && (startsOddly(was) || exponent.test(now) || was.length > exactDigits))
  ) {
    return false;
  }
  // One spreadsheet has one decimal mark, for what it reads and for what it writes.
  return (['point', 'comma'] as const).some((mark) => {
    const before = readNumber(was, mark);
    const after = readNumber(now, mark);
    return before !== undefined && after !== undefined && isSameOrRounded(before, after);
  });
}

interface Decimal {
  readonly negative: boolean;
  /** Without zeros at either end; the value is these digits times ten to the power. */
  readonly digits: string;
  readonly power: number;
  readonly scientific: boolean;
}

const exactDigits = 15;
/** Fewer digits than Excel's own scientific format shows are no trace of the number. */
const fewestDigits = 3;
const digitsOnly = /^\+?\d{1,40}$/;
/** Written as 2.54708E+11. */
export const exponent = /\d[eE][+-]?\d/;

function startsOddly(text: string): boolean {
  return /^(?:\+|[+-]?0\d)/.test(text);
}

function readNumber(text: string, mark: 'point' | 'comma'): Decimal | undefined {
  const parts = notations[mark].exec(text)?.groups;
  if (!parts) return undefined;
  const { sign, whole = '', fraction = '', tens } = parts;
  const shown = whole.replace(/\D/g, '') + fraction;
  const digits = withoutTrailing(shown.replace(/^0+/, ''), '0');
  const trailingZeros = shown.length - withoutTrailing(shown, '0').length;
  const power = digits === '' ? 0 : Number(tens ?? 0) - fraction.length + trailingZeros;
  return { negative: sign === '-', digits, power, scientific: tens !== undefined };
}

const notations = {
  point: notation(`[,'’ \\u00a0\\u202f]`, '[.]'),
  comma: notation(`[.'’ \\u00a0\\u202f]`, ','),
};

function notation(separator: string, mark: string): RegExp {
  const whole = `(?<whole>\\d{1,40}|\\d{1,3}(?:${separator}\\d{3}){1,13})`;
  return new RegExp(
    `^(?<sign>[+-]?)${whole}(?:${mark}(?<fraction>\\d{0,40}))?(?:[eE](?<tens>[+-]?\\d{1,3}))?$`,
  );
}

function isSameOrRounded(before: Decimal, after: Decimal): boolean {
  if (isSame(before, after)) return true;
  const isLong = before.digits.length > exactDigits;
  if (isLong && (isSame(cutDigits(before), after) || isSame(asDouble(before), after))) return true;
  const fewest = after.scientific ? fewestDigits : exactDigits;
  for (let count = fewest; count <= exactDigits; count += 1) {
    if (isSame(roundDigits(before, count), after)) return true;
  }
  return false;
}

function isSame(one: Decimal, other: Decimal): boolean {
  return one.negative === other.negative && one.digits === other.digits && one.power === other.power;
}

function roundDigits(number: Decimal, count: number): Decimal {
  const lost = number.digits.length - count;
  if (lost <= 0) return number;
  const up = Number(number.digits[count]) >= 5 ? 1n : 0n;
  return withDigits(number, (BigInt(number.digits.slice(0, count)) + up).toString(), lost);
}

/** Typed into Excel, what comes after the fifteenth digit becomes zero. */
function cutDigits(number: Decimal): Decimal {
  return withDigits(number, number.digits.slice(0, exactDigits), number.digits.length - exactDigits);
}

/** As programs write it that keep numbers as doubles. */
function asDouble(number: Decimal): Decimal {
  const written = readNumber(String(Number(`${number.digits}e${number.power}`)), 'point');
  return { ...number, ...written, negative: number.negative };
}

function withDigits(number: Decimal, kept: string, lost: number): Decimal {
  const digits = withoutTrailing(kept, '0');
  return { ...number, digits, power: number.power + lost + kept.length - digits.length };
}
