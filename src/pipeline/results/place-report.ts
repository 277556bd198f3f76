import { lstat, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { EnvironmentKind } from '../../domain/environment/environment.ts';
import { pathTrouble } from '../../domain/text/path-trouble.ts';
import { PayrunError } from '../../errors.ts';
import type { BatchRecord } from '../../journal/batch-record.ts';
import { removeLeftovers, stageFile } from '../../storage/staged-file.ts';
import { besideResults } from './check-results-target.ts';
import { kindOfPlace } from './kind-of-results.ts';
import { type ReportMark, readReportMark } from './report-mark.ts';

export interface PlacedReport {
  readonly path: string;
  /** SHA-256 of the file in hexadecimal. */
  readonly digest: string;
}

/**
 * Writes the pieces of a report beside the results of its batch, whole or not at all, and never over what is not a report
 * of that batch. Under the batch's lock, as the results are.
 */
export async function placeReport(batch: BatchRecord, pieces: Iterable<string>): Promise<PlacedReport> {
  const path = besideResults(batch.resultsPath, batch.name, '.report.html');
  const folder = dirname(path);
  try {
    const trouble = await reportTrouble(path, {
      batch: batch.name,
      kind: kindOfPlace(batch.environment.place),
    });
    if (trouble !== undefined) throw notWritten(batch.name, path, trouble);
    await removeLeftovers(folder, batch.name);
    const staged = await stageFile(folder, batch.name);
    try {
      for (const piece of pieces) await staged.write(piece);
      const digest = await staged.finish();
      await staged.moveTo(path);
      return { path, digest };
    } finally {
      await staged.discard();
    }
  } catch (error) {
    const isOfSystem = error instanceof Error && 'syscall' in error;
    throw isOfSystem ? notWritten(batch.name, path, pathTrouble(error, folder), error) : error;
  }
}

/** The less a batch was real, the less its report may take the place of. */
const realness: Readonly<Record<EnvironmentKind, number>> = { sandbox: 0, test: 1, live: 2 };

/** Why a report must not take this place, in half a sentence; undefined where it may. */
async function reportTrouble(path: string, { batch, kind }: ReportMark): Promise<string | undefined> {
  const stats = await lstat(path).catch(missing);
  if (!stats) return undefined;
  if (stats.isSymbolicLink()) return 'it is a symbolic link, and what it leads to may be anything';
  if (stats.isDirectory()) return 'it is a folder';
  if (!stats.isFile()) return 'it is not an ordinary file';
  const found = readReportMark(await readBeginning(path));
  if (!found) return 'there is a file which payrun did not write as a report';
  if (found.batch !== batch) return `it holds the report of batch ${found.batch}`;
  if (realness[found.kind] > realness[kind])
    return `it holds the report of a ${found.kind.toUpperCase()} batch of that name, and this one is ${kind.toUpperCase()}`;
  return undefined;
}

/** Longer than any mark: the name of a batch is a file name, and a letter of it takes nine signs at most. */
const markBytes = 8 * 1024;

async function readBeginning(path: string): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(markBytes), 0, markBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function notWritten(batch: string, path: string, why: string, cause?: unknown): PayrunError {
  return new PayrunError(
    'report-write-failed',
    `The report of batch ${batch} could not be written to ${path}: ${why}. Nothing else was changed.`,
    { cause },
  );
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
