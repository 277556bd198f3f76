import type { BatchProblemCode } from '../domain/batch-problems.ts';
import { batchProblems } from '../domain/batch-problems.ts';
import { cleanText } from '../domain/clean-text.ts';
import { debitWallet } from '../domain/debit-wallet.ts';
import { foldWords } from '../domain/fold-text.ts';
import type { ConfiguredBanks } from '../domain/parse-bank-code.ts';
import type { Problem } from '../domain/problem.ts';
import { fingerprintOf, type PaymentKey, payeeKey, referenceOf } from '../domain/reference.ts';
import type { Field, RawRow, Row } from '../domain/row.ts';
import { type RowContext, validateRow } from '../domain/validate-row.ts';
import type { DecimalMark } from '../file/amount-sums.ts';
import type { FileHeader } from '../file/file-header.ts';
import type { Draft, DraftPayout, Judgement, StoredLine } from '../journal/draft.ts';
import type { DraftQuestions } from '../journal/draft-questions.ts';
import type { FileReading } from './1-read-rows.ts';

export interface ValidateOptions {
  readonly decimal?: DecimalMark | undefined;
  readonly banks: ConfiguredBanks;
  /** One number may stand under this many names. */
  readonly allowShared: number;
}

/** What validation learned of the file besides the rows. */
export interface TakenIn {
  /** Undefined: the file has no rows that could be read. */
  readonly header: FileHeader | undefined;
  readonly keyKind: PaymentKey['kind'];
  /** The batches its own payrun_batch column names. */
  readonly ownBatches: readonly string[];
}

const rowsAtOnce = 1000;

/** Stage 2, first half: every line into the draft. The file is read just this once. */
export async function takeIn(
  reading: FileReading,
  draft: Draft,
  questions: DraftQuestions,
): Promise<TakenIn> {
  let lines: StoredLineInput[] = [];
  for await (const row of reading.rows) {
    lines.push({ ...row, payrun: row.payrun, unreadable: row.problems.some((problem) => problem.blocking) });
    if (lines.length === rowsAtOnce) {
      draft.addLines(lines);
      lines = [];
    }
  }
  draft.addLines(lines);
  draft.addProblems(reading.problems);
  const { header } = reading;
  return {
    header,
    keyKind: header?.fieldColumns.paymentId === undefined ? 'payee' : 'paymentId',
    ownBatches: header?.payrunColumns.includes('payrun_batch') ? questions.ownBatches() : [],
  };
}

type StoredLineInput = Parameters<Draft['addLines']>[0][number];

/**
 * Stage 2, second half: every line judged by itself, now that the whole file has shown how it writes numbers, and
 * then beside the others.
 */
export function validateRows(
  draft: Draft,
  questions: DraftQuestions,
  taken: TakenIn,
  reading: FileReading,
  batch: string,
  options: ValidateOptions,
): void {
  const { header } = taken;
  if (!header) return;
  const context: RowContext = {
    delimiter: header.delimiter,
    decimalCommaSeen: reading.facts.decimalCommaSeen,
    decimalPointSeen: reading.facts.decimalPointSeen,
    decimal: options.decimal,
    columns: columnNames(header),
    banks: options.banks,
    hasPaymentIdColumn: taken.keyKind === 'paymentId',
  };
  let position = 0;
  for (;;) {
    const lines = draft.linesAfter(position, rowsAtOnce);
    const last = lines.at(-1);
    if (!last) break;
    position = last.position;
    draft.addJudgements(lines.map((line) => judgeLine(line, header, context, taken.keyKind, batch)));
  }
  draft.makeIndexes();
  const columns = {
    paymentId: 'paymentId',
    accountName: 'accountName',
    amount: 'amount',
    phoneNumber: 'phoneNumber',
    accountNumber: 'accountNumber',
    ...context.columns,
  };
  questions.refuseDuplicates(taken.keyKind, columns);
  questions.refuseSharedNumbers(options.allowShared, columns);
  questions.warnOfLookalikes(taken.keyKind, columns);
}

function judgeLine(
  line: StoredLine,
  header: FileHeader,
  context: RowContext,
  keyKind: PaymentKey['kind'],
  batch: string,
): Judgement {
  const { position } = line;
  if (line.unreadable) return { position, key: undefined, payout: undefined, problems: [], repairs: [] };
  const raw = rawRow(line, header);
  const { row, problems, repairs } = validateRow(raw, context);
  if (!row) return { position, key: keyOfInvalid(raw, keyKind), payout: undefined, problems, repairs };
  const identity = identityOf(row, raw, keyKind, batch);
  const all = [...problems, ...identity.problems];
  const broken = identity.problems.some((problem) => problem.blocking);
  const payout = broken ? undefined : draftPayout(row, identity, batch, keyKind);
  return { position, key: identity.key, payout, problems: all, repairs };
}

