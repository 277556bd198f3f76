import { type Minor, maxAmountDigits, minorFromDecimal } from '../money/money.ts';
import type { Currency } from '../reference-data/countries.ts';
import { cleanText } from '../text/clean-text.ts';
import { readableText } from '../text/readable-text.ts';
import { withoutTrailing } from '../text/without-trailing.ts';
import type { Cell } from './read-cell.ts';
import { type DecimalReading, type DecimalStyle, decimalMarkIn, readDecimal } from './read-decimal.ts';
import type { RowFindings } from './row-findings.ts';
import { type NumberWithMarks, splitAmount } from './split-amount.ts';

/** What the file says about its amounts. */
export interface AmountStyle extends DecimalStyle {
  /** Those that the column's name can mean, as `Amount (KES)` does; none where it names none. */
  readonly amountCurrencies: readonly string[];
}

/** Exact decimal text to minor units. Whatever could mean two amounts is refused: nobody's pay is a guess. */
export function parseAmount(
  cell: Cell,
  currency: Currency | undefined,
  style: AmountStyle,
  findings: RowFindings,
): Minor | undefined {
  if (cell.spoilt) return undefined;
  const shown = readableText(cell.text);
  const split = splitAmount(cell.text);
  switch (split.kind) {
    case 'nothing':
      return findings.problem(
        'amount-missing',
        cell,
        'This row has no amount. Fill it in, or delete the row.',
      );
    case 'dash':
      return findings.problem('amount-zero', cell, `The amount ${shown} stands for nothing. ${zeroAdvice}`);
    case 'negative':
      return findings.problem(
        'amount-negative',
        cell,
        `The amount ${shown} is negative and cannot be paid. Correct it, or delete the row.`,
      );
    case 'exponent':
      return findings.problem(
        'amount-exponent',
        cell,
        `The amount ${shown} is written with an exponent. Format the column as a number with two decimals and save the file as CSV again.`,
      );
    case 'cents':
      return findings.problem(
        'amount-ambiguous',
        cell,
        `The amount ${shown} could mean ${split.digits} or 0.${split.digits}. Write the number alone, such as ${split.digits}.00.`,
      );
    case 'unreadable':
      return findings.problem('amount-unreadable', cell, unreadableMessage(shown));
    case 'amount':
      return parseSplitAmount(cell, split, currency, style, findings);
  }
}

