import type { FileColumn } from '../../domain/file-columns.ts';
import { formatMoney, maskNumber } from '../../domain/money/format-money.ts';
import { isDoubted, isOpenDoubt } from '../../domain/payout/doubted.ts';
import type { RowStatus } from '../../domain/payout/payout-state.ts';
import {
  isTakenOut,
  mustBeFixed,
  payrunCells,
  type ResultRow,
  statusOfRow,
} from '../../domain/payout/result-row.ts';
import { findBank } from '../../domain/reference-data/banks.ts';
import { findCountry } from '../../domain/reference-data/countries.ts';
import type { Field } from '../../domain/row.ts';
import { maskNumbers, maskPayees } from '../../domain/text/mask-numbers.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import type { PayeeDetails } from '../../journal/payouts/payee-details.ts';

/** A row as a page shows it. Whatever came from outside is short, visible and without whole account numbers. */
export interface ReportRow {
  readonly line: number;
  readonly key: string;
  readonly name: string;
  readonly account: string;
  readonly rail: string;
  /** Of a row that is no payout, as the file has it. */
  readonly amount: string;
  /** What rows are sorted by: the currency, then the amount. */
  readonly amountSort: string;
  readonly status: RowStatus;
  readonly reason: string;
  readonly verdict: string;
  /** What the service calls the account. */
  readonly resolvedName: string;
  readonly settledMs: number | null;
  readonly transaction: string;
}

const longestReason = 400;

export function reportRow(
  row: ResultRow,
  details: PayeeDetails | undefined,
  columns: readonly FileColumn[],
): ReportRow {
  const cells = payrunCells(row, { batch: '', dayOf: () => '', event: '' });
  const { payout, line } = row;
  const cell = (field: Field) => row.cells[columns.findIndex(([, known]) => known === field)] ?? '';
  const written = cell('accountName') || `${cell('firstName')} ${cell('lastName')}`.trim();
  const reason = maskNumbers(cells.payrun_reason);
  return {
    line,
    key: readableText(maskPayees(cells.payrun_key)),
    name: readableText(maskNumbers(details?.accountName ?? written)),
    account: details ? maskNumber(details.number) : '',
    rail: details ? railName(details) : '',
    amount: payout
      ? formatMoney(payout.amountMinor, payout.currency)
      : readableText(maskNumbers(`${cell('currency')} ${cell('amount')}`.trim())),
    amountSort: payout ? `${payout.currency} ${payout.amountMinor}` : '',
    status: statusOfRow(row),
    reason: reason.length > longestReason ? `${reason.slice(0, longestReason - 1)}…` : reason,
    verdict: cells.payrun_verdict,
    resolvedName: readableText(maskNumbers(cells.payrun_resolved_name)),
    settledMs: payout?.settledMs ?? null,
    transaction: readableText(cells.payrun_transaction),
  };
}

/** Whether a person must look at a row: to fix it, to decide about it, or because it is paid and yet not in order. */
export function needsAttention(row: ResultRow): boolean {
  if (mustBeFixed(row)) return true;
  const { payrun_status: status, payrun_code: code } = payrunCells(row, {
    batch: '',
    dayOf: () => '',
    event: '',
  });
  if (status !== 'paid' || code === '') return status === 'unknown';
  // About what the service has said of it since, a person has decided.
  return !row.payout || row.payout.code !== code || !isDoubted(row.payout) || isOpenDoubt(row.payout);
}

/** Whether a row is neither paid nor anybody's task, because a person took it out of the file. */
export function isOutOfFile(row: ResultRow): boolean {
  return isTakenOut(row) || (!row.payout && !row.present);
}

/** A bank or an operator as people call it. */
export function railName({
  destination,
  country,
  bankCode,
  operator,
}: Pick<PayeeDetails, 'destination' | 'country' | 'bankCode' | 'operator'>): string {
  if (destination === 'Bank Account')
    return findBank(country, bankCode)?.name ?? `Bank ${readableText(bankCode)}`;
  const known = findCountry(country)?.operators.find(({ id }) => id === operator);
  return known?.name ?? (operator === '' ? 'Mobile money' : readableText(operator));
}
