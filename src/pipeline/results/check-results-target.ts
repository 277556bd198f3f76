import { lstat, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { EnvironmentKind } from '../../domain/environment/environment.ts';
import { restoreDamage } from '../../domain/restore/spreadsheet-restore.ts';
import type { PayrunColumn } from '../../domain/row.ts';
import { detectEncoding, previewText } from '../../file/bytes/encoding.ts';
import { detectDelimiter } from '../../file/rows/detect-delimiter.ts';
import { splitEvent } from './kind-of-results.ts';

/** Why results of a batch must not take this place, in half a sentence; undefined where they may. */
export async function checkResultsTarget(
  path: string,
  batch: string,
  kind: EnvironmentKind,
): Promise<string | undefined> {
  const stats = await lstat(path).catch(missing);
  if (!stats) return undefined;
  if (stats.isSymbolicLink()) return 'it is a symbolic link, and what it leads to may be anything';
  if (stats.isDirectory()) return 'it is a folder';
  if (!stats.isFile()) return 'it is not an ordinary file';
  const first = await firstResult(path);
  if (first === undefined) return 'there is a file which is not the results of a batch';
  // A batch called 2026-11 reads Nov-26 once a spreadsheet has saved the file.
  if (first.batch !== batch && restoreDamage(batch, first.batch) !== batch)
    return `it holds the results of batch ${first.batch}`;
  // Results of a trial make room for real ones, never the other way round.
  const holds = splitEvent(first.event).kind;
  if (kind === 'live' || holds === kind) return undefined;
  if (holds === 'live') return 'it holds results of a real batch of that name, and this is only a trial';
  return `it holds results of a trial ${holds === 'sandbox' ? 'on the sandbox' : 'on TEST'}: take it away, or name another place`;
}

/** Where the rows to fix go: beside the results, the first of these places that is free. */
export function retryPlace(resultsPath: string, batch: string, number: number): string {
  return besideResults(resultsPath, batch, `.retry${number === 1 ? '' : `-${number}`}.csv`);
}

/** What belongs to the results has their name with another ending. */
export function besideResults(resultsPath: string, batch: string, ending: string): string {
  const name = basename(resultsPath);
  const stem = name.endsWith(resultsEnding) ? name.slice(0, -resultsEnding.length) : batch;
  return join(dirname(resultsPath), `${stem}${ending}`);
}

const resultsEnding = '.results.csv';

/** A header and a row of the longest kind that payrun reads. */
const mostBytes = 4 * 1024 * 1024;
const headerBytes = 64 * 1024;

/** The first batch that a results file names, and the event beside it; undefined for any other file. */
async function firstResult(path: string): Promise<{ batch: string; event: string } | undefined> {
  const beginning = await readBeginning(path);
  const encoding = detectEncoding(beginning);
  if (!encoding) return undefined;
  const text = previewText(beginning, encoding);
  const [header, ...rows]: string[][] = parse(text, {
    delimiter: detectDelimiter(text.slice(0, headerBytes), []),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    skip_records_with_error: true,
    to: rowsCompared,
  });
  if (!header || !resultsColumns.every((column) => header.includes(column))) return undefined;
  const cellOf = (cells: readonly string[], column: PayrunColumn) =>
    cells[header.indexOf(column)]?.trim() ?? '';
  const named = rows.find((cells) => cellOf(cells, 'payrun_batch') !== '');
  return named && { batch: cellOf(named, 'payrun_batch'), event: cellOf(named, 'payrun_event') };
}

/** Rows that a person added by hand may stand first and name no batch. */
const rowsCompared = 100;
/** A retry file has no status. */
const resultsColumns: readonly PayrunColumn[] = ['payrun_batch', 'payrun_key', 'payrun_status'];

async function readBeginning(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(Math.min(mostBytes, (await handle.stat()).size));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