function keyOfInvalid(raw: RawRow, keyKind: PaymentKey['kind']): string | undefined {
  const text = cleanText(
    raw.payrun.payrun_key || (keyKind === 'paymentId' ? (raw.values.paymentId ?? '') : ''),
  ).text;
  return text === '' || /^line:\d+$/.test(text) ? undefined : text.slice(0, 400);
}

function rawRow(line: StoredLine, header: FileHeader): RawRow {
  const values: Partial<Record<Field, string>> = { ...header.defaults };
  for (const [field, index] of Object.entries(header.fieldColumns))
    values[field as Field] = line.cells[index] ?? '';
  return { line: line.line, cells: line.cells, values, payrun: line.payrun };
}

function columnNames(header: FileHeader): RowContext['columns'] {
  return Object.fromEntries(
    Object.entries(header.fieldColumns).map(([field, index]) => [field, header.columns[index] ?? field]),
  );
}

interface Identity {
  readonly key: string;
  readonly attempt: number;
  readonly problems: readonly Problem[];
}

/**
 * In a file of ours the key beside the row says which payment it is, so that a corrected number stays the same
 * payment; its reference must belong to that key, or somebody moved cells about. Rows added by hand have none.
 */
function identityOf(row: Row, raw: RawRow, keyKind: PaymentKey['kind'], batch: string): Identity {
  const own = keyKind === 'paymentId' ? (row.paymentId ?? '') : payeeKey(row.payee);
  const given = raw.payrun.payrun_key?.trim() ?? '';
  if (given === '' || /^line:\d+$/.test(given)) return { key: own, attempt: 1, problems: [] };
  const attempt = Number(raw.payrun.payrun_attempt?.trim() || '1');
  const reference = raw.payrun.payrun_reference?.trim() ?? '';
  const fits =
    Number.isInteger(attempt) &&
    attempt >= 1 &&
    attempt <= 1000 &&
    reference === referenceOf(batch, keyKind, given, attempt);
  if (!fits) {
    const message = `Line ${raw.line} carries payrun_key "${given}" with a payrun_reference that is not its own. Somebody moved or changed payrun_ cells: take the row from the results file again, or empty its payrun_key and payrun_reference if it is a new payment.`;
    return {
      key: given,
      attempt: 1,
      problems: [problemOf('identity-broken', raw.line, 'payrun_reference', message, reference)],
    };
  }
  if (keyKind === 'paymentId' && own !== given) {
    const message = `Line ${raw.line} says paymentId "${own}", but payrun_key says it is payment "${given}", and that counts. For another payment empty the payrun_ cells of the row.`;
    return {
      key: given,
      attempt,
      problems: [problemOf('payment-id-ignored', raw.line, 'payrun_key', message, given)],
    };
  }
  return { key: given, attempt, problems: [] };
}

function draftPayout(row: Row, identity: Identity, batch: string, keyKind: PaymentKey['kind']): DraftPayout {
  const wallet = debitWallet(row);
  const { payee } = row;
  return {
    key: identity.key,
    reference: referenceOf(batch, keyKind, identity.key, identity.attempt),
    attempt: identity.attempt,
    fingerprint: fingerprintOf({
      payee,
      amountMinor: row.amountMinor,
      currency: row.currency,
      debitWallet: wallet,
    }),
    payee: payeeKey(payee),
    accountName: row.accountName,
    foldedName: foldWords(row.accountName).sort().join(' '),
    country: row.country,
    currency: row.currency,
    amountMinor: row.amountMinor,
    destination: payee.destination,
    number: payee.destination === 'MoMo' ? payee.phoneNumber : payee.accountNumber,
    bankCode: payee.destination === 'MoMo' ? '' : payee.bankCode,
    operator: payee.destination === 'MoMo' ? (payee.operator ?? '') : '',
    branchCode: payee.branchCode ?? '',
    debitCurrency: row.debitCurrency ?? '',
    debitCountry: row.debitCountry ?? '',
    wallet: wallet.country === undefined ? wallet.currency : `${wallet.currency}:${wallet.country}`,
    narration: row.narration ?? '',
  };
}

function problemOf(
  code: BatchProblemCode,
  line: number,
  column: string,
  message: string,
  value: string,
): Problem {
  return { line, column, code, message, value: value.slice(0, 80), blocking: batchProblems[code].blocking };
}
