import type { BatchRecord } from '../batch-record.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { openDraft } from './draft.ts';
import { type PreviousRunDiff, previousRunDiff } from './previous-run-diff.ts';

const taken = ['key', 'payee', 'account_name', 'folded_name', 'currency', 'amount', 'bank_code', 'number'];

/**
 * How a batch differs from the one before it, as its plan once said it: its payouts stand for the rows of a file, without
 * those that a person cancelled. Writes nothing that stays.
 */
export function batchDiff(
  db: JournalDatabase,
  { id, name, keyKind }: Pick<BatchRecord, 'id' | 'name' | 'keyKind'>,
  noticePercent: number,
): PreviousRunDiff | undefined {
  const draft = openDraft(db, false);
  try {
    db.prepare(
      `INSERT INTO draft.rows (position, line, cells, payrun, valid, to_send, ${taken.join(', ')})
       SELECT batch_rows.position, batch_rows.line, '[]', '{}', 1, 0, ${taken.map((column) => `payouts.${column}`).join(', ')}
       FROM batch_rows JOIN payouts ON payouts.id = batch_rows.payout
       WHERE batch_rows.batch = ? AND payouts.state <> 'cancelled'`,
    ).run(id);
    draft.finish();
    return previousRunDiff(db, name, keyKind, noticePercent);
  } finally {
    draft.close();
  }
}
