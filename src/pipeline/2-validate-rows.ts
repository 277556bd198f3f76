import { debitWallet } from '../domain/money/debit-wallet.ts';
import { walletName } from '../domain/money/wallet-name.ts';
import type { Problem } from '../domain/problems/problem.ts';
import { batchProblem } from '../domain/problems/problem-kinds.ts';
import { fingerprintOfKey, type PaymentKey, payeeKey, referenceOf } from '../domain/reference.ts';
import {
  type Identity,
  type IdentityContext,
  invalidRowKey,
  rowIdentity,
} from '../domain/row/row-identity.ts';
import { type RowContext, validateRow } from '../domain/row/validate-row.ts';
import type { Field, RawRow, Row } from '../domain/row.ts';
import { foldWords } from '../domain/text/fold-text.ts';
import type { FileReading } from '../file/file-reading.ts';
import type { FileHeader } from '../file/header/file-header.ts';
import { currenciesOfAmountHeader } from '../file/header/header-aliases.ts';
import type { Draft, DraftPayout, Judgement, StoredLine } from '../journal/draft/draft.ts';
import type { ReadWith } from '../journal/read-with.ts';
import type { ReadRowsOptions, ValidateOptions } from './draft/draft-options.ts';
import { readOtherwise } from './draft/read-otherwise.ts';
import type { RestoredLine } from './draft/restore-lines.ts';
import { stoppedFirst } from './run/stopped-first.ts';

/** Stage 2, first half: every line into the draft. The file is read just this once. */
export async function takeIn(reading: FileReading, draft: Draft): Promise<void> {
  // Reading keeps only so many problems, rows bring all of theirs; a problem that came with its row is not said twice.
  const said = new WeakSet<Problem>();
  for await (const rows of reading.pages) {
    for (const row of rows) for (const problem of row.problems) said.add(problem);
    draft.addLines(rows);
  }
  draft.addProblems(reading.problems.filter((problem) => !said.has(problem)));
}

/** Which payments the rows of a file are. */
export interface FileIdentity extends IdentityContext {
  /** Nobody will accept it. */
  readonly isOnlyChecked: boolean;
  /** For a file of ours that comes back: a line with what a spreadsheet did to it undone. */
  readonly restore?: ((line: StoredLine) => RestoredLine) | undefined;
  /** For a file of ours: how the batch's own file was read. */
  readonly readWith?: ReadWith | undefined;
}

/** A few milliseconds: meanwhile whatever else was begun goes on, such as the first call, and a stop is heard. */
const judgedAtOnce = 100;

/**
 * Stage 2, second half: every line judged by itself, now that the whole file has shown how it writes numbers, and
 * then beside the others.
 */
export async function validateRows(
  draft: Draft,
  header: FileHeader,
  reading: FileReading,
  identity: FileIdentity,
  { signal, ...options }: ValidateOptions & Pick<ReadRowsOptions, 'signal'>,
): Promise<void> {
  const columns = columnNames(header);
  const rawRow = rawRows(header);
  const context: RowContext = {
    delimiter: header.delimiter,
    // Alone in a retry file the same text can mean something else: 12,500 beside no decimal comma.
    decimalCommaSeen: reading.facts.decimalCommaSeen || identity.readWith?.decimalCommaSeen === true,
    decimalPointSeen: reading.facts.decimalPointSeen || identity.readWith?.decimalPointSeen === true,
    decimal: options.decimal ?? identity.readWith?.decimal,
    amountCurrencies: currenciesOfAmountHeader(columns.amount ?? ''),
    columns,
    banks: options.banks,
    hasPaymentIdColumn: identity.keyKind === 'paymentId',
  };
  // One by one, so that a judgement is gone with its row: what lives longer costs most to clear away.
  function* judged(lines: readonly StoredLine[]): Generator<Judgement> {
    for (const line of lines) yield judgeLine(line, rawRow, context, identity);
  }
  for (const lines of draft.linePages())
    for (let from = 0; from < lines.length; from += judgedAtOnce) {
      draft.addJudgements(judged(lines.slice(from, from + judgedAtOnce)));
      await new Promise(setImmediate);
      if (signal?.aborted) throw stoppedFirst('the file was judged');
    }
  draft.finish();
  draft.addCrossRowProblems(identity.keyKind, options.allowShared, {
    paymentId: 'paymentId',
    accountName: 'accountName',
    amount: 'amount',
    phoneNumber: 'phoneNumber',
    accountNumber: 'accountNumber',
    ...columns,
  });
}

