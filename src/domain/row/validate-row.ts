import type { Problem, Repair } from '../problems/problem.ts';
import type { Field, RawRow, Row } from '../row.ts';
import { type AmountStyle, parseAmount, plainAmount } from './parse-amount.ts';
import type { ConfiguredBanks } from './parse-bank-code.ts';
import { parseCountry } from './parse-country.ts';
import { parseCurrency } from './parse-currency.ts';
import { parseDebit } from './parse-debit.ts';
import { parseName } from './parse-name.ts';
import { parseNarration } from './parse-narration.ts';
import { parsePayee } from './parse-payee.ts';
import { parsePaymentId } from './parse-payment-id.ts';
import { type Cell, readCell } from './read-cell.ts';
import { type Columns, RowFindings } from './row-findings.ts';
import { mendCell } from './spreadsheet-damage.ts';

/** What a row cannot know by itself: facts of its file, and what the user said. */
export interface RowContext extends AmountStyle {
  readonly columns: Columns;
  readonly banks: ConfiguredBanks;
  readonly hasPaymentIdColumn: boolean;
}

export interface RowJudgement {
  /** Undefined where a problem is blocking. */
  readonly row: Row | undefined;
  readonly problems: readonly Problem[];
  readonly repairs: readonly Repair[];
}

/** Judges one row by itself, and says everything that is wrong with it at once. */
export function validateRow(raw: RawRow, context: RowContext): RowJudgement {
  const findings = new RowFindings(raw.line, context.columns);
  const cell = (field: Field): Cell => mendCell(readCell(raw, field), findings);
  const paymentId = parsePaymentId(cell('paymentId'), context.hasPaymentIdColumn, findings);
  const accountName = parseName(cell, findings);
  const country = parseCountry(cell('country'), findings);
  const currency = parseCurrency(cell('currency'), country, findings);
  const amount = cell('amount');
  const amountMinor =
    plainAmount(amount.text, currency, context) ?? parseAmount(amount, currency, context, findings);
  const payee = parsePayee(raw, country, context.banks, findings);
  const debit = parseDebit(cell('debitCurrency'), cell('debitCountry'), country, currency, findings);
  const narration = parseNarration(readCell(raw, 'narration'), findings);
  const { problems, repairs } = findings;
  if (
    findings.blocked ||
    accountName === undefined ||
    !country ||
    !currency ||
    amountMinor === undefined ||
    !payee ||
    !debit
  ) {
    return { row: undefined, problems, repairs };
  }
  const row: Row = {
    line: raw.line,
    paymentId,
    accountName,
    country: country.iso2,
    currency: currency.code,
    amountMinor,
    payee,
    ...debit,
    narration,
  };
  return { row, problems, repairs };
}
