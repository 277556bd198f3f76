import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify/sync';
import { neutralise } from '../domain/formula-mark.ts';
import { mustBeFixed, payrunCells, type ResultRow } from '../domain/result-row.ts';
import { type ResultSums, ResultTally } from '../domain/result-tally.ts';
import { type PayrunColumn, payrunColumns } from '../domain/row.ts';
import { shellWord } from '../domain/shell-word.ts';
import { exitCode, PayrunError } from '../errors.ts';
import type { Journal } from '../journal/journal.ts';
import type { ResultBatch, ResultRows } from '../journal/result-rows.ts';
import { placeTrouble } from './results-path.ts';
import { placeRetryFile } from './retry-file.ts';
import type { OnEvent } from './run-events.ts';
import { removeLeftovers, type StagedFile, stageFile } from './staged-file.ts';

export interface ResultsContext {
  readonly rows: ResultRows;
  readonly journal: Pick<Journal, 'write'>;
  /** In which the date of a payment is told. */
  readonly timeZone: string;
  readonly onEvent: OnEvent;
}

export interface WrittenResults extends ResultSums {
  readonly resultsPath: string;
  readonly retryPath: string | undefined;
}

/**
 * Stage 8: the results of a batch and the rows of it that a person must fix, each written whole or not at all. Under the
 * batch's lock: what lies half-written beside them is then from a run that was killed.
 */
export async function writeResults(context: ResultsContext): Promise<WrittenResults> {
  const batch = context.rows.batch();
  const folder = dirname(batch.resultsPath);
  const staged: StagedFile[] = [];
  const stage = async (): Promise<StagedFile> => {
    const file = await stageFile(folder, batch.name);
    staged.push(file);
    return file;
  };
  try {
    const trouble = await placeTrouble(batch.resultsPath, batch.name);
    if (trouble !== undefined) throw notWritten(batch, trouble);
    await removeLeftovers(folder, batch.name);
    const { results, retry, sums } = await writeRows(context, batch, stage);
    await results.finish();
    await results.moveTo(batch.resultsPath);
    const { path, kept } = await placeRetryFile(context.rows, context.journal, batch, retry);
    for (const file of kept) {
      const instead = path === undefined ? '' : `; the rows to fix are in ${path}`;
      context.onEvent({
        kind: 'notice',
        message: `${file} was changed by hand and is left as it is${instead}`,
      });
    }
    return { ...sums, resultsPath: batch.resultsPath, retryPath: path };
  } catch (error) {
    throw isOfSystem(error) ? notWritten(batch, error.message, error) : error;
  } finally {
    for (const file of staged) await file.discard();
  }
}

/** The results as a stream, such as standard output, and nothing on disk. The stream stays open. */
export async function printResults(
  context: Pick<ResultsContext, 'rows' | 'timeZone'>,
  target: Writable & { readonly isTTY?: boolean },
): Promise<ResultSums> {
  const batch = context.rows.batch();
  const tally = new ResultTally();
  const text = function* (): Generator<string> {
    for (const page of writtenPages(context, batch, tally)) {
      yield target.isTTY ? harmlessText(page.results) : page.results;
    }
  };
  await pipeline(Readable.from(text()), target, { end: false });
  return tally.sums;
}

/** Before anything is sent: whether the results will find a place that may be written, and is nobody else's. */
export async function checkResultsPath(path: string, batch: string): Promise<void> {
  const refuse = (why: string, cause?: unknown): PayrunError =>
    new PayrunError(
      'results-not-writable',
      exitCode.cannotCreate,
      `The results cannot be written to ${path}: ${why}. Nothing was sent. Move what is in the way, or name another place with --results.`,
      { cause },
    );
  const folder = dirname(path);
  try {
    if (!(await stat(folder)).isDirectory()) throw refuse(`${folder} is not a folder`);
    const trouble = await placeTrouble(path, batch);
    if (trouble !== undefined) throw refuse(trouble);
    const trial = await stageFile(folder, batch);
    await trial.discard();
  } catch (error) {
    throw isOfSystem(error) ? refuse(error.message, error) : error;
  }
}

