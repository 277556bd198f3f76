import type { FileColumn } from '../../src/domain/file-columns.ts';
import type { PayoutState } from '../../src/domain/payout/payout-state.ts';
import { referenceOf } from '../../src/domain/reference.ts';
import type { JournalDatabase } from '../../src/journal/journal-database.ts';

export interface BatchInput {
  readonly name: string;
  readonly resultsPath?: string;
  readonly columns?: readonly FileColumn[];
  readonly delimiter?: string;
}

export interface PayoutInput {
  readonly key: string;
  readonly state?: PayoutState;
  readonly attempt?: number;
  readonly reason?: string;
  readonly currency?: string;
  readonly amount?: bigint | number;
  readonly hold?: string;
  readonly account?: string;
  readonly verdict?: string;
  readonly resolvedName?: string;
  readonly transaction?: string;
  readonly everSent?: boolean;
  readonly submittedMs?: number;
  readonly settledMs?: number;
}

export interface RowInput {
  readonly cells: readonly string[];
  readonly line?: number;
  readonly payout?: number | undefined;
  readonly problem?: string;
  readonly present?: boolean;
  readonly columnList?: number;
}

/** A journal filled as acceptance and the stages leave it. */
export function fillJournal(db: JournalDatabase, batch: BatchInput) {
  const { lastInsertRowid } = db
    .prepare(
      `INSERT INTO batches (name, pattern, environment, key_kind, created_ms, file_name, file_digest, results_path,
         columns, delimiter, policy) VALUES (?, ?, '["test"]', 'paymentId', 0, 'payroll.csv', '', ?, ?, ?, '{}')`,
    )
    .run(
      batch.name,
      batch.name,
      batch.resultsPath ?? '',
      JSON.stringify(batch.columns ?? payrollColumns),
      batch.delimiter ?? ',',
    );
  const id = Number(lastInsertRowid);
  const insertPayout = db.prepare(
    `INSERT INTO payouts (batch, key, attempt, reference, state, code, details, fingerprint, payee, account_name, folded_name,
       country, currency, amount, destination, number, bank_code, operator, branch_code, debit_currency, debit_country,
       narration, accepted_run, accepted_ms, external_account_id, verdict, resolved_name, hold, transaction_id, ever_sent,
       submitted_ms, settled_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, '', ?, '', '', 'KE', ?, ?, 'MoMo', '', '', '', '', '', '', '', 'run-1', 0, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertRow = db.prepare(
    `INSERT INTO batch_rows (batch, position, line, cells, column_list, payout, problem, problem_code, present)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertEvent = db.prepare(
    `INSERT INTO events (at_ms, batch, payout, run, operator, from_state, to_state, why, hash)
     VALUES (0, ?, ?, ?, 'amina', 'submitted', ?, '', '')`,
  );
  const insertSend = db.prepare(
    `INSERT INTO sends (payout, reference, run, begun_ms, outcome)
     SELECT id, reference, ?, 0, 'ok' FROM payouts WHERE id = ?`,
  );
  let position = 0;
  const filled = {
    id,
    payout: (payout: PayoutInput): number =>
      Number(
        insertPayout.run(
          id,
          payout.key,
          payout.attempt ?? 1,
          referenceOf(batch.name, 'paymentId', payout.key, payout.attempt ?? 1),
          payout.state ?? 'planned',
          payout.reason === undefined ? '' : 'noted',
          JSON.stringify({ text: payout.reason }),
          `KE:momo:${payout.key}`,
          payout.currency ?? 'KES',
          payout.amount ?? 100_000,
          payout.account ?? '',
          payout.verdict ?? '',
          payout.resolvedName ?? '',
          payout.hold ?? '',
          payout.transaction ?? '',
          payout.everSent === true ? 1 : 0,
          payout.submittedMs ?? null,
          payout.settledMs ?? null,
        ).lastInsertRowid,
      ),
    row: (row: RowInput): void => {
      position += 1;
      insertRow.run(
        id,
        position,
        row.line ?? position + 1,
        JSON.stringify(row.cells),
        row.columnList ?? null,
        row.payout ?? null,
        row.problem ?? '',
        row.problem === undefined ? '' : 'invalid-row',
        row.present === false ? 0 : 1,
      );
    },
    moved: (payout: number, to: PayoutState, run: string): void => void insertEvent.run(id, payout, run, to),
    /** A send of it that the service answered. */
    sent: (payout: number, run: string): void => void insertSend.run(run, payout),
    columnList: (columns: readonly FileColumn[]): number =>
      Number(
        db.prepare('INSERT INTO column_lists (batch, columns) VALUES (?, ?)').run(id, JSON.stringify(columns))
          .lastInsertRowid,
      ),
  };
  return filled;
}

export const payrollColumns: readonly FileColumn[] = [
  ['Staff No', 'paymentId'],
  ['Name', 'accountName'],
  ['Phone', 'phoneNumber'],
  ['Amount', 'amount'],
  ['Country', 'country'],
  ['Currency', 'currency'],
  ['Note', ''],
];