/** The same for a text that is written as nearly all are, and undefined for all others. */
export function plainAmount(
  text: string,
  currency: Currency | undefined,
  { decimal, amountCurrencies }: AmountStyle,
): Minor | undefined {
  const [, whole = '', fraction = ''] = plainDigits.exec(text) ?? [];
  if (whole === '' || !currency || amountCurrencies.length > 0 || decimal === 'comma') return undefined;
  const { decimals } = currency;
  if (fraction.length > decimals || whole.length + decimals > maxAmountDigits) return undefined;
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

const plainDigits = /^([1-9]\d*)(?:\.(\d\d?))?$/;

/** Which character this amount shows to part decimals, where it leaves no doubt: a fact about the whole file. */
export function decimalMarkOfAmount(raw: string): 'point' | 'comma' | undefined {
  if (raw.length > longestAmount) return undefined;
  const split = splitAmount(cleanText(raw).text);
  return split.kind === 'amount' ? decimalMarkIn(split.digits) : undefined;
}

const zeroAdvice = 'Fill in the amount, or delete the row.';
/** More than fifteen digits with a separator each and a currency's name on both sides. */
const longestAmount = 100;

function unreadableMessage(shown: string): string {
  return `The amount ${shown} is not a number. Write digits 0 to 9 with a decimal point or comma, such as 1250.50.`;
}

function parseSplitAmount(
  cell: Cell,
  split: NumberWithMarks,
  currency: Currency | undefined,
  style: AmountStyle,
  findings: RowFindings,
): Minor | undefined {
  const shown = readableText(cell.text);
  const other = currency && split.marks.find((mark) => !mark.includes(currency.code));
  if (currency && other) {
    return findings.problem(
      'amount-currency-conflict',
      cell,
      `The amount ${shown} is in ${other.join(' or ')}, but the currency of this row is ${currency.code}. Correct one of them.`,
    );
  }
  const { amountCurrencies } = style;
  if (currency && amountCurrencies.length > 0 && !amountCurrencies.includes(currency.code)) {
    return findings.problem(
      'amount-currency-conflict',
      cell,
      `The name of this column says that its amounts are in ${amountCurrencies.join(' or ')}, but the currency of this row is ${currency.code}. Correct the currency, or the name of the column.`,
    );
  }
  const reading = readDecimal(split.digits, style);
  switch (reading.kind) {
    case 'unreadable':
      return findings.problem('amount-unreadable', cell, unreadableMessage(shown));
    case 'grouping':
      return findings.problem(
        'amount-grouping',
        cell,
        `The separators of the amount ${shown} do not stand before groups of three digits. Write the amount without thousands separators, such as 100000.00.`,
      );
    case 'conflict':
      return findings.problem(
        'amount-decimal-conflict',
        cell,
        `The amount ${shown} does not agree with --decimal ${style.decimal}. Write it as the other amounts are written, or leave --decimal out.`,
      );
    case 'ambiguous':
      return findings.problem(
        'amount-ambiguous',
        cell,
        ...ambiguous(shown, split.digits, reading, currency, style),
      );
    case 'number':
      return measured(cell, reading.whole, reading.fraction, currency, findings);
  }
}

/** What to say of it, and the flag that settles it for the whole file, where there is one. */
function ambiguous(
  shown: string,
  digits: string,
  { thousands, decimals, grouped }: Extract<DecimalReading, { kind: 'ambiguous' }>,
  currency: Currency | undefined,
  style: DecimalStyle,
): [message: string, remedy?: string | undefined] {
  const seen =
    style.decimalPointSeen === style.decimalCommaSeen
      ? ''
      : ` Other amounts of this file have a decimal ${style.decimalPointSeen ? 'point' : 'comma'}.`;
  const [forThousands, forDecimals] = digits.includes(',') ? ['point', 'comma'] : ['comma', 'point'];
  // Proposed is nothing that the other amounts would be refused for.
  const isAgainst = (mark: string) => seen !== '' && (mark === 'point') !== style.decimalPointSeen;
  const small = withoutNeedlessZeros(decimals, currency?.decimals ?? 2);
  const places = small.split('.')[1]?.length ?? 0;
  if (currency && places > currency.decimals) {
    const most = currency.decimals === 0 ? 'no decimals' : `${currency.decimals} decimals`;
    const other = currency.decimals === 0 ? '' : `, or the right amount with ${most} at most`;
    const message = `The amount ${shown} could be ${thousands} or ${small}, but ${currency.code} has ${most}.${seen} Write ${thousands}${other}.`;
    if (!grouped || isAgainst(forThousands)) return [message];
    const remedy = `--decimal ${forThousands}`;
    return [
      `${message} If all such amounts of this file are thousands, run again with ${remedy} (${thousands}).`,
      remedy,
    ];
  }
  const asThousands = `--decimal ${forThousands}`;
  const asDecimals = `--decimal ${forDecimals}`;
  const either = grouped ? `${asThousands} (${thousands}) or ` : '';
  return [
    `The amount ${shown} could be ${thousands} or ${small}. Write ${thousands} or ${small}, or run again with ${either}${asDecimals} (${small}).${seen}`,
    isAgainst(grouped ? forThousands : forDecimals) ? undefined : grouped ? asThousands : asDecimals,
  ];
}

/** `1.200` as people write it: 1.20. */
function withoutNeedlessZeros(text: string, decimals: number): string {
  const [whole = '', fraction = ''] = text.split('.');
  const kept = fraction.slice(0, decimals) + withoutTrailing(fraction.slice(decimals), '0');
  return kept === '' ? whole : `${whole}.${kept}`;
}

function measured(
  cell: Cell,
  writtenWhole: string,
  fraction: string,
  currency: Currency | undefined,
  findings: RowFindings,
): Minor | undefined {
  const whole = writtenWhole.replace(/^0+(?=\d)/, '');
  const shown = readableText(cell.text);
  if (whole === '0' && /^0*$/.test(fraction)) {
    return findings.problem('amount-zero', cell, `The amount ${shown} is zero. ${zeroAdvice}`);
  }
  const decimals = currency?.decimals ?? 0;
  if ((whole === '0' ? 0 : whole.length) + decimals > maxAmountDigits) {
    return findings.problem(
      'amount-too-large',
      cell,
      `The amount ${shown} has more than ${maxAmountDigits} digits. Check it: perhaps another number stands in the amount column.`,
    );
  }
  if (!currency) return undefined;
  const minor = minorFromDecimal(fraction === '' ? whole : `${whole}.${fraction}`, decimals);
  if (minor !== undefined) return minor;
  return findings.problem(
    'amount-decimals',
    cell,
    decimals === 0
      ? `The amount ${shown} has decimals, but ${currency.code} has none. Write a whole amount.`
      : `The amount ${shown} has more than the ${decimals} decimals of ${currency.code}. Round it to ${decimals}.`,
  );
}
