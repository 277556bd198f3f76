import type { AuditFindings } from '../domain/payout/audit-findings.ts';
import { type PayoutState, statusOf } from '../domain/payout/payout-state.ts';
import { payrunCells, type ResultRow } from '../domain/payout/result-row.ts';
import { type PayrunColumn, payrunColumns } from '../domain/row.ts';
import { removeMark } from '../domain/text/formula-mark.ts';
import { readableText } from '../domain/text/readable-text.ts';
import { PayrunError } from '../errors.ts';
import { ByteDecoder } from '../file/bytes/byte-decoder.ts';
import { detectEncoding, previewText } from '../file/bytes/encoding.ts';
import { openSource } from '../file/bytes/open-source.ts';
import { ProblemLog } from '../file/problem-log.ts';
import { detectDelimiter } from '../file/rows/detect-delimiter.ts';
import { RecordScanner } from '../file/rows/record-scanner.ts';
import { type FileRecord, recordsOf } from '../file/rows/records.ts';
import type { LoggedMove, PayoutLog } from '../journal/payouts/payout-log.ts';
import type { ResultRows } from '../journal/payouts/result-rows.ts';
import { splitEvent } from '../pipeline/results/kind-of-results.ts';

export interface AuditResultsParts {
  readonly path: string;
  readonly rows: ResultRows;
  readonly log: PayoutLog;
  readonly findings: AuditFindings;
}

/**
 * A results file against the journal, row by row. A row that says what its payout once was is merely old; one that
 * says what it never was has been changed by somebody, or is another journal's.
 */
export async function auditResults(parts: AuditResultsParts): Promise<{ rows: number }> {
  const { path, rows, log, findings } = parts;
  const batch = rows.batch();
  const expected = rowsInOrder(rows);
  const wanted = [...batch.columns.map(([name]) => name), ...payrunColumns];
  let columns: readonly string[] | undefined;
  let count = 0;
  let old = 0;
  let lastEvent = '';
  for await (const { line, cells } of readRecords(path)) {
    const plain = cells.map(removeMark);
    if (!columns) {
      columns = plain;
      if (!plain.includes('payrun_status')) throw noResults(path);
      continue;
    }
    const next = expected.next();
    if (next.done) {
      findings.add('results-differ', `${path} line ${line}: the journal has no such row`);
      continue;
    }
    count += 1;
    const written = writtenRow(columns, plain);
    const event = written.cell('payrun_event');
    // The same in every row as it was written: one lookup, and one finding, for all of them.
    if (event !== lastEvent && !rows.hasEvent(splitEvent(event).event)) {
      findings.add(
        'results-differ',
        `${path} line ${line}: payrun_event ${readableText(event)} is no event of this journal: the file is another journal's, or this journal is an older copy`,
      );
    }
    lastEvent = event;
    const ours = payrunCells(next.value, { batch: batch.name, dayOf: () => '', event: '' });
    if (written.cell('payrun_key') !== ours.payrun_key || written.cell('payrun_batch') !== batch.name) {
      const says = `${written.cell('payrun_batch')} ${written.cell('payrun_key')}`;
      findings.add(
        'results-differ',
        `${path} line ${line}: payment ${readableText(says)} stands where the journal has ${batch.name} ${ours.payrun_key}; rows after it were not compared`,
      );
      return { rows: count };
    }
    const trouble = rowTrouble(written, next.value, ours, columns.join('\n') === wanted.join('\n'), () =>
      pastStatuses(log.movesOfKey(batch.id, ours.payrun_key)),
    );
    if (trouble === 'old') old += 1;
    else if (trouble !== undefined) {
      findings.add('results-differ', `${path} line ${line}, payment ${ours.payrun_key}: ${trouble}`);
    }
  }
  if (!columns) throw noResults(path);
  let missing = 0;
  for (const _ of expected) missing += 1;
  if (old > 0 || missing > 0) {
    findings.add(
      'behind',
      `${path} is older than the journal: ${old} rows have changed since, ${missing} were added or cut off`,
    );
  }
  return { rows: count };
}

async function* readRecords(path: string): AsyncGenerator<FileRecord> {
  const open = await openSource(path);
  try {
    const detected = detectEncoding(open.prefix);
    if (!detected) throw noResults(path);
    const problems = new ProblemLog();
    const delimiter = detectDelimiter(previewText(open.prefix, detected), []);
    const watch = new RecordScanner(delimiter, problems);
    const decoder = new ByteDecoder(detected, problems, watch);
    for await (const records of recordsOf(open.bytes, delimiter, decoder, watch)) {
      yield* records.filter(({ cells }) => cells.some((cell) => cell !== ''));
    }
  } finally {
    open.close();
  }
}

function* rowsInOrder(rows: ResultRows): Generator<ResultRow> {
  for (const page of rows.pages()) yield* page;
}

/** A row of the file by the names of its columns. */
function writtenRow(columns: readonly string[], cells: readonly string[]) {
  return { cells, cell: (column: PayrunColumn) => cells[columns.indexOf(column)] ?? '' };
}

/** These follow from the state: where the status is right and one of them is not, somebody wrote into the file. */
const telling: readonly PayrunColumn[] = [
  'payrun_reference',
  'payrun_attempt',
  'payrun_transaction',
  'payrun_paid',
  'payrun_submitted_at',
  'payrun_settled_at',
];

function rowTrouble(
  written: ReturnType<typeof writtenRow>,
  row: ResultRow,
  ours: Record<PayrunColumn, string>,
  sameColumns: boolean,
  past: () => ReadonlySet<string>,
): 'old' | string | undefined {
  const says = written.cell('payrun_status');
  const status = ours.payrun_status;
  if (says !== status) {
    // A row that became a payment only with a later file was invalid before.
    if (row.payout && (says === 'invalid' || past().has(says))) return 'old';
    return `payrun_status says ${readableText(says)}; the journal says ${status}, and never said that`;
  }
  for (const column of telling) {
    if (written.cell(column) === ours[column]) continue;
    return `${column} says "${readableText(written.cell(column))}", the journal says "${ours[column]}"`;
  }
  const input = row.cells.findIndex((cell, index) => sameColumns && cell !== (written.cells[index] ?? ''));
  return input < 0 ? undefined : `the cell in column ${input + 1} is not what came in`;
}

/** Whether bytes had left at the time is not in the log: both words for it are true of those states. */
function pastStatuses(moves: readonly LoggedMove[]): Set<string> {
  const states = ['planned', ...moves.map(({ to }) => to)] as PayoutState[];
  return new Set(states.flatMap((state) => [statusOf(state, true), statusOf(state, false)]));
}

function noResults(path: string): PayrunError {
  return new PayrunError('not-results', `${path} is no results file of payrun.`);
}
