import { batchProblems } from '../domain/batch-problems.ts';
import type { RowFate } from '../domain/plan-row.ts';
import type { Problem } from '../domain/problem.ts';
import type { PaymentKey } from '../domain/reference.ts';
import { maskNumber, showMoney } from '../domain/show-money.ts';
import type { Draft } from '../journal/draft.ts';
import type { DraftQuestions, Total } from '../journal/draft-questions.ts';
import type { JournalDatabase } from '../journal/open-journal.ts';
import { type PayRunDiff, payRunDiff } from '../journal/pay-run-diff.ts';
import type { Conflict, GonePayout, JournalQuestions, KnownBatch } from '../journal/plan-questions.ts';
import type { Guard } from './guards.ts';
import { batchGuards, type GuardOptions } from './guards.ts';

/** What a draft would do. A small value over rows that stay in SQL: it is made before anything happens. */
export interface Plan {
  readonly batch: string;
  readonly knownBatch: KnownBatch | undefined;
  readonly keyKind: PaymentKey['kind'];
  readonly rows: number;
  readonly valid: number;
  readonly blocking: number;
  readonly warnings: number;
  readonly fates: Readonly<Record<RowFate, number>>;
  readonly totals: readonly CurrencyTotal[];
  readonly byDestination: readonly Total[];
  readonly byCountry: readonly Total[];
  /** What each wallet is asked for, in the currency paid out. */
  readonly byWallet: readonly Total[];
  readonly gone: { readonly unsent: number; readonly sent: number; readonly first: readonly GonePayout[] };
  readonly diff: PayRunDiff | undefined;
  readonly guards: readonly Guard[];
  readonly digest: string;
}

export interface CurrencyTotal {
  readonly currency: string;
  readonly rows: number;
  readonly fileMinor: bigint;
  readonly paidBeforeMinor: bigint;
  readonly toSendMinor: bigint;
}

export interface PlanOptions extends GuardOptions {
  readonly noticePercent: number;
  /** What the digest covers besides the rows: limits and policies that shape what is paid. */
  readonly policies: Readonly<Record<string, unknown>>;
  /** A retry file holds a part of its batch and drops nothing. */
  readonly isPart: boolean;
}

/** Stage 3: what the file would do, given what the journal remembers. Sends nothing and accepts nothing. */
export function planBatch(
  db: JournalDatabase,
  draft: Draft,
  questions: DraftQuestions,
  journal: JournalQuestions,
  batch: string,
  keyKind: PaymentKey['kind'],
  options: PlanOptions,
): Plan {
  const knownBatch = journal.findBatch(batch);
  if (knownBatch && knownBatch.keyKind !== keyKind) draft.addProblems([keyKindProblem(knownBatch, keyKind)]);
  else journal.decideFates(knownBatch);
  if (knownBatch) {
    draft.addProblems(journal.conflicts(knownBatch.id).map(conflictProblem));
    draft.addProblems(journal.renamedLines().map(renamedProblem));
    journal.refuseConflicts();
  }
  const counts = questions.counts();
  const gone =
    knownBatch && !options.isPart ? journal.gone(knownBatch.id) : { unsent: 0, sent: 0, first: [] };
  return {
    batch,
    knownBatch,
    keyKind,
    ...counts,
    fates: countFates(journal),
    totals: currencyTotals(questions),
    byDestination: questions.totals('destination'),
    byCountry: questions.totals('country'),
    byWallet: questions.totals('wallet', 'to-send'),
    gone,
    diff: payRunDiff(db, batch, options.noticePercent),
    guards: batchGuards(journal, questions, knownBatch, keyKind, options),
    digest: journal.digest([1, options.environment ?? '', batch, keyKind, options.policies]),
  };
}

function countFates(journal: JournalQuestions): Record<RowFate, number> {
  const counts: Record<RowFate, number> = {
    new: 0,
    'carries-on': 0,
    replaced: 0,
    'new-attempt': 0,
    'stays-cancelled': 0,
    conflict: 0,
    renamed: 0,
  };
  for (const { fate, rows } of journal.fates()) counts[fate] += rows;
  return counts;
}

function currencyTotals(questions: DraftQuestions): CurrencyTotal[] {
  const amountIn = (totals: readonly Total[], currency: string) =>
    totals.find((total) => total.currency === currency)?.amountMinor ?? 0n;
  const toSend = questions.totals('currency', 'to-send');
  const paid = questions.totals('currency', 'paid');
  return questions.totals('currency').map(({ currency, rows, amountMinor }) => ({
    currency,
    rows,
    fileMinor: amountMinor,
    paidBeforeMinor: amountIn(paid, currency),
    toSendMinor: amountIn(toSend, currency),
  }));
}

function keyKindProblem(batch: KnownBatch, keyKind: PaymentKey['kind']): Problem {
  const message =
    batch.keyKind === 'paymentId'
      ? `Batch ${batch.name} was begun with a paymentId column, which this file lacks: without it payments cannot be told apart from those already sent. Put the column back, or name another --batch.`
      : `Batch ${batch.name} was begun without a paymentId column, and this file has one: its payments cannot be told apart from those already sent. Remove the column, or name another --batch.`;
  return {
    line: 0,
    column: 'paymentId',
    code: 'key-kind-changed',
    message,
    value: keyKind,
    blocking: batchProblems['key-kind-changed'].blocking,
  };
}

function conflictProblem(conflict: Conflict): Problem {
  const sent = `${showMoney(conflict.sentMinor, conflict.sentCurrency)} to ${maskNumber(conflict.sentNumber)}`;
  const now = `${showMoney(conflict.fileMinor, conflict.fileCurrency)} to ${maskNumber(conflict.fileNumber)}`;
  return {
    line: conflict.line,
    column: undefined,
    code: 'row-conflict',
    message: `Payment ${conflict.key} was already sent as ${sent}; the file now says ${now}. What was sent cannot be changed: put the row back as it was, or pay the difference as a new payment with an id of its own.`,
    value: conflict.key,
    blocking: batchProblems['row-conflict'].blocking,
  };
}

function renamedProblem({ line, name }: { line: number; name: string }): Problem {
  const message = `Name or narration were changed after the payout was sent. Nothing else changes: the money went to the same account.`;
  return {
    line,
    column: 'accountName',
    code: 'row-renamed',
    message,
    value: name,
    blocking: batchProblems['row-renamed'].blocking,
  };
}
