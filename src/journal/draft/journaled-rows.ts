import { strict as assert } from 'node:assert';
import type { FileColumn } from '../../domain/file-columns.ts';
import { debitWallet } from '../../domain/money/debit-wallet.ts';
import { walletName } from '../../domain/money/wallet-name.ts';
import type { Hold } from '../../domain/payout/payout.ts';
import type { PayoutState } from '../../domain/payout/payout-state.ts';
import type { BatchProblemCode } from '../../domain/problems/batch-problems.ts';
import type { JournaledCells } from '../../domain/restore/spreadsheet-restore.ts';
import { textsFrom } from '../../domain/text/text-list.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { namedColumns, payoutFromStore, rowFields } from '../payouts/payout-columns.ts';
import type { DraftPayout } from './draft.ts';

/** A row as it was last taken in. */
export interface JournaledRow extends JournaledCells {
  /** Undefined for a row that was never a payment. */
  readonly key: string | undefined;
  /** Why it could not be taken as it stood; empty where it could. */
  readonly problem: string;
  /** It was said of it already that it came back without a correction. */
  readonly isSaid: boolean;
  /** Nothing is wrong with it but that another row names the same payment: without that one it can be paid. */
  readonly isForAnother: boolean;
  /** It was never a payment, and the newest file does not have it any more. */
  readonly isGone: boolean;
}

interface StoredRow {
  readonly cells: string;
  readonly columns: string;
  readonly key: string | null;
  readonly problem: string;
  readonly problemCode: string;
  readonly present: number;
  readonly state: PayoutState | null;
  readonly hold: Hold | '' | null;
  readonly country: string | null;
}

/** The journal's form of the rows in a results or retry file that comes back. */
export function askJournaledRows(db: JournalDatabase, batch: number) {
  const rowWhere = (condition: string) =>
    db.prepare<[number, string | number], StoredRow>(
      `SELECT batch_rows.cells, coalesce(column_lists.columns, batches.columns) AS columns, payouts.key,
         batch_rows.problem, batch_rows.problem_code AS problemCode, batch_rows.present, payouts.state, payouts.hold, payouts.country
       FROM batch_rows JOIN batches ON batches.id = batch_rows.batch
         LEFT JOIN column_lists ON column_lists.id = batch_rows.column_list
         LEFT JOIN payouts ON payouts.id = batch_rows.payout
       WHERE batch_rows.batch = ? AND ${condition} LIMIT 1`,
    );
  const ofReference = rowWhere('batch_rows.payout = (SELECT id FROM payouts WHERE reference = ?)');
  const ofKey = rowWhere('batch_rows.payout = (SELECT id FROM payouts WHERE batch = batches.id AND key = ?)');
  const ofLine = rowWhere('batch_rows.payout IS NULL AND batch_rows.line = ?');

  const payoutOf = db.prepare<[number, string], Record<string, unknown>>(
    `SELECT ${namedColumns(rowFields)} FROM payouts WHERE batch = ? AND key = ?`,
  );

  return {
    /** A payout in the form that a row of a file takes. */
    payout(key: string): DraftPayout | undefined {
      const stored = payoutOf.get(batch, key);
      if (!stored) return undefined;
      const payout = payoutFromStore<Omit<DraftPayout, 'wallet'>>(stored);
      return { ...payout, wallet: walletName(debitWallet(payout)) };
    },

    /** By its reference, which no spreadsheet harms; else by its key, as in a file of an earlier attempt. */
    find(payrun: {
      readonly payrun_key?: string;
      readonly payrun_reference?: string;
    }): JournaledRow | undefined {
      const key = payrun.payrun_key?.trim() ?? '';
      const reference = payrun.payrun_reference?.trim().toLowerCase() ?? '';
      const [, line] = /^line:(\d{1,9})$/.exec(key) ?? [];
      if (reference === '' && line !== undefined) return journaledRow(ofLine.get(batch, Number(line)));
      if (reference === '' && key === '') return undefined;
      return journaledRow(ofReference.get(batch, reference) ?? ofKey.get(batch, key));
    },
  };
}

function journaledRow(stored: StoredRow | undefined): JournaledRow | undefined {
  if (!stored) return undefined;
  const columns = JSON.parse(stored.columns) as FileColumn[];
  const cells = textsFrom(stored.cells);
  assert(cells.length <= columns.length, 'a journaled row has more cells than columns');
  return {
    columns,
    cells,
    key: stored.key ?? undefined,
    problem: stored.problem,
    isForAnother: stored.key === null && forAnother.has(stored.problemCode),
    isSaid: stored.problemCode === ('row-still-invalid' satisfies BatchProblemCode),
    isGone: stored.key === null && stored.present === 0,
    sound: stored.problem === '',
    payeeInDoubt: isPayeeInDoubt(stored),
    outOfReach: stored.state !== null && outOfReach.has(stored.state),
    country: stored.country ?? countryIn(columns, cells),
  };
}

const forAnother: ReadonlySet<string> = new Set<BatchProblemCode>([
  'duplicate-payment-id',
  'duplicate-payee',
]);

/** Of a row that was never a payment: as it stands there. */
function countryIn(columns: readonly FileColumn[], cells: readonly string[]): string {
  return cells[columns.findIndex(([, field]) => field === 'country')]?.trim().toUpperCase() ?? '';
}

/** An unclear one may be sent once more. */
const outOfReach: ReadonlySet<PayoutState> = new Set(['submitting', 'submitted', 'paid']);

/** Whether what became of the payout asks a person to look at whom it pays. Why it failed, only the service knows. */
function isPayeeInDoubt({ state, hold }: StoredRow): boolean {
  switch (state) {
    case 'failed':
    case 'refused':
    case 'returned':
      return true;
    case 'held':
      return hold === 'payee' || hold === 'name';
    default:
      return false;
  }
}
