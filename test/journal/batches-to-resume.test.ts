import { expect, onTestFinished, test } from 'vitest';
import { batchesToResume } from '../../src/journal/batch-record.ts';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';

const dayMs = 24 * 60 * 60 * 1000;
const nowMs = Date.UTC(2026, 10, 15);

test.each([
  ['ready', 30, true],
  ['submitted', 30, true],
  ['unclear', 30, true],
  ['paid', 3, true],
  ['failed', 3, true],
  ['paid', 15, false],
  ['failed', 15, false],
  ['refused', 3, false],
  ['refused', 3, true, '', 1],
  ['refused', 15, false, '', 1],
  ['cancelled', 3, false],
  ['held', 3, false],
  ['paid', 15, true, 'T2'],
  ['returned', 3, true, 'T2'],
  ['returned', 15, false, 'T2'],
  ['paid', 40, true, '', 1, 'paid-yet-gone'],
  ['failed', 40, false, '', 1, 'status-contradicts'],
] as const)(
  'a batch whose one payout is %s for %d days is resumed: %s (watched: %s, sent: %s, %s)',
  (state, days, isResumed, watched: string = '', everSent: number = 0, code: string = '') => {
    const db = openEmptyJournal();
    onTestFinished(() => void db.close());
    db.exec(
      `INSERT INTO batches (id, name, pattern, environment, key_kind, created_ms, file_name, file_digest, results_path,
       columns, delimiter, policy) VALUES (1, 'may', 'may', '["here"]', 'payee', 1, 'f', 'd', '/r', '[]', ',', '{}')`,
    );
    db.prepare(
      `INSERT INTO payouts (batch, key, attempt, reference, state, fingerprint, payee, account_name, folded_name, country,
       currency, amount, destination, number, bank_code, operator, branch_code, debit_currency, debit_country,
       narration, accepted_run, accepted_ms, settled_ms, watched, ever_sent, code)
     VALUES (1, 'E1', 1, 'r', ?, '', '', '', '', 'KE', 'KES', 100, 'MoMo', '', '', '', '', '', '', '', '', 1, ?, ?, ?, ?)`,
    ).run(state, nowMs - days * dayMs, watched, everSent, code);

    expect(batchesToResume(db, nowMs)).toHaveLength(isResumed ? 1 : 0);
  },
);

test.each([
  ['held', 3, true],
  ['cancelled', 3, true],
  ['held', 15, false],
  ['cancelled', 15, false],
] as const)(
  'a batch whose one payout is %s and was accepted %d days ago is resumed: %s',
  (state, days, isResumed) => {
    const db = openEmptyJournal();
    onTestFinished(() => void db.close());
    db.exec(
      `INSERT INTO batches (id, name, pattern, environment, key_kind, created_ms, file_name, file_digest, results_path,
       columns, delimiter, policy) VALUES (1, 'may', 'may', '["here"]', 'payee', 1, 'f', 'd', '/r', '[]', ',', '{}')`,
    );
    db.prepare(
      `INSERT INTO payouts (batch, key, attempt, reference, state, fingerprint, payee, account_name, folded_name, country,
       currency, amount, destination, number, bank_code, operator, branch_code, debit_currency, debit_country,
       narration, accepted_run, accepted_ms)
     VALUES (1, 'E1', 1, 'r', ?, '', '', '', '', 'KE', 'KES', 100, 'MoMo', '', '', '', '', '', '', '', '', ?)`,
    ).run(state, nowMs - days * dayMs);

    expect(batchesToResume(db, nowMs)).toHaveLength(isResumed ? 1 : 0);
  },
);
