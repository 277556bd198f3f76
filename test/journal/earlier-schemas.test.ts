import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { migrations } from '../../src/journal/migrations.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import { askPayouts } from '../../src/journal/payout-pages.ts';

test('a journal of schema 2 takes the attempt that each payout has for the highest there ever was', () => {
  const path = journalOfSchema(2, (old) => {
    old.exec(
      `INSERT INTO batches (id, name, pattern, environment, key_kind, created_ms, file_name, file_digest, results_path,
         columns, delimiter, policy) VALUES (1, 'may', 'may', 'here', 'payee', 1, 'f', 'd', '/r', '[]', ',', '{}')`,
    );
    const insert = old.prepare(
      `INSERT INTO payouts (batch, key, attempt, reference, state, fingerprint, payee, account_name, folded_name, country,
         currency, amount, destination, number, bank_code, operator, branch_code, debit_currency, debit_country,
         narration, accepted_run, accepted_ms)
       VALUES (1, @key, @attempt, @key, 'failed', '', '', '', '', 'KE', 'KES', 100, 'MoMo', '', '', '', '', '', '', '', '', 1)`,
    );
    for (const [key, attempt] of [
      ['E1', 1],
      ['E2', 3],
    ]) {
      insert.run({ key, attempt });
    }
  });

  const db = openJournal(path);
  onTestFinished(() => void db.close());

  expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
  expect(askPayouts(db, 1).page(['failed'], 0, 10)).toMatchObject([
    { key: 'E1', attempt: 1, lastAttempt: 1 },
    { key: 'E2', attempt: 3, lastAttempt: 3 },
  ]);
});

/** As an earlier version has left it. */
function journalOfSchema(version: number, fill: (old: Database.Database) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-schema-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'journal.sqlite');
  const old = new Database(path);
  for (const sql of migrations.slice(0, version)) old.exec(sql);
  old.pragma(`user_version = ${version}`);
  fill(old);
  old.close();
  return path;
}
