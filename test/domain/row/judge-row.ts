import { type RowContext, type RowJudgement, validateRow } from '../../../src/domain/row/validate-row.ts';
import type { Field } from '../../../src/domain/row.ts';

export type Values = Partial<Record<Field, string>>;

export const plainContext: RowContext = {
  delimiter: ',',
  decimalCommaSeen: false,
  decimalPointSeen: false,
  decimal: undefined,
  amountCurrencies: [],
  columns: {},
  banks: {},
  hasPaymentIdColumn: true,
};

/** A row without fault: a test changes the cells that it is about. */
export const mobileRow: Values = {
  paymentId: 'EMP-17',
  accountName: 'Mary Wanjiku Kamau',
  country: 'KE',
  currency: 'KES',
  amount: '1250.50',
  phoneNumber: '0712345678',
};

export const bankRow: Values = {
  paymentId: 'EMP-18',
  accountName: 'Otieno Okoth',
  country: 'KE',
  currency: 'KES',
  amount: '1250.50',
  accountNumber: '0123456789012',
  bankCode: '68',
};

export function judgeRow(values: Values, context: Partial<RowContext> = {}): RowJudgement {
  return validateRow({ line: 7, cells: [], values, payrun: {} }, { ...plainContext, ...context });
}

/** The codes of all problems, blocking or not, and of all repairs. */
export function codesOf(judgement: RowJudgement): string[] {
  return [...judgement.problems, ...judgement.repairs].map(({ code }) => code);
}
