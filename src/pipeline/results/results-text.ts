import { stringify } from 'csv-stringify/sync';
import { mustBeFixed, payrunCells, type ResultRow } from '../../domain/payout/result-row.ts';
import type { ResultTally } from '../../domain/payout/result-tally.ts';
import { type PayrunColumn, payrunColumns, retryColumns } from '../../domain/row.ts';
import { isoDayIn } from '../../domain/text/day-text.ts';
import { neutralise } from '../../domain/text/formula-mark.ts';
import type { BatchRecord } from '../../journal/batch-record.ts';
import { type ChainEnd, eventText } from '../../journal/event-chain.ts';
import type { ResultRows } from '../../journal/payouts/result-rows.ts';
import { eventCell, kindOfPlace } from './kind-of-results.ts';

/**
 * The text of the results, its header first, and page by page the rows of it that the retry file has too. Each row is
 * counted as it is written.
 */
export function* resultPages(
  rows: ResultRows,
  batch: BatchRecord,
  { timeZone, chainEnd }: { readonly timeZone: string; readonly chainEnd: ChainEnd },
  tally: ResultTally,
): Generator<{ readonly results: string; readonly retry: string }> {
  const facts = { batch: batch.name, dayOf: dayIn(timeZone), event: lastEvent(batch, chainEnd) };
  const written = (row: ResultRow, columns: readonly PayrunColumn[]): string[] => {
    const ours = payrunCells(row, facts);
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

/** What was only a trial says so in every row: nobody must take it for wages paid. */
function lastEvent({ environment }: BatchRecord, chainEnd: ChainEnd): string {
  return eventCell(kindOfPlace(environment.place), eventText(chainEnd));
}

export function retryHeader(batch: BatchRecord): string {
  return headerText(batch, retryColumns);
}

/** Without the mark in front, spreadsheets take UTF-8 for the letters of some code page. */
function headerText(batch: BatchRecord, columns: readonly PayrunColumn[]): string {
  return `\ufeff${csvText(batch, [[...batch.columns.map(([name]) => name), ...columns]])}`;
}

function csvText(batch: BatchRecord, rows: readonly (readonly string[])[]): string {
  // One that only a line of the input's own declared could not be told from the file when it is read back.
  const delimiter = commonDelimiters.has(batch.delimiter) ? batch.delimiter : ',';
  return rows.map((cells) => csvLine(cells.map(neutralise), delimiter)).join('');
}

/** Most lines have nothing that must be put in quotes, and are their cells. */
export function csvLine(cells: string[], delimiter: string): string {
  const line = cells.join(delimiter);
  if (!inQuotes.test(line) && !cells.some((cell) => cell.includes(delimiter))) return `${line}\r\n`;
  // Half a line end inside a cell ends the row for most readers, too.
  return stringify([cells], { delimiter, record_delimiter: '\r\n', quoted_match: /[\r\n]/ });
}

const inQuotes = /["\r\n]/;

const commonDelimiters = new Set([',', ';', '\t', '|']);

function dayIn(timeZone: string): (atMs: number) => string {
  const dayOf = isoDayIn(timeZone);
  let lastQuarter = Number.NaN;
  let lastDay = '';
  return (atMs) => {
    // Everywhere a day begins on a quarter of an hour, and payments of one are many: asking anew for each takes longest.
    const quarter = Math.floor(atMs / quarterHourMs);
    if (quarter === lastQuarter) return lastDay;
    lastQuarter = quarter;
    lastDay = dayOf(atMs);
    return lastDay;
  };
}

const quarterHourMs = 15 * 60 * 1000;
