import type { Environment } from '../../domain/environment/environment.ts';
import { otherEnvironment, type RebindCommand } from '../../domain/environment/other-environment.ts';
import { formatMoney, maskNumber } from '../../domain/money/format-money.ts';
import type { PaymentKey } from '../../domain/reference.ts';
import { dayText, isoDayIn } from '../../domain/text/day-text.ts';
import { shellWord } from '../../domain/text/shell-word.ts';
import type { ErrorCode } from '../../error-codes.ts';
import type { BatchRecord } from '../../journal/batch-record.ts';
import type { DraftQueries } from '../../journal/draft/draft-queries.ts';
import type { PlanQueries } from '../../journal/draft/plan-queries.ts';
import type { Repeat } from '../../journal/repeat-queries.ts';

/** Refuses before money moves. All that refuse are reported, not the first only. */
export interface Guard {
  readonly code: Extract<
    ErrorCode,
    'environment' | 'old-batch' | 'attempts' | 'repeats' | 'funds' | 'limit' | 'plan-moved' | 'approvals'
  >;
  readonly message: string;
}

export interface GuardOptions {
  readonly nowMs: number;
  /** Of the dates that people read. */
  readonly timeZone: () => string;
  /** Undefined where no service was asked. */
  readonly environment: Environment | undefined;
  /** For a batch that was begun with another account. */
  readonly rebindCommand?: RebindCommand | undefined;
  readonly repeatWindowMs: number;
  readonly allowRepeats: number;
  readonly sameBatch: boolean;
  readonly isPart: boolean;
}

const repeatsShown = 10;

/** The guards that need nothing but the journal. */
export function batchGuards(
  journal: PlanQueries,
  questions: DraftQueries,
  batch: BatchRecord | undefined,
  keyKind: PaymentKey['kind'],
  options: GuardOptions,
): Guard[] {
  return [
    environmentGuard(batch, options),
    oldBatchGuard(journal, batch, options),
    repeatsGuard(journal, questions, batch, keyKind, options),
  ].filter((guard) => guard !== undefined);
}

function environmentGuard(
  batch: BatchRecord | undefined,
  { environment, rebindCommand }: GuardOptions,
): Guard | undefined {
  if (!batch || environment === undefined) return undefined;
  const message = otherEnvironment(batch, environment, rebindCommand);
  return message === undefined ? undefined : { code: 'environment', message };
}

/** A batch sent long ago is last month's: the same name would mix two pay days. */
function oldBatchGuard(
  journal: PlanQueries,
  batch: BatchRecord | undefined,
  options: GuardOptions,
): Guard | undefined {
  if (!batch || batch.lastSendMs === null || options.sameBatch || options.isPart) return undefined;
  if (batch.lastSendMs >= options.nowMs - options.repeatWindowMs) return undefined;
  const fates = journal.fates();
  const count = (keep: (each: (typeof fates)[number]) => boolean) =>
    fates.filter(keep).reduce((sum, each) => sum + each.rows, 0);
  const rows = count(() => true);
  const paid = count(({ state }) => state === 'paid' || state === 'submitted');
  const added = count(({ fate }) => fate === 'new');
  const period = newPeriod(batch.name, options);
  return {
    code: 'old-batch',
    message: `Batch ${batch.name} was paid on ${dayText(batch.lastSendMs, options.timeZone())}: ${paid} of ${rows === 1 ? 'this one row' : `these ${rows} rows`} ${paid === 1 ? 'was' : 'were'} paid then, ${added} ${added === 1 ? 'is' : 'are'} new. A new period: --batch ${period}. The same period: --same-batch.`,
  };
}

/** As it is typed: `payroll` becomes `payroll-2026-11`, and so does `payroll-2026-10`. */
export function newPeriod(
  name: string,
  { nowMs, timeZone }: Pick<GuardOptions, 'nowMs' | 'timeZone'>,
): string {
  const date = isoDayIn(timeZone())(nowMs);
  const stem = name.replace(/[ ._-]?\d{4}[._-]?\d{2}(?:[._-]?\d{2})?$/, '');
  const monthly = [stem, date.slice(0, 7)].filter((part) => part !== '').join('-');
  return shellWord(monthly === name ? [stem, date].filter((part) => part !== '').join('-') : monthly);
}

function repeatsGuard(
  journal: PlanQueries,
  questions: DraftQueries,
  batch: BatchRecord | undefined,
  keyKind: PaymentKey['kind'],
  options: GuardOptions,
): Guard | undefined {
  const sinceMs = options.nowMs - options.repeatWindowMs;
  const { count, first, batches } = journal.repeats(batch?.id ?? -1, keyKind, sinceMs, repeatsShown);
  if (count <= options.allowRepeats) return undefined;
  const lines = first.map((repeat) => `  ${showRepeat(repeat, options)}`);
  const more = count > first.length ? [`  and ${count - first.length} more`] : [];
  const { valid } = questions.counts();
  const verb = count === 1 ? 'repeats' : 'repeat';
  const [other] = batches;
  const isRenamed = other !== undefined && batches.length === 1 && count === valid && count > 1 && !batch;
  if (isRenamed) return { code: 'repeats', message: renamedFile(count, other, [...lines, ...more]) };
  return {
    code: 'repeats',
    message: [
      `${count} of ${valid} payments ${verb} one that was planned or sent a short while ago:`,
      ...lines,
      ...more,
      `Take them out of the file. If they are meant, let them through with --allow-repeats ${count}.`,
    ].join('\n'),
  };
}

/** The likeliest by far comes first: the file has got another name. */
function renamedFile(count: number, batch: string, lines: readonly string[]): string {
  return [
    `All ${count} payments of this file are those of batch ${batch}:`,
    ...lines,
    `If it is the same file under another name, carry on with --batch ${shellWord(batch)}. Only if everybody is to be paid a second time: --allow-repeats ${count}.`,
  ].join('\n');
}

function showRepeat(repeat: Repeat, { timeZone }: GuardOptions): string {
  const money = formatMoney(repeat.amountMinor, repeat.currency);
  return `line ${repeat.line}: ${repeat.accountName} ${maskNumber(repeat.number)} ${money}, in batch ${repeat.batch} on ${dayText(repeat.atMs, timeZone())}`;
}
