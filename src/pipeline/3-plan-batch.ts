import { environmentKey } from '../domain/environment/environment.ts';
import type { RowFate } from '../domain/payout/row-fate.ts';
import type { Problem } from '../domain/problems/problem.ts';
import { batchProblem, spoilsFile } from '../domain/problems/problem-kinds.ts';
import type { PaymentKey } from '../domain/reference.ts';
import type { Field } from '../domain/row.ts';
import type { FileHeader } from '../file/header/file-header.ts';
import { type BatchRecord, readBatch } from '../journal/batch-record.ts';
import type { Draft } from '../journal/draft/draft.ts';
import type { DraftQueries } from '../journal/draft/draft-queries.ts';
import { type PlanQueries, planQueries } from '../journal/draft/plan-queries.ts';
import { previousRunDiff } from '../journal/draft/previous-run-diff.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { unsentBesides } from '../journal/payouts/wallet-totals.ts';
import { batchGuards, type GuardOptions } from './guards/guards.ts';
import { lockedRowProblem, type RetryCommand } from './plan/locked-row-problem.ts';
import type { CurrencyTotal, Plan } from './plan/plan.ts';
import { refuseFractions } from './plan/refuse-fractions.ts';

/** The draft as stages 1 and 2 leave it. */
export interface PlannedDraft {
  readonly draft: Draft;
  readonly questions: DraftQueries;
  readonly batch: string;
  readonly keyKind: PaymentKey['kind'];
  readonly isPart: boolean;
  /** The file was read to its end. */
  readonly complete: boolean;
  /** What the file calls its columns, for those who look a problem up in it. */
  readonly header?: FileHeader | undefined;
}

export interface PlanOptions extends Omit<GuardOptions, 'isPart'> {
  readonly noticePercent: number;
  /** What the digest covers besides the rows: limits and policies that shape what is paid. */
  readonly policies: Readonly<Record<string, unknown>>;
  readonly retryCommand?: RetryCommand | undefined;
  /** Those that the service takes, by currency; undefined where it was not asked. */
  readonly decimals?: ReadonlyMap<string, number> | undefined;
}

/** Stage 3: what the file would do, given what the journal remembers. Sends nothing and accepts nothing. */
export function planBatch(db: JournalDatabase, drafted: PlannedDraft, options: PlanOptions): Plan {
  const { draft, questions, batch, keyKind, isPart } = drafted;
  const journal = planQueries(db);
  const known = readBatch(db, batch);
  if (known) mergeRows(journal, draft, known, keyKind, options.retryCommand, drafted.header);
  if (options.decimals) refuseFractions(db, draft, options.decimals);
  return {
    batch,
    knownBatch: known,
    keyKind,
    ...questions.counts(),
    spoilt: !drafted.complete || questions.problemCodes().some(spoilsFile),
    fates: countFates(journal),
    totals: currencyTotals(questions),
    byDestination: questions.totals('destination'),
    byCountry: questions.totals('country'),
    byWallet: questions.totals('wallet', 'to-send'),
    besides: known ? unsentBesides(db, known.id, isPart) : [],
    gone: known && !isPart ? journal.gone(known.id) : { unsent: 0, sent: 0, first: [] },
    // A part of a batch says nothing of those who are not in it.
    diff: isPart ? undefined : previousRunDiff(db, batch, keyKind, options.noticePercent),
    guards: batchGuards(journal, questions, known, keyKind, { ...options, isPart }),
    digest: journal.digest([
      1,
      options.environment ? environmentKey(options.environment) : '',
      batch,
      keyKind,
      sorted(options.policies),
    ]),
  };
}

function mergeRows(
  journal: PlanQueries,
  draft: Draft,
  known: BatchRecord,
  keyKind: PaymentKey['kind'],
  retryCommand: RetryCommand | undefined,
  header: FileHeader | undefined,
): void {
  if (known.keyKind !== keyKind) {
    draft.addProblems([keyKindProblem(known, keyKind)]);
    journal.refuseAll();
    return;
  }
  journal.decideFates(known);
  for (const rows of journal.settledRows(known.id)) {
    const problems = rows.map((row) => lockedRowProblem(row, known.name, retryCommand));
    draft.addProblems(problems.map((problem) => inFile(problem, header)));
  }
  journal.refuseConflicts();
}

/** The column as the file calls it. */
function inFile(problem: Problem, header: FileHeader | undefined): Problem {
  const place = header?.fieldColumns[problem.column as Field];
  const column = place === undefined ? undefined : header?.columns[place];
  return column === undefined ? problem : { ...problem, column };
}

function keyKindProblem(batch: BatchRecord, keyKind: PaymentKey['kind']): Problem {
  const why = 'its payments cannot be told apart from those of the batch';
  const message =
    batch.keyKind === 'paymentId'
      ? `Batch ${batch.name} was begun with a paymentId column, which this file lacks: ${why}. Put the column back, or name another --batch.`
      : `Batch ${batch.name} was begun without a paymentId column, and this file has one: ${why}. Remove the column, or name another --batch.`;
  return batchProblem('key-kind-changed', { line: 0, column: 'paymentId', message, value: keyKind });
}

function countFates(journal: PlanQueries): Record<RowFate, number> {
  const counts: Record<RowFate, number> = {
    new: 0,
    'carries-on': 0,
    'brought-back': 0,
    replaced: 0,
    'new-attempt': 0,
    'stays-cancelled': 0,
    conflict: 0,
    renamed: 0,
  };
  for (const { fate, rows } of journal.fates()) counts[fate] += rows;
  return counts;
}

function currencyTotals(questions: DraftQueries): CurrencyTotal[] {
  const none = { rows: 0, amountMinor: 0n };
  const within = (which: 'to-send' | 'paid' | 'on-the-way') => {
    const totals = questions.totals('currency', which);
    return (currency: string) => totals.find((total) => total.currency === currency) ?? none;
  };
  const [toSend, paid, onTheWay] = [within('to-send'), within('paid'), within('on-the-way')];
  return questions.totals('currency').map(({ currency, rows, amountMinor }) => ({
    currency,
    rows,
    fileMinor: amountMinor,
    paidBeforeRows: paid(currency).rows,
    paidBeforeMinor: paid(currency).amountMinor,
    onTheWayRows: onTheWay(currency).rows,
    onTheWayMinor: onTheWay(currency).amountMinor,
    toSendRows: toSend(currency).rows,
    toSendMinor: toSend(currency).amountMinor,
  }));
}

/** The digest must not depend on the order in which somebody wrote the policies down. */
function sorted(policies: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(policies).sort(([one], [other]) => (one < other ? -1 : 1));
}
