import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ResultSums, ResultTally } from '../domain/payout/result-tally.ts';
import { pathTrouble } from '../domain/text/path-trouble.ts';
import { PayrunError } from '../errors.ts';
import type { BatchRecord } from '../journal/batch-record.ts';
import type { ChainEnd } from '../journal/event-chain.ts';
import type { Journal } from '../journal/journal.ts';
import type { ResultRows } from '../journal/payouts/result-rows.ts';
import { removeLeftovers, type StagedFile, stageFile } from '../storage/staged-file.ts';
import { checkResultsTarget } from './results/check-results-target.ts';
import { kindOfPlace } from './results/kind-of-results.ts';
import { resultPages, retryHeader } from './results/results-text.ts';
import { placeRetryFile } from './results/retry-file.ts';
import type { OnEvent } from './run/run-events.ts';

export interface ResultsContext {
  readonly rows: ResultRows;
  readonly journal: Pick<Journal, 'write'>;
  /** In which the date of a payment is told. */
  readonly timeZone: string;
  readonly onEvent: OnEvent;
}

export interface WrittenResults extends ResultSums {
  readonly resultsPath: string;
  /** SHA-256 of the file in hexadecimal: what an audit can know it by. */
  readonly resultsDigest: string;
  readonly retryPath: string | undefined;
  /** The journal's last event when they were written. */
  readonly chainEnd: ChainEnd;
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
    const trouble = await checkResultsTarget(
      batch.resultsPath,
      batch.name,
      kindOfPlace(batch.environment.place),
    );
    if (trouble !== undefined) throw notWritten(batch, trouble);
    await removeLeftovers(folder, batch.name);
    const chainEnd = context.rows.chainEnd();
    const { results, retry, sums } = await writeRows(context, batch, chainEnd, stage);
    const resultsDigest = await results.finish();
    await results.moveTo(batch.resultsPath);
    const { path, kept } = await placeRetryFile(context.rows, context.journal, batch, retry);
    if (context.rows.areDue()) await context.journal.write(() => context.rows.noteWritten());
    for (const file of kept) {
      const left = `${file} is not as payrun wrote it and stays as it is`;
      const instead = `; the rows to fix are in ${path}, without what was corrected there`;
      // Whoever is told to go on with the new one would leave his corrections behind.
      context.onEvent(
        path === undefined
          ? { kind: 'notice', message: left }
          : { kind: 'notice', message: `${left}${instead}`, answers: true },
      );
    }
    return { ...sums, resultsPath: batch.resultsPath, resultsDigest, retryPath: path, chainEnd };
  } catch (error) {
    throw isOfSystem(error) ? notWritten(batch, pathTrouble(error, folder), error) : error;
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
    const facts = { timeZone: context.timeZone, chainEnd: context.rows.chainEnd() };
    for (const page of resultPages(context.rows, batch, facts, tally)) {
      yield target.isTTY ? harmlessText(page.results) : page.results;
    }
  };
  await pipeline(Readable.from(text()), target, { end: false });
  return tally.sums;
}

/** Before anything is sent: whether the results will find a place that may be written, and is nobody else's. */
export async function checkResultsPath(path: string, batch: string, place: string): Promise<void> {
  const refuse = (why: string, cause?: unknown): PayrunError =>
    new PayrunError(
      'results-not-writable',
      `The results cannot be written to ${path}: ${why}. Nothing was sent. Mend that, or name another place with --results.`,
      { cause },
    );
  const folder = dirname(path);
  try {
    const found = await stat(folder).catch(missing);
    if (!found) throw refuse(`there is no folder ${folder}`);
    if (!found.isDirectory()) throw refuse(`${folder} is not a folder`);
    const trouble = await checkResultsTarget(path, batch, kindOfPlace(place));
    if (trouble !== undefined) throw refuse(trouble);
    const trial = await stageFile(folder, batch);
    await trial.discard();
  } catch (error) {
    throw isOfSystem(error) ? refuse(pathTrouble(error, folder), error) : error;
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
  batch: BatchRecord,
  chainEnd: ChainEnd,
  stage: () => Promise<StagedFile>,
): Promise<WrittenRows> {
  const tally = new ResultTally();
  const results = await stage();
  let retry: StagedFile | undefined;
  for (const page of resultPages(context.rows, batch, { timeZone: context.timeZone, chainEnd }, tally)) {
    await results.write(page.results);
    if (page.retry === '') continue;
    if (!retry) {
      retry = await stage();
      await retry.write(retryHeader(batch));
    }
    await retry.write(page.retry);
  }
  return { results, retry, sums: tally.sums };
}

/** What comes from files and replies never acts on a terminal. */
function harmlessText(text: string): string {
  return text
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .replace(/[^\P{C}\t\n]|[\u2028\u2029]/gu, '\ufffd');
}

function notWritten({ name, resultsPath }: BatchRecord, why: string, cause?: unknown): PayrunError {
  return new PayrunError(
    'results-write-failed',
    `The results of batch ${name} could not be written to ${resultsPath}: ${why}. What was paid is safe in the journal. Mend this, then run the same command again.`,
    { cause },
  );
}

function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
