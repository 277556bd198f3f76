import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { type BatchName, batchNameFromFile, fillBatchPattern, parseBatchName } from '../domain/batch-name.ts';
import { batchProblems } from '../domain/batch-problems.ts';
import { exitCode, PayrunError } from '../errors.ts';
import { type Draft, openDraft } from '../journal/draft.ts';
import { askDraft, type DraftQuestions } from '../journal/draft-questions.ts';
import type { JournalDatabase } from '../journal/open-journal.ts';
import { askJournal } from '../journal/plan-questions.ts';
import { type FileReading, type ReadRowsOptions, readRows } from './1-read-rows.ts';
import { type TakenIn, takeIn, type ValidateOptions, validateRows } from './2-validate-rows.ts';

export interface DraftOptions extends ReadRowsOptions, ValidateOptions {
  /** `--batch`, with its pattern unfilled. */
  readonly batch: string | undefined;
  readonly timeZone: string;
  readonly nowMs: number;
  readonly repeatWindowMs: number;
}

/** A file taken in and judged: stages 1 and 2. */
export interface DraftedFile {
  readonly draft: Draft;
  readonly questions: DraftQuestions;
  readonly reading: FileReading;
  readonly taken: TakenIn;
  readonly fileName: string;
  readonly batch: string;
  /** The batch name before dates were filled in. */
  readonly pattern: string;
  /** A retry file: a part of its batch, marked by having our identity columns but no status. */
  readonly isPart: boolean;
}

/** Reads a file once into a draft beside the journal and judges every row. Nothing is sent, nothing is accepted. */
export async function draftFile(
  db: JournalDatabase,
  source: string | Readable,
  options: DraftOptions,
): Promise<DraftedFile> {
  const draft = openDraft(db);
  const questions = askDraft(db);
  const fileName = typeof source === 'string' ? basename(source) : '-';
  const reading = await readRows(source, options);
  const taken = await takeIn(reading, draft, questions);
  const { batch, pattern } = chooseBatch(db, draft, taken, fileName, reading, options);
  validateRows(draft, questions, taken, reading, batch, options);
  const ours = taken.header?.payrunColumns ?? [];
  const isPart = ours.includes('payrun_batch') && !ours.includes('payrun_status');
  return { draft, questions, reading, taken, fileName, batch, pattern, isPart };
}

/**
 * The file's own payrun_batch, else `--batch`, else the file's name. Never the file's content: then editing one row
 * would make all others new, and pay them again.
 */
function chooseBatch(
  db: JournalDatabase,
  draft: Draft,
  taken: TakenIn,
  fileName: string,
  reading: FileReading,
  options: DraftOptions,
): { batch: string; pattern: string } {
  const [own, ...others] = taken.ownBatches;
  if (own !== undefined) {
    if (others.length > 0) {
      const message = `The file holds rows of several batches (payrun_batch: ${taken.ownBatches.slice(0, 5).join(', ')}). One file is one batch: put them into files of their own.`;
      draft.addProblems([problem('batch-mixed', message, taken.ownBatches.join(', '))]);
    }
    const parsed = parseBatchName(own);
    if ('problem' in parsed) draft.addProblems([problem('batch-invalid', parsed.problem, own)]);
    const name = 'name' in parsed ? parsed.name : own;
    if (options.batch !== undefined && options.batch !== name) {
      throw usage(
        `--batch ${options.batch} contradicts the file, whose payrun_batch is ${name}. Leave --batch out.`,
      );
    }
    return { batch: name, pattern: name };
  }
  const pattern = options.batch ?? named(batchNameFromFile(fileName), 'Give the batch a name with --batch.');
  if (!/\{(yyyy|MM|dd)\}/.test(pattern)) return { batch: named(parseBatchName(pattern), ''), pattern };
  // The same command after midnight carries on what it began, and does not begin the next day's batch.
  const begun = askJournal(db).unfinishedOfPattern(
    pattern,
    reading.facts.digest ?? '',
    options.nowMs - options.repeatWindowMs,
  );
  const batch = begun?.name ?? fillBatchPattern(pattern, options.nowMs, options.timeZone);
  return { batch: named(parseBatchName(batch), ''), pattern };
}

function named(name: BatchName, advice: string): string {
  if ('name' in name) return name.name;
  throw usage(`${name.problem} ${advice}`.trim());
}

function usage(message: string): PayrunError {
  return new PayrunError('batch-name', exitCode.usage, message);
}

function problem(code: 'batch-mixed' | 'batch-invalid', message: string, value: string) {
  return {
    line: 0,
    column: 'payrun_batch',
    code,
    message,
    value: value.slice(0, 80),
    blocking: batchProblems[code].blocking,
  };
}
