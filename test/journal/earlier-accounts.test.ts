import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { Environment } from '../../src/domain/environment/environment.ts';
import { readBatch } from '../../src/journal/batch-record.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { readValue } from '../../src/journal/key-values.ts';
import { openKnownPayees } from '../../src/journal/known-payees.ts';
import { proofKey } from '../../src/journal/look-up-proof.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import { journalOfSchema } from './journal-of-schema.ts';

test('a journal of schema 4 knows its accounts by place and e-mail, and what it knows of payees stays with them', () => {
  const place = 'https://pay.example/api/b2b';
  const path = journalOfSchema(4, (old) => {
    const environments = [`${place} a@b.example`, `${place} pk_live_1`, 'sandbox'];
    for (const [index, environment] of environments.entries()) {
      old
        .prepare(
          `INSERT INTO batches (id, name, pattern, environment, key_kind, created_ms, file_name, file_digest, results_path,
             columns, delimiter, policy) VALUES (?, ?, '', ?, 'payee', 1, 'f', 'd', '/r', '[]', ',', '{}')`,
        )
        .run(index + 1, `batch${index + 1}`, environment);
    }
    old.exec(
      `INSERT INTO payouts (batch, key, attempt, reference, state, fingerprint, payee, account_name, folded_name, country,
         currency, amount, destination, number, bank_code, operator, branch_code, debit_currency, debit_country,
         narration, accepted_run, accepted_ms)
       VALUES (1, 'E1', 1, 'r', 'paid', '', 'mary', '', '', 'KE', 'KES', 100, 'MoMo', '', '', '', '', '', '', '', '', 1);
       INSERT INTO payees VALUES ('${place} a@b.example', 'mary', 'KES', 'X1'), ('${place} pk_live_1', 'mary', 'KES', 'X2'),
         ('${place} pk_live_2', 'mary', 'KES', 'X2');
       INSERT INTO resolved_names VALUES ('${place} a@b.example', 'mary', 'KES', 'name', 'Mary', 1);
       INSERT INTO released_names VALUES ('mary', 'mary wanjiku', 'M. Wanjiku');
       INSERT INTO facts VALUES ('proof:${place} a@b.example', '{"delayMs":7}'), ('reread:1', '5'),
         ('proof:${place} pk_live_1', '{"delayMs":9}')`,
    );
  });

  const db = openJournal(path);
  onTestFinished(() => void db.close());

  const unknown = { email: undefined, profileKey: undefined, configuredKey: undefined };
  expect([1, 2, 3].map((id) => readBatch(db, `batch${id}`)?.environment)).toEqual([
    { ...unknown, place, email: 'a@b.example' },
    { ...unknown, place },
    { ...unknown, place: 'sandbox' },
  ]);
  const before = { ...unknown, place, email: 'a@b.example' };
  expect(readValue(db, proofKey(before))).toBe('{"delayMs":7}');
  expect(readValue(db, 'reread:1')).toBe('5');
  const journal = createJournal(db, systemClock, { run: 'r', operator: 'o' });
  const book = openKnownPayees(db, journal, before);
  const mary = {
    payee: 'mary',
    currency: 'KES',
    destination: 'MoMo',
    country: 'KE',
    bankCode: '',
    number: '+254712000101',
  } as const;
  expect([book.accountOf(mary)?.id, book.nameOf(mary)]).toEqual(['X1', undefined]);
  // Without an e-mail nobody can tell accounts apart: what was known with them is found out again.
  expect(db.prepare('SELECT external_account_id FROM payees').pluck().all()).toEqual(['X1']);
  // A pair of names that was released counts for each account that can have been meant, and for no other.
  const today = { place, email: 'a@b.example', profileKey: 'pk_1', configuredKey: 'pk_1' };
  const isReleased = (environment: Environment) =>
    openKnownPayees(db, journal, environment).isReleased('mary', 'mary wanjiku', 'M. Wanjiku');
  expect([isReleased(today), isReleased({ ...today, email: 'c@d.example' })]).toEqual([true, false]);
});
