import {
  type BatchName,
  batchNameFromFile,
  fillBatchPattern,
  parseBatchName,
} from '../../domain/batch-name.ts';
import type { Problem } from '../../domain/problems/problem.ts';
import { batchProblem } from '../../domain/problems/problem-kinds.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import { PayrunError } from '../../errors.ts';
import type { PlanQueries } from '../../journal/draft/plan-queries.ts';

export interface BatchWish {
  /** What the file's own payrun_batch cells say; a few of them. */
  readonly ownBatches: readonly string[];
  /** `--batch`, with its pattern unfilled. */
  readonly wanted: string | undefined;
  readonly fileName: string;
  /** Taken where neither says a name and the file's own name cannot be one; without it that is a usage error. */
  readonly otherwise: string | undefined;
  readonly fileDigest: string;
  readonly timeZone: () => string;
  readonly nowMs: number;
  readonly repeatWindowMs: number;
}

export interface ChosenBatch {
  readonly name: string;
  /** The name before dates were filled in; the name itself where it has none. */
  readonly pattern: string;
  /** Of the date that was filled in; undefined where none was. */
  readonly timeZone?: string | undefined;
  /** An earlier day's batch of the same pattern and content, which is not finished yet. */
  readonly carriedOn: boolean;
  readonly problems: readonly Problem[];
}

/**
 * The file's own payrun_batch, else `--batch`, else the file's name. Never the file's content: then editing one row
 * would make all others new, and pay them again.
 */
export function chooseBatch(journal: Pick<PlanQueries, 'unfinishedOfPattern'>, wish: BatchWish): ChosenBatch {
  if (wish.ownBatches.length > 0) return ownBatch(wish);
  const pattern = wish.wanted ?? nameOfFile(wish);
  if (!hasDate(pattern)) {
    const name = named(parseBatchName(pattern));
    return { name, pattern: name, carriedOn: false, problems: [] };
  }
  // The same command after midnight carries on what it began, and does not begin the next day's batch.
  const sinceMs = wish.nowMs - wish.repeatWindowMs;
  const begun = journal.unfinishedOfPattern(pattern, wish.fileDigest, sinceMs);
  const name = begun ?? named(parseBatchName(filled(pattern, wish)));
  return { name, pattern, timeZone: wish.timeZone(), carriedOn: begun !== undefined, problems: [] };
}

function ownBatch(wish: BatchWish): ChosenBatch {
  const problems: Problem[] = [];
  const parsed = wish.ownBatches.map(parseBatchName);
  const names = [...new Set(parsed.map((each) => ('name' in each ? each.name : '')))];
  const invalid = parsed.findIndex((each) => 'problem' in each);
  const refused = parsed[invalid];
  if (refused && 'problem' in refused) {
    const message = `${refused.problem} It stands in the column payrun_batch.`;
    problems.push(batchFinding('batch-invalid', message, wish.ownBatches[invalid] ?? ''));
  }
  if (names.length > 1) {
    const shown = wish.ownBatches.slice(0, 5).map(readableText).join(', ');
    const message = `The file holds rows of several batches (payrun_batch: ${shown}). One file is one batch: put the rows of each into a file of their own.`;
    problems.push(batchFinding('batch-mixed', message, shown));
  }
  const name = names.find((each) => each !== '') ?? 'unnamed';
  const wanted = wish.wanted === undefined ? name : named(parseBatchName(filled(wish.wanted, wish)));
  if (wanted !== name && problems.length === 0) {
    throw usage(`--batch ${wanted} contradicts the file, whose payrun_batch is ${name}. Leave --batch out.`);
  }
  return { name, pattern: name, carriedOn: false, problems };
}

function batchFinding(code: 'batch-mixed' | 'batch-invalid', message: string, value: string): Problem {
  return batchProblem(code, { line: 0, column: 'payrun_batch', message, value });
}

function nameOfFile({ fileName, otherwise }: BatchWish): string {
  if (fileName === '-' && otherwise === undefined)
    throw usage(
      'What comes through a pipe has no name. Give the batch one with --batch, such as payroll-2026-11.',
    );
  const name = batchNameFromFile(fileName);
  if ('problem' in name && otherwise !== undefined) return otherwise;
  return named(name, 'Give the batch a name with --batch.');
}

/** Whether a date is filled in. */
export function hasDate(pattern: string): boolean {
  return /\{(?:yyyy|MM|dd)\}/.test(pattern);
}

function filled(pattern: string, { nowMs, timeZone }: BatchWish): string {
  return hasDate(pattern) ? fillBatchPattern(pattern, nowMs, timeZone()) : pattern;
}

function named(name: BatchName, advice = ''): string {
  if ('name' in name) return name.name;
  throw usage(`${name.problem} ${advice}`.trim());
}

function usage(message: string): PayrunError {
  return new PayrunError('batch-name', message);
}
