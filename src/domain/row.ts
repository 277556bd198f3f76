import type { Minor } from './money/money.ts';

/** The fields of a payout file, by their canonical names. Aliases and `--map` lead other headers to them. */
export const fields = [
  'paymentId',
  'accountName',
  'firstName',
  'lastName',
  'country',
  'currency',
  'amount',
  'destination',
  'phoneNumber',
  'operator',
  'accountNumber',
  'bankCode',
  'branchCode',
  'debitCurrency',
  'debitCountry',
  'narration',
] as const;

export type Field = (typeof fields)[number];

export const nameFields = ['accountName', 'firstName', 'lastName'] as const satisfies readonly Field[];

/** Our own columns, read back by exact name from a results or retry file. */
export const payrunColumns = [
  'payrun_batch',
  'payrun_key',
  'payrun_status',
  'payrun_code',
  'payrun_reason',
  'payrun_paid_twice',
  'payrun_paid',
  'payrun_paid_on',
  'payrun_reference',
  'payrun_transaction',
  'payrun_account',
  'payrun_verdict',
  'payrun_resolved_name',
  'payrun_attempt',
  'payrun_submitted_at',
  'payrun_settled_at',
  'payrun_event',
] as const;

export type PayrunColumn = (typeof payrunColumns)[number];

/** By these a retry file is known. No status among them: that marks the file as a part of its batch. */
export const retryMarks: readonly PayrunColumn[] = [
  'payrun_batch',
  'payrun_key',
  'payrun_attempt',
  'payrun_reference',
  'payrun_reason',
];

/** Those of a retry file: whoever corrects a name has the service's beside it. */
export const retryColumns: readonly PayrunColumn[] = [
  ...retryMarks,
  'payrun_verdict',
  'payrun_resolved_name',
];

/** A line of the file as it came: nothing in it has been judged yet. */
export interface RawRow {
  /** The physical line, counted from 1, on which the row begins. */
  readonly line: number;
  /** Every cell as it came, in the order of the file's columns. Formula marks of our own writing are removed. */
  readonly cells: readonly string[];
  /** The cells that are fields, and defaults for absent columns; text as it came, the column being absent = undefined. */
  readonly values: Readonly<Partial<Record<Field, string>>>;
  /** Our own columns, where the file has them. */
  readonly payrun: Readonly<Partial<Record<PayrunColumn, string>>>;
}

/** A row that can be paid, in canonical form. */
export interface Row {
  readonly line: number;
  readonly paymentId: string | undefined;
  readonly accountName: string;
  readonly country: string;
  readonly currency: string;
  readonly amountMinor: Minor;
  readonly payee: Payee;
  readonly debitCurrency: string | undefined;
  readonly debitCountry: string | undefined;
  readonly narration: string | undefined;
}

/** Where the money goes. Operator and branch serve the rail; they are not part of who the payee is. */
export type Payee =
  | {
      readonly destination: 'MoMo';
      readonly country: string;
      /** E.164 with the leading plus. */
      readonly phoneNumber: string;
      readonly operator: string | undefined;
      readonly branchCode: string | undefined;
    }
  | {
      readonly destination: 'Bank Account';
      readonly country: string;
      readonly bankCode: string;
      readonly accountNumber: string;
      readonly branchCode: string | undefined;
    };
