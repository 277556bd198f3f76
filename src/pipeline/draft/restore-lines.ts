import { fileColumns } from '../../domain/file-columns.ts';
import type { Problem, Repair } from '../../domain/problems/problem.ts';
import { ColumnDamage } from '../../domain/restore/column-damage.ts';
import {
  comparedCells,
  type ReadCells,
  restoreCells,
  restoreDamage,
  spreadsheetRepair,
} from '../../domain/restore/spreadsheet-restore.ts';
import { type Meaning, untouchedMeanings } from '../../domain/restore/untouched-meanings.ts';
import type { PayrunColumn } from '../../domain/row.ts';
import type { FileHeader } from '../../file/header/file-header.ts';
import type { BatchRecord } from '../../journal/batch-record.ts';
import type { DraftPayout, StoredLine } from '../../journal/draft/draft.ts';
import { askJournaledRows, type JournaledRow } from '../../journal/draft/journaled-rows.ts';
import type { JournalDatabase } from '../../journal/journal-database.ts';

export interface RestoredLine {
  readonly line: StoredLine;
  readonly repairs: readonly Repair[];
  /** Blocking: which of two values a person means. */
  readonly questions: readonly Problem[];
  /** Nobody has changed the row: it is what it was judged to be, whatever its cells would mean in this file. */
  readonly asBefore?: { readonly payout: DraftPayout } | { readonly problem: string } | undefined;
  /** It was no payment, was taken out of the file, and nobody has changed it since: the results alone still show it. */
  readonly isGone?: boolean;
  /** Somebody has changed something: what the cells meant that they left alone. */
  readonly kept?: { readonly payout: DraftPayout; readonly untouched: ReadonlySet<Meaning> } | undefined;
}

/**
 * For a results or retry file of ours that comes back from a spreadsheet: each line beside the row that the journal has,
 * with exactly the damage of a spreadsheet undone. What a person has changed stays; where that cannot be told in a
 * cell that says who is paid, it is asked.
 */
export function lineRestorer(
  db: JournalDatabase,
  batch: Pick<BatchRecord, 'id' | 'name'>,
  header: FileHeader,
  pages: Iterable<readonly StoredLine[]>,
): (line: StoredLine) => RestoredLine {
  const journaled = askJournaledRows(db, batch.id);
  const columns = fileColumns(header);
  const readOf = ({ line, cells }: StoredLine) => ({ line, columns, cells });
  const damage = new ColumnDamage();
  for (const lines of pages) {
    for (const line of lines) {
      const row = line.unreadable ? undefined : journaled.find(line.payrun);
      if (row) damage.add(comparedCells(row, readOf(line)));
    }
  }
  return (line) => {
    const row = journaled.find(line.payrun);
    if (!row) return { line, repairs: [], questions: [] };
    const { cells, repairs, questions, unchanged } = restoreCells(row, readOf(line), (index) =>
      damage.isWhole(index),
    );
    if (unchanged && row.isGone) return { line, repairs: [], questions: [], isGone: true };
    const ours = restoreOurs(line, batch.name, row.key);
    const asBefore = unchanged ? judgedBefore(row, journaled, line) : undefined;
    const kept = unchanged ? undefined : keptMeaning(row, journaled, readOf(line));
    if (repairs.length === 0 && ours.repairs.length === 0)
      return { line, repairs: [], questions, asBefore, kept };
    return {
      asBefore,
      kept,
      questions,
      line: {
        ...line,
        cells,
        payrun: ours.payrun,
        payrunText: JSON.stringify(ours.payrun),
      },
      repairs: [...repairs, ...ours.repairs],
    };
  };
}

/** Of a row in which somebody has changed something else: what its untouched cells meant. */
function keptMeaning(
  row: JournaledRow,
  journaled: ReturnType<typeof askJournaledRows>,
  read: ReadCells,
): RestoredLine['kept'] {
  const payout = row.key === undefined ? undefined : journaled.payout(row.key);
  return payout && { payout, untouched: untouchedMeanings(row, read) };
}

/**
 * What the journal made of a row that nobody has touched since; its reference must still stand beside it. One of two rows for
 * the same payment is judged anew: the other may have been deleted, as the person was told.
 */
function judgedBefore(
  row: JournaledRow,
  journaled: ReturnType<typeof askJournaledRows>,
  { payrun }: StoredLine,
): RestoredLine['asBefore'] {
  if (row.problem !== '') {
    const problem = row.isSaid ? row.problem : `The row was not corrected: ${row.problem}`;
    return row.isForAnother ? undefined : { problem };
  }
  const payout = row.key === undefined ? undefined : journaled.payout(row.key);
  return payout && payout.reference === payrun['payrun_reference']?.trim().toLowerCase()
    ? { payout }
    : undefined;
}

/** The batch that a damaged name stands for, where just one of the journal's can have been damaged so. */
export function restoreBatchName(own: string, known: readonly string[]): string {
  if (known.includes(own.trim())) return own;
  const candidates = known.filter((name) => restoreDamage(name, own) === name);
  return candidates.length === 1 ? (candidates[0] ?? own) : own;
}

/** Which payment it is, and which attempt: the reference beside them must still agree afterwards. */
function restoreOurs(
  { line, payrun }: StoredLine,
  batch: string,
  key: string | undefined,
): { readonly payrun: StoredLine['payrun']; readonly repairs: readonly Repair[] } {
  const wanted: readonly [PayrunColumn, string | undefined][] = [
    ['payrun_batch', batch],
    ['payrun_key', key],
    ['payrun_attempt', /^\s*\d{1,4}(?=[.,]0+\s*$)/.exec(payrun['payrun_attempt'] ?? '')?.[0]],
  ];
  const restored: Record<string, string> = { ...payrun };
  const repairs: Repair[] = [];
  for (const [column, was] of wanted) {
    const read = payrun[column] ?? '';
    if (was === undefined || restoreDamage(was, read) === undefined) continue;
    restored[column] = was;
    repairs.push(spreadsheetRepair(line, column, read, was));
  }
  return { payrun: restored, repairs };
}