function judgeLine(
  read: StoredLine,
  rawRow: (line: StoredLine) => RawRow,
  context: RowContext,
  identity: FileIdentity,
): Judgement {
  if (read.unreadable) return { stored: read, key: undefined, payout: undefined, problems: [], repairs: [] };
  const restored = identity.restore?.(read) ?? { line: read, repairs: [], questions: [] };
  const stored = restored.line;
  if (restored.isGone) return passedOver(stored);
  const raw = rawRow(stored);
  if (restored.asBefore) return judgedBefore(restored, restored.asBefore, raw, identity.keyKind);
  const { row, problems: found, repairs: mended } = validateRow(raw, context);
  const repairs = [...restored.repairs, ...mended];
  // Of a cell that is asked about there is nothing else to say.
  const asked = restored.questions.map(({ column }) => column);
  const problems = [...restored.questions, ...found.filter(({ column }) => !asked.includes(column))];
  if (!row || asked.length > 0) {
    return { stored, key: invalidRowKey(raw, identity.keyKind), payout: undefined, problems, repairs };
  }
  const own = rowIdentity(row, raw, identity);
  const payout = draftPayout(row, own, identity);
  const otherwise = restored.kept ? readOtherwise(stored.line, restored.kept, payout, identity.readWith) : [];
  const broken = otherwise.length > 0 || own.problems.some((problem) => problem.blocking);
  return {
    stored,
    key: own.key,
    payout: broken ? undefined : payout,
    problems: [...problems, ...own.problems, ...otherwise],
    repairs,
  };
}

/** Feeding the results back is feeding the file, and that does not have the row any more. */
function passedOver(stored: StoredLine): Judgement {
  const message =
    'The row was taken out of the file of the batch before it could be paid, and is passed over. To pay it, correct it here, or put it into the file.';
  const problem = batchProblem('row-passed-over', { line: stored.line, message, value: '' });
  return { stored, key: undefined, payout: undefined, problems: [problem], repairs: [], isPassedOver: true };
}

/**
 * Alone in a retry file the same text can mean something else: 12,500 beside no decimal comma, a cell that was cut off.
 * Only a row that somebody corrected is judged anew.
 */
function judgedBefore(
  { line: stored, repairs }: RestoredLine,
  before: NonNullable<RestoredLine['asBefore']>,
  raw: RawRow,
  keyKind: PaymentKey['kind'],
): Judgement {
  if ('payout' in before)
    return { stored, key: before.payout.key, payout: before.payout, problems: [], repairs };
  const problem = batchProblem('row-still-invalid', {
    line: stored.line,
    message: before.problem,
    value: '',
  });
  return { stored, key: invalidRowKey(raw, keyKind), payout: undefined, problems: [problem], repairs };
}

/** Cells by the fields that they are. */
export function rawRows({ defaults, fieldColumns }: FileHeader): (read: Omit<RawRow, 'values'>) => RawRow {
  const columns = Object.entries(fieldColumns) as [Field, number][];
  return ({ line, cells, payrun }) => {
    const values: Partial<Record<Field, string>> = { ...defaults };
    for (const [field, index] of columns) values[field] = cells[index] ?? '';
    return { line, cells, values, payrun };
  };
}

function columnNames(header: FileHeader): RowContext['columns'] {
  return Object.fromEntries(
    Object.entries(header.fieldColumns).map(([field, index]) => [field, header.columns[index] ?? field]),
  );
}

function draftPayout(row: Row, { key, attempt }: Identity, identity: FileIdentity): DraftPayout {
  const { batch, keyKind, isOnlyChecked } = identity;
  const { payee, amountMinor, currency } = row;
  const wallet = debitWallet(row);
  const whose = payeeKey(payee);
  const isMobile = payee.destination === 'MoMo';
  return {
    key,
    // These two take longer than all the rest. A draft that is only checked does not keep them.
    reference: isOnlyChecked ? '' : referenceOf(batch, keyKind, key, attempt),
    attempt,
    fingerprint: isOnlyChecked ? '' : fingerprintOfKey(whose, { amountMinor, currency, debitWallet: wallet }),
    payee: whose,
    accountName: row.accountName,
    foldedName: foldWords(row.accountName).sort().join(' '),
    country: row.country,
    currency,
    amountMinor,
    destination: payee.destination,
    number: isMobile ? payee.phoneNumber : payee.accountNumber,
    bankCode: isMobile ? '' : payee.bankCode,
    operator: isMobile ? (payee.operator ?? '') : '',
    branchCode: payee.branchCode ?? '',
    debitCurrency: row.debitCurrency ?? '',
    debitCountry: row.debitCountry ?? '',
    wallet: walletName(wallet),
    narration: row.narration ?? '',
  };
}
