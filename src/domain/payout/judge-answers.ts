import { readableText } from '../text/readable-text.ts';
import {
  type Contradiction,
  type Judgement,
  judgeTransaction,
  type TransactionStatus,
} from './judge-transaction.ts';
import { isShown, type JudgedPayout, type ShownTransaction } from './shown-transaction.ts';

/**
 * Judges one transaction by all that the service says of it: its single read, and its rows in the list. Each may show
 * what the other leaves out, and what either shows must agree. Two answers that do not mean the same prove neither
 * success nor failure. Only one difference is none: a list that still says pending where the read says successful.
 */
export function judgeAnswers(
  read: ShownTransaction,
  rows: readonly ShownTransaction[],
  payout: JudgedPayout,
  asked = read.transactionId,
): Judgement {
  let judged = judgeTransaction(read, payout, asked);
  for (const row of rows) {
    if (row.transactionId === asked) judged = joined(judged, read, judgeTransaction(row, payout, asked), row);
  }
  return judged;
}

function joined(
  judged: Judgement,
  read: ShownTransaction,
  byRow: Judgement,
  row: ShownTransaction,
): Judgement {
  if (judged.kind === 'other-reference') return judged;
  if (byRow.kind === 'other-reference')
    return { kind: 'differs', why: 'the list shows it under another reference', status: 'pending' };
  const contradiction =
    contradictionIn(judged) ??
    contradictionIn(byRow) ??
    contradictionOf(read, judged.status, row, byRow.status);
  const status = contradiction ? 'pending' : judged.status;
  const differing = judged.kind === 'differs' ? judged : byRow;
  if (differing.kind === 'differs') return { kind: 'differs', why: differing.why, status };
  // The list cuts fractions off: what the single read shows is the better word.
  const shownMinor = (judged.kind === 'ours' ? judged.shownMinor : undefined) ?? differing.shownMinor;
  return { kind: 'ours', status, ...(contradiction && { contradiction }), shownMinor };
}

function contradictionIn(judged: Judgement): Contradiction | undefined {
  return judged.kind === 'ours' ? judged.contradiction : undefined;
}

function contradictionOf(
  read: ShownTransaction,
  readStatus: TransactionStatus,
  row: ShownTransaction,
  rowStatus: TransactionStatus,
): Contradiction | undefined {
  const [readWord, rowWord] = [wordOf(read), wordOf(row)];
  if (readWord === undefined || rowWord === undefined || readStatus === rowStatus) return undefined;
  if (readStatus === 'successful' && rowStatus === 'pending') return undefined;
  return { status: readableText(readWord), chargeStatus: readableText(rowWord) };
}

function wordOf({ status, chargeStatus }: ShownTransaction): string | undefined {
  return [status, chargeStatus].find(isShown);
}