interface WrittenRows {
  readonly results: StagedFile;
  /** Undefined where no row has to be fixed. */
  readonly retry: StagedFile | undefined;
  readonly sums: ResultSums;
}

async function writeRows(
  context: ResultsContext,
  batch: ResultBatch,
  stage: () => Promise<StagedFile>,
): Promise<WrittenRows> {
  const tally = new ResultTally();
  const results = await stage();
  let retry: StagedFile | undefined;
  for (const page of writtenPages(context, batch, tally)) {
    await results.write(page.results);
    if (page.retry === '') continue;
    if (!retry) {
      retry = await stage();
      await retry.write(headerText(batch, retryColumns));
    }
    await retry.write(page.retry);
  }
  return { results, retry, sums: tally.sums };
}

/** No status among them: that marks the file as a part of its batch. */
const retryColumns: readonly PayrunColumn[] = [
  'payrun_batch',
  'payrun_key',
  'payrun_attempt',
  'payrun_reference',
  'payrun_reason',
];

/** The header, then page by page the rows as both files have them. */
function* writtenPages(
  { rows, timeZone }: Pick<ResultsContext, 'rows' | 'timeZone'>,
  batch: ResultBatch,
  tally: ResultTally,
): Generator<{ results: string; retry: string }> {
  const dayOf = dayIn(timeZone);
  const written = (row: ResultRow, columns: readonly PayrunColumn[]): string[] => {
    const ours = payrunCells(row, batch.name, dayOf);
    return [...row.cells, ...columns.map((column) => ours[column])];
  };
  yield { results: headerText(batch, payrunColumns), retry: '' };
  for (const page of rows.pages()) {
    for (const row of page) tally.add(row);
    const toFix = page.filter(mustBeFixed);
    yield {
      results: csvText(
        batch,
        page.map((row) => written(row, payrunColumns)),
      ),
      retry: csvText(
        batch,
        toFix.map((row) => written(row, retryColumns)),
      ),
    };
  }
}

/** Without the mark in front, spreadsheets take UTF-8 for the letters of some code page. */
function headerText(batch: ResultBatch, columns: readonly PayrunColumn[]): string {
  return `\ufeff${csvText(batch, [[...batch.columns.map(([name]) => name), ...columns]])}`;
}

function csvText({ delimiter }: ResultBatch, rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map((cells) => cells.map(neutralise)),
    {
      // One that only a line of the input's own declared could not be told from the file when it is read back.
      delimiter: commonDelimiters.has(delimiter) ? delimiter : ',',
      record_delimiter: '\r\n',
      // Half a line end inside a cell ends the row for most readers, too.
      quoted_match: /[\r\n]/,
    },
  );
}

const commonDelimiters = new Set([',', ';', '\t', '|']);

function dayIn(timeZone: string): (atMs: number) => string {
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  let lastQuarter = Number.NaN;
  let lastDay = '';
  return (atMs) => {
    // Everywhere a day begins on a quarter of an hour, and payments of one are many: asking anew for each takes longest.
    const quarter = Math.floor(atMs / quarterHourMs);
    if (quarter === lastQuarter) return lastDay;
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
    lastQuarter = quarter;
    lastDay = `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
    return lastDay;
  };
}

const quarterHourMs = 15 * 60 * 1000;

/** What comes from files and replies never acts on a terminal. */
function harmlessText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/[^\P{Cc}\t\n]/gu, '\ufffd');
}

function notWritten({ name, resultsPath }: ResultBatch, why: string, cause?: unknown): PayrunError {
  return new PayrunError(
    'results-write-failed',
    exitCode.writeFailed,
    `The results of batch ${name} could not be written to ${resultsPath}: ${why}. What was paid is safe in the journal. Mend this, then: payrun results ${shellWord(name)}`,
    { cause },
  );
}

function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
