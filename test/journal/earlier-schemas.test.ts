import type Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { payoutStates } from '../../src/domain/payout/payout-state.ts';
import { reasonText } from '../../src/domain/payout/reasons.ts';
import { migrations } from '../../src/journal/migrations.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import { payoutQueries } from '../../src/journal/payouts/payout-queries.ts';
import { journalOfSchema } from './journal-of-schema.ts';

test('a journal of schema 2 takes the attempt that each payout has for the highest there ever was', () => {
  const path = journalOfSchema(2, (old) => {
    addBatch(old);
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
  expect(payoutQueries(db, 1).page(['failed'], 0, 10)).toMatchObject([
    { key: 'E1', attempt: 1, lastAttempt: 1 },
    { key: 'E2', attempt: 3, lastAttempt: 3 },
  ]);
});

test('the name that a payout of schema 4 went out under stays what was said before, and its account what it was made with', () => {
  const path = journalOfSchema(4, (old) => {
    addBatch(old);
    for (const [key, state] of Object.entries({ E1: 'paid', E2: 'held', E3: 'planned' })) {
      addPayout(old, key, { state, reason: '' });
    }
    old.exec(`UPDATE payouts SET payee = key, resolved_name = iif(key = 'E3', '', 'NAME OF ' || key), operator = 'mpesa',
        branch_code = '101', external_account_id = 'acc-' || key;
      INSERT INTO payees SELECT 'here payer@example.com', payee, currency, external_account_id FROM payouts`);
  });

  const db = openJournal(path);
  onTestFinished(() => void db.close());

  const names = db.prepare(
    'SELECT payee, at_ms AS atMs, before_kind AS kind, before_name AS name FROM resolved_names',
  );
  expect(names.all()).toEqual([{ payee: 'E1', atMs: 0, kind: 'name', name: 'NAME OF E1' }]);
  const accounts = db.prepare('SELECT payee, made, operator, branch_code AS branch FROM payees');
  expect(accounts.all()).toEqual(
    ['E1', 'E2', 'E3'].map((payee) => ({ payee, made: 0, operator: 'mpesa', branch: '101' })),
  );
});

const oldReasons: readonly [
  state: string,
  hold: string,
  verdict: string,
  reason: string,
  now: string,
  said?: string,
][] = [
  ['held', 'name', 'close', 'close: one letter differs: Wanjiku / WANAIKU', 'name-close'],
  ['held', 'name', 'mismatch', 'mismatch: no word agrees', 'name-mismatch'],
  ['held', 'name', 'unchecked', 'unchecked: the service gave no name', 'name-unchecked'],
  ['held', 'name', 'no-account', 'the account does not exist', 'no-account'],
  ['held', 'limit', 'match', 'above the limit of KES 1,000.00', 'above-limit'],
  ['held', 'file', '', 'no longer in the file', 'gone-from-file'],
  [
    'held',
    'file',
    '',
    'no longer in the file; attempt 1 is paid (T1)',
    'gone-from-file',
    'no longer in the file; it was held: attempt 1 is paid (T1)',
  ],
  ['held', 'payee', '', 'external account A1 already stands for another payee', 'noted'],
  ['refused', '', '', 'E-API-P.S-42: Payout refused: by the provider.', 'refused'],
  [
    'refused',
    '',
    '',
    'decided not paid: the bank says so',
    'decided-not-paid',
    'decided: not paid: the bank says so',
  ],
  ['failed', '', '', 'the service says it failed', 'failed'],
  ['returned', '', '', 'it was paid and came back', 'returned'],
  ['cancelled', '', '', 'PAID TWICE: payment E0 was paid by 2 transactions: T1, T2', 'cancelled'],
  [
    'unclear',
    '',
    '',
    'it was sent and no answer came; the service has not yet shown that a look-up finds what it accepted',
    'unproven',
    'it was sent and not answered clearly; no look-up has found an accepted payout at this service yet',
  ],
  ['unclear', '', '', 'the service calls its reference used, yet no look-up finds it', 'reference-burnt'],
  ['unclear', '', '', 'sent 2 times without an answer, and not found', 'noted'],
];

test('a journal of schema 4 has codes for the sentences that rules went by, and keeps what others said', () => {
  const path = journalOfSchema(4, (old) => {
    addBatch(old);
    for (const [index, [state, hold, verdict, reason]] of oldReasons.entries()) {
      addPayout(old, `E${index}`, { state, hold, verdict, reason });
    }
    const twice = 'PAID TWICE: payment was paid by 3 transactions: x was paid by 2 transactions: T8, T9';
    addPayout(old, 'was paid by 3 transactions: x', { state: 'paid', reason: twice });
    addPayout(old, 'quiet', { state: 'paid', reason: '' });
  });

  const db = openJournal(path);
  onTestFinished(() => void db.close());

  const payouts = payoutQueries(db, 1).page(payoutStates, 0, 100);
  expect(payouts.slice(0, oldReasons.length).map((payout) => [payout.code, reasonText(payout)])).toEqual(
    oldReasons.map(([, , , reason, code, said]) => [code, said ?? reason]),
  );
  expect(payouts.at(-2)).toMatchObject({ code: 'paid-twice', paidTwice: 'T8 T9' });
  expect(payouts.at(-1)).toMatchObject({ code: '', paidTwice: '' });
  expect(payoutQueries(db, 1).paidTwice()).toMatchObject([
    { key: 'was paid by 3 transactions: x', transactions: ['T8', 'T9'] },
  ]);
});

test('a journal of schema 4 has codes for the ends of its sends, and one that was cut off stays so', () => {
  const path = journalOfSchema(4, (old) => {
    addBatch(old);
    addPayout(old, 'E1', { state: 'submitting', reason: '' });
    const send = old.prepare(
      `INSERT INTO sends (payout, reference, run, begun_ms, outcome, detail) VALUES (1, 'E1', 'r', 1, ?, ?)`,
    );
    send.run('ok', 'T1');
    send.run('refused', 'E-API-P.S-42: Payout refused: by the provider.');
    send.run('unknown', 'The service says that the reference was used already.');
    send.run('unknown', 'cut off');
    send.run('unknown', 'T7');
    send.run('unknown', 'The service failed (500).');
    send.run('answered', 'The service asks for fewer calls (429).');
    send.run('answered', 'The service did not accept the credentials (401).');
    send.run('', '');
  });

  const db = openJournal(path);
  onTestFinished(() => void db.close());

  const sends = db
    .prepare('SELECT code, transaction_id, error_code, words FROM sends ORDER BY id')
    .raw()
    .all();
  expect(sends).toEqual([
    ['accepted', 'T1', '', ''],
    ['refused', '', 'E-API-P.S-42', 'Payout refused: by the provider.'],
    ['reference-used', '', '', ''],
    ['cut-off', '', '', ''],
    ['transaction-taken', 'T7', '', ''],
    ['noted', '', '', 'The service failed (500).'],
    ['too-many-requests', '', '', ''],
    ['unauthorised', '', '', ''],
    ['', '', '', ''],
  ]);
});

test('a journal of schema 10 knows every transaction that its answers, its payouts and its log name', () => {
  const path = journalOfSchema(10, (old) => {
    old.exec(
      `INSERT INTO batches (id, name, pattern, environment, key_kind, created_ms, file_name, file_digest, results_path,
         columns, delimiter, policy) VALUES (1, 'may', 'may', '["here","payer@example.com",null,null]', 'payee', 1, 'f', 'd', '/r', '[]', ',', '{}')`,
    );
    const insert = old.prepare(
      `INSERT INTO payouts (batch, key, attempt, reference, state, transaction_id, watched, paid_twice, fingerprint, payee,
         account_name, folded_name, country, currency, amount, destination, number, bank_code, operator, branch_code,
         debit_currency, debit_country, narration, accepted_run, accepted_ms)
       VALUES (1, @key, 2, @key, 'paid', @own, @watched, @twice, '', '', '', '', 'KE', 'KES', 100, 'MoMo', '', '', '', '', '', '', '', '', 1)`,
    );
    insert.run({ key: 'E1', own: 'T2', watched: 'T3 T4', twice: '' });
    insert.run({ key: 'E2', own: '', watched: '', twice: 'T7 T8' });
    insert.run({ key: 'E3', own: '', watched: '', twice: '' });
    const send = old.prepare(
      `INSERT INTO sends (payout, reference, run, begun_ms, outcome, transaction_id) VALUES (?, ?, 'r', 1, ?, ?)`,
    );
    send.run(1, 'E1 of before', 'ok', 'T1');
    send.run(1, 'E1', 'unknown', 'T9');
    const log = old.prepare(
      `INSERT INTO events (at_ms, batch, payout, run, operator, from_state, to_state, why, hash)
       VALUES (1, 1, ?, 'r', 'o', ?, ?, ?, '')`,
    );
    log.run(1, 'submitted', 'failed', 'the service says failed (T1)');
    log.run(3, 'submitted', 'failed', 'the service says failed (T10)');
    log.run(3, 'failed', 'planned', 'its row was corrected: a new attempt');
    log.run(
      3,
      'unclear',
      'failed',
      'decided: it is transaction T11, which the service calls failed: (see mail)',
    );
    log.run(3, 'failed', 'planned', 'attempt 2 after attempt 1 failed (T12): asked (again)');
    log.run(3, 'failed', 'planned', 'attempt 2 after attempt 1 failed: asked');
    log.run(3, 'ready', 'submitting', 'sent (T13)');
  });

  const db = openJournal(path);
  onTestFinished(() => void db.close());

  const known = db.prepare(
    'SELECT payout, reference, transaction_id FROM known_transactions ORDER BY payout, length(transaction_id), transaction_id',
  );
  expect(known.raw().all()).toEqual([
    [1, 'E1 of before', 'T1'],
    [1, 'E1', 'T2'],
    [1, '', 'T3'],
    [1, '', 'T4'],
    [2, '', 'T7'],
    [2, '', 'T8'],
    [3, '', 'T10'],
    [3, '', 'T11'],
    [3, '', 'T12'],
  ]);
});

function addBatch(old: Database.Database): void {
  old.exec(
    `INSERT INTO batches (id, name, pattern, environment, key_kind, created_ms, file_name, file_digest, results_path,
       columns, delimiter, policy) VALUES (1, 'may', 'may', 'here payer@example.com', 'payee', 1, 'f', 'd', '/r', '[]', ',', '{}')`,
  );
}

interface OldPayout {
  readonly state: string;
  readonly reason: string;
  readonly hold?: string;
  readonly verdict?: string;
}

function addPayout(
  old: Database.Database,
  key: string,
  { state, reason, hold = '', verdict = '' }: OldPayout,
): void {
  old
    .prepare(
      `INSERT INTO payouts (batch, key, attempt, reference, state, reason, hold, verdict, fingerprint, payee, account_name,
         folded_name, country, currency, amount, destination, number, bank_code, operator, branch_code, debit_currency,
         debit_country, narration, accepted_run, accepted_ms)
       VALUES (1, @key, 1, @key, @state, @reason, @hold, @verdict, '', '', '', '', 'KE', 'KES', 100, 'MoMo', '', '', '',
         '', '', '', '', '', 1)`,
    )
    .run({ key, state, reason, hold, verdict });
}
