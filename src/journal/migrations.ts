/**
 * Append only, one transaction each: a journal made by an earlier version is brought forward, a newer one refused.
 * Words are those of the glossary: a payout is a row once accepted, its state moves only through the table of moves.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE batches (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    -- The name before {yyyy}, {MM} and {dd} were filled; the name itself where it has none.
    pattern TEXT NOT NULL,
    -- Base URL, prefix and account. A batch stays where it began.
    environment TEXT NOT NULL,
    -- What keys are made of: paymentId or payee.
    key_kind TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    file_name TEXT NOT NULL,
    file_digest TEXT NOT NULL,
    results_path TEXT NOT NULL,
    -- Input columns and delimiter of the first file, for the results: name and field of each column.
    columns TEXT NOT NULL,
    delimiter TEXT NOT NULL,
    -- Limits and policies as confirmed; they only ever get tighter.
    policy TEXT NOT NULL,
    last_send_ms INTEGER
  );

  CREATE TABLE payouts (
    id INTEGER PRIMARY KEY,
    batch INTEGER NOT NULL REFERENCES batches (id),
    key TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    reference TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    fingerprint TEXT NOT NULL,
    payee TEXT NOT NULL,
    account_name TEXT NOT NULL,
    folded_name TEXT NOT NULL,
    country TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL,
    destination TEXT NOT NULL,
    number TEXT NOT NULL,
    bank_code TEXT NOT NULL,
    operator TEXT NOT NULL,
    branch_code TEXT NOT NULL,
    debit_currency TEXT NOT NULL,
    debit_country TEXT NOT NULL,
    narration TEXT NOT NULL,
    -- The run that accepted it; only that run may send it first without a look-up.
    accepted_run TEXT NOT NULL,
    accepted_ms INTEGER NOT NULL,
    external_account_id TEXT NOT NULL DEFAULT '',
    verdict TEXT NOT NULL DEFAULT '',
    resolved_name TEXT NOT NULL DEFAULT '',
    resolved_ms INTEGER,
    -- The one check a person waived for this payout: name, limit, payee, file, repeat; empty for none.
    released TEXT NOT NULL DEFAULT '',
    hold TEXT NOT NULL DEFAULT '',
    transaction_id TEXT NOT NULL DEFAULT '',
    -- Whether any byte of any send of the present attempt may have left.
    ever_sent INTEGER NOT NULL DEFAULT 0,
    -- Sends of the present attempt that ended unknown or were cut off.
    unknown_sends INTEGER NOT NULL DEFAULT 0,
    submitted_ms INTEGER,
    settled_ms INTEGER,
    UNIQUE (batch, key)
  );
  CREATE INDEX payouts_by_state ON payouts (batch, state, id);
  CREATE INDEX payouts_by_payee ON payouts (payee, currency, amount);
  CREATE INDEX payouts_by_name ON payouts (batch, folded_name);
  CREATE INDEX payouts_by_transaction ON payouts (transaction_id) WHERE transaction_id <> '';

  -- The columns of later files that had others than the first.
  CREATE TABLE column_lists (
    id INTEGER PRIMARY KEY,
    batch INTEGER NOT NULL REFERENCES batches (id),
    columns TEXT NOT NULL,
    UNIQUE (batch, columns)
  );

  -- Every row ever taken in, in the order of first appearance: what the results are written from.
  CREATE TABLE batch_rows (
    batch INTEGER NOT NULL REFERENCES batches (id),
    position INTEGER NOT NULL,
    line INTEGER NOT NULL,
    cells TEXT NOT NULL,
    -- In the order of which columns the cells stand; null for those of the first file.
    column_list INTEGER REFERENCES column_lists (id),
    payout INTEGER REFERENCES payouts (id),
    -- Why the row is no payout, or what else the results must say of it.
    problem TEXT NOT NULL DEFAULT '',
    -- The row stands in the newest file taken in.
    present INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (batch, position)
  ) WITHOUT ROWID;
  CREATE INDEX batch_rows_by_payout ON batch_rows (payout, batch, line);

  -- Which external account stands for a payee, in which environment. One account belongs to one payee and currency.
  CREATE TABLE payees (
    environment TEXT NOT NULL,
    payee TEXT NOT NULL,
    currency TEXT NOT NULL,
    external_account_id TEXT NOT NULL,
    PRIMARY KEY (environment, payee, currency),
    UNIQUE (environment, external_account_id)
  ) WITHOUT ROWID;

  -- What the service said an account is called. The verdict belongs to a payout, not to this.
  CREATE TABLE resolved_names (
    environment TEXT NOT NULL,
    payee TEXT NOT NULL,
    currency TEXT NOT NULL,
    -- name, no-account or unsupported
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (environment, payee, currency)
  ) WITHOUT ROWID;

  -- Pairs of names a person released: not held again for that payee.
  CREATE TABLE released_names (
    payee TEXT NOT NULL,
    expected TEXT NOT NULL,
    resolved TEXT NOT NULL,
    PRIMARY KEY (payee, expected, resolved)
  ) WITHOUT ROWID;

  -- Every send, its intent on disk before the first byte; an empty outcome was cut off.
  CREATE TABLE sends (
    id INTEGER PRIMARY KEY,
    payout INTEGER NOT NULL REFERENCES payouts (id),
    reference TEXT NOT NULL,
    run TEXT NOT NULL,
    begun_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    outcome TEXT NOT NULL DEFAULT '',
    detail TEXT NOT NULL DEFAULT ''
  );
  CREATE INDEX sends_by_payout ON sends (payout);

  -- The log of moves, one hash chain over all batches.
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    batch INTEGER NOT NULL,
    payout INTEGER,
    run TEXT NOT NULL,
    operator TEXT NOT NULL,
    from_state TEXT NOT NULL,
    to_state TEXT NOT NULL,
    why TEXT NOT NULL,
    hash TEXT NOT NULL
  );
  CREATE INDEX events_by_payout ON events (payout);
  CREATE INDEX events_by_batch ON events (batch, seq);

  -- Left by webhooks: a payout worth reading soon. Never more than a hint.
  CREATE TABLE hints (reference TEXT PRIMARY KEY, at_ms INTEGER NOT NULL) WITHOUT ROWID;
  `,
  `
  -- What was confirmed, by currency, in minor units: all runs together send no more.
  ALTER TABLE batches ADD COLUMN bounds TEXT NOT NULL DEFAULT '{}';

  -- The payment that a row names though it is none: by it the row is known again, wherever it stands.
  ALTER TABLE batch_rows ADD COLUMN key TEXT;
  CREATE INDEX batch_rows_invalid ON batch_rows (batch, key) WHERE payout IS NULL;

  -- Payouts above the limit for one payout that they were accepted under. A later file loosens it for its own rows alone.
  CREATE TABLE payout_limits (
    payout INTEGER PRIMARY KEY REFERENCES payouts (id),
    limit_amount INTEGER NOT NULL
  );
  `,
  `
  -- The highest attempt there ever was: where an earlier one pays late, the payout goes back to that one's reference,
  -- and those after it may still pay as well.
  ALTER TABLE payouts ADD COLUMN last_attempt INTEGER NOT NULL DEFAULT 1;
  UPDATE payouts SET last_attempt = attempt;
  `,
  `
  -- An invalid row that names no payment is known again by what it says, wherever it stands.
  CREATE INDEX batch_rows_nameless ON batch_rows (batch, cells) WHERE payout IS NULL AND key IS NULL;
  `,
  `
  -- Why a payout is where it is, and how a send ended, are codes: no rule reads a sentence made for people.
  ALTER TABLE payouts ADD COLUMN code TEXT NOT NULL DEFAULT '';
  ALTER TABLE payouts ADD COLUMN details TEXT NOT NULL DEFAULT '{}';
  -- The transactions that paid it, where there is more than one; empty otherwise. Stays for as long as the journal.
  ALTER TABLE payouts ADD COLUMN paid_twice TEXT NOT NULL DEFAULT '';

  UPDATE payouts SET paid_twice = substr(reason, length('PAID TWICE: payment ' || key || ' was paid by ') + 1)
    WHERE state IN ('submitted', 'paid') AND instr(reason, 'PAID TWICE: payment ' || key || ' was paid by ') = 1;
  UPDATE payouts SET paid_twice = replace(substr(paid_twice, instr(paid_twice, ' transactions: ') + 15), ', ', ' ')
    WHERE paid_twice <> '';
  UPDATE payouts SET
    code = CASE
      WHEN paid_twice <> '' THEN 'paid-twice'
      WHEN state = 'cancelled' THEN 'cancelled'
      WHEN state = 'refused' AND substr(reason, 1, 18) = 'decided not paid: ' THEN 'decided-not-paid'
      WHEN state = 'refused' AND instr(reason, ': ') > 0 THEN 'refused'
      WHEN state = 'failed' AND reason = 'the service says it failed' THEN 'failed'
      WHEN state = 'returned' AND reason = 'it was paid and came back' THEN 'returned'
      WHEN state = 'unclear' AND reason = 'it was sent and no answer came; the service has not yet shown that a look-up finds what it accepted' THEN 'unproven'
      WHEN state = 'unclear' AND reason = 'the service calls its reference used, yet no look-up finds it' THEN 'reference-burnt'
      WHEN state = 'held' AND hold = 'file' AND substr(reason, 1, 21) = 'no longer in the file' THEN 'gone-from-file'
      WHEN state = 'held' AND hold = 'name' AND reason = 'the account does not exist' THEN 'no-account'
      WHEN state = 'held' AND hold = 'name' AND verdict IN ('close', 'mismatch', 'unchecked') AND instr(reason, verdict || ': ') = 1
        THEN 'name-' || verdict
      WHEN state = 'held' AND hold = 'limit' AND substr(reason, 1, 19) = 'above the limit of ' THEN 'above-limit'
      ELSE 'noted' END
    WHERE reason <> '';
  UPDATE payouts SET details = CASE code
      WHEN 'paid-twice' THEN json_object('transactions', replace(paid_twice, ' ', ', '))
      WHEN 'cancelled' THEN json_object('reason', reason)
      WHEN 'decided-not-paid' THEN json_object('reason', substr(reason, 19))
      WHEN 'refused' THEN json_object('errorCode', substr(reason, 1, instr(reason, ': ') - 1),
        'words', substr(reason, instr(reason, ': ') + 2))
      WHEN 'gone-from-file' THEN iif(length(reason) > 23, json_object('before',
        json_object('code', 'noted', 'details', json_object('text', substr(reason, 24)))), '{}')
      WHEN 'name-close' THEN json_object('why', substr(reason, 8))
      WHEN 'name-mismatch' THEN json_object('why', substr(reason, 11))
      WHEN 'name-unchecked' THEN json_object('why', substr(reason, 12))
      WHEN 'above-limit' THEN json_object('limit', substr(reason, 20))
      WHEN 'noted' THEN json_object('text', reason)
      ELSE '{}' END
    WHERE code <> '';
  ALTER TABLE payouts DROP COLUMN reason;

  -- The code of the problem that keeps the row from being paid.
  ALTER TABLE batch_rows ADD COLUMN problem_code TEXT NOT NULL DEFAULT '';
  UPDATE batch_rows SET problem_code = 'invalid-row' WHERE problem <> '';

  ALTER TABLE sends ADD COLUMN code TEXT NOT NULL DEFAULT '';
  ALTER TABLE sends ADD COLUMN transaction_id TEXT NOT NULL DEFAULT '';
  -- The service's own, as evidence.
  ALTER TABLE sends ADD COLUMN error_code TEXT NOT NULL DEFAULT '';
  ALTER TABLE sends ADD COLUMN words TEXT NOT NULL DEFAULT '';
  UPDATE sends SET
    code = CASE
      WHEN outcome = 'ok' THEN 'accepted'
      WHEN outcome = 'refused' THEN 'refused'
      WHEN detail = 'cut off' THEN 'cut-off'
      WHEN detail = 'The service says that the reference was used already.' THEN 'reference-used'
      WHEN detail = 'The service did not accept the credentials (401).' THEN 'unauthorised'
      WHEN detail = 'The service asks for fewer calls (429).' THEN 'too-many-requests'
      WHEN outcome = 'unknown' AND detail <> '' AND instr(detail, ' ') = 0 THEN 'transaction-taken'
      ELSE 'noted' END
    WHERE outcome <> '';
  UPDATE sends SET
    transaction_id = iif(code IN ('accepted', 'transaction-taken'), detail, ''),
    error_code = iif(code = 'refused' AND instr(detail, ': ') > 0, substr(detail, 1, instr(detail, ': ') - 1), ''),
    words = CASE WHEN code = 'refused' AND instr(detail, ': ') > 0 THEN substr(detail, instr(detail, ': ') + 2)
      WHEN code IN ('refused', 'noted') THEN detail ELSE '' END
    WHERE outcome <> '';
  ALTER TABLE sends DROP COLUMN detail;
  `,
  `
  -- An environment is told by all that tells accounts apart: place, e-mail, and the marks of the public keys of the
  -- profile and of the settings, as a JSON array. Until now it was the place and the e-mail, or, where the profile showed
  -- none, its key. What was not kept is null, and cannot contradict.
  CREATE TEMP TABLE told AS
    SELECT environment AS was, account LIKE '%@%' AS by_email, json_array(
      iif(blank = 0, environment, substr(environment, 1, blank - 1)),
      iif(account LIKE '%@%', account, NULL), NULL, NULL) AS told
    FROM (SELECT environment, blank, iif(blank = 0, '', substr(environment, blank + 1)) AS account
      FROM (SELECT environment, instr(environment, ' ') AS blank FROM (
        SELECT environment FROM batches UNION SELECT environment FROM payees
        UNION SELECT substr(key, 7) FROM facts WHERE key LIKE 'proof:%')));
  UPDATE batches SET environment = (SELECT told FROM told WHERE was = environment);
  -- Without an e-mail, accounts cannot be told apart any more: what was known with them is found out again.
  DELETE FROM payees WHERE environment IN (SELECT was FROM told WHERE NOT by_email);
  DELETE FROM facts WHERE key IN (SELECT 'proof:' || was FROM told WHERE NOT by_email);
  UPDATE payees SET environment = (SELECT told FROM told WHERE was = environment);
  UPDATE facts SET key = 'proof:' || (SELECT told FROM told WHERE was = substr(key, 7)) WHERE key LIKE 'proof:%';
  -- Nobody can tell for which account names were asked: they are asked again.
  DELETE FROM resolved_names;
  DROP TABLE told;

  -- Pairs of names that a person released: in the environments in which that payee was paid.
  ALTER TABLE released_names RENAME TO released_anywhere;
  CREATE TABLE released_names (
    environment TEXT NOT NULL,
    payee TEXT NOT NULL,
    expected TEXT NOT NULL,
    resolved TEXT NOT NULL,
    PRIMARY KEY (environment, payee, expected, resolved)
  ) WITHOUT ROWID;
  INSERT INTO released_names
    SELECT DISTINCT batches.environment, released.payee, released.expected, released.resolved
    FROM released_anywhere AS released JOIN payouts ON payouts.payee = released.payee
      JOIN batches ON batches.id = payouts.batch;
  DROP TABLE released_anywhere;
  `,
  `
  -- Other transactions of a payout that were seen and have not failed. A paid one is watched for as long as there are any.
  ALTER TABLE payouts ADD COLUMN watched TEXT NOT NULL DEFAULT '';
  CREATE INDEX payouts_watched ON payouts (batch, id) WHERE watched <> '';
  `,
  `
  -- Payees and fingerprints are in canonical form from here on (canonical-payees.ts): an earlier program, which would
  -- make others of the same rows, must not write here any more.
  DELETE FROM facts WHERE key = 'bank-list';
  `,
  `
  -- At which operator a name was asked, and whether the answer is more than what is stored with an account of that
  -- number: a service may answer with just that, and then it would confirm any name.
  ALTER TABLE resolved_names ADD COLUMN operator TEXT NOT NULL DEFAULT '';
  ALTER TABLE resolved_names ADD COLUMN repeats INTEGER NOT NULL DEFAULT 1;
  -- The last answer that repeated nothing stored: it decides over one that does. Empty where there never was one.
  ALTER TABLE resolved_names ADD COLUMN before_kind TEXT NOT NULL DEFAULT '';
  ALTER TABLE resolved_names ADD COLUMN before_name TEXT NOT NULL DEFAULT '';
  -- Destination, currency, and bank or operator; and whether another name than the stored one was said there.
  ALTER TABLE resolved_names ADD COLUMN rail TEXT NOT NULL DEFAULT '';
  ALTER TABLE resolved_names ADD COLUMN differs INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX resolved_names_by_rail ON resolved_names (environment, rail) WHERE differs = 1;
  -- Earlier versions did not note what stood there when they asked. The name that a payout went out under is asked
  -- again, and stays what was said before.
  INSERT OR IGNORE INTO resolved_names (environment, payee, currency, kind, name, at_ms, before_kind, before_name)
    SELECT environment, payee, currency, 'name', resolved_name, 0, 'name', resolved_name FROM (
      SELECT batches.environment, payee, currency, resolved_name, max(payouts.id) FROM payouts
      JOIN batches ON batches.id = payouts.batch
      WHERE resolved_name <> '' AND state IN ('ready', 'submitting', 'submitted', 'unclear', 'paid')
      GROUP BY batches.environment, payee, currency);
  `,
  `
  -- What the service shows to have paid, where that is not the amount.
  ALTER TABLE payouts ADD COLUMN paid_amount INTEGER;
  `,
  `
  -- Whether payrun made the account, and the operator and branch that it was last written or adopted with: a service
  -- that does not show them is not told again and again.
  ALTER TABLE payees ADD COLUMN made INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE payees ADD COLUMN operator TEXT NOT NULL DEFAULT '';
  ALTER TABLE payees ADD COLUMN branch_code TEXT NOT NULL DEFAULT '';
  UPDATE payees SET (operator, branch_code) = (first.operator, first.branch_code) FROM (
    SELECT environment, payee, currency, external_account_id, operator, branch_code, min(payouts.id) FROM payouts
    JOIN batches ON batches.id = payouts.batch WHERE external_account_id <> ''
    GROUP BY environment, payee, currency, external_account_id) AS first
  WHERE first.environment = payees.environment AND first.payee = payees.payee AND first.currency = payees.currency
    AND first.external_account_id = payees.external_account_id;
  `,
  `
  -- Every transaction that a payout was ever known by, with the reference that it stands under: named in an answer, found
  -- by look-up, or said by a person. The payout itself keeps only the present one, and a new attempt begins without.
  -- Where the reference is empty, it is that of one of its attempts, and the transaction itself says of which.
  CREATE TABLE known_transactions (
    payout INTEGER NOT NULL REFERENCES payouts (id),
    reference TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    PRIMARY KEY (payout, reference, transaction_id)
  ) WITHOUT ROWID;
  CREATE INDEX known_transactions_by_id ON known_transactions (transaction_id);
  INSERT INTO known_transactions
    SELECT payout, reference, transaction_id FROM sends WHERE outcome = 'ok' AND transaction_id <> ''
    UNION SELECT id, reference, transaction_id FROM payouts WHERE transaction_id <> ''
    UNION SELECT payouts.id, '', value FROM payouts, json_each('["' || replace(watched, ' ', '","') || '"]') WHERE watched <> ''
    UNION SELECT payouts.id, '', value FROM payouts, json_each('["' || replace(paid_twice, ' ', '","') || '"]')
      WHERE paid_twice <> '';
  -- What a retry or a correction has cleared still stands in the log: how each transaction ended.
  INSERT OR IGNORE INTO known_transactions
    SELECT payout, '', substr(told, 1, instr(told, ending) - 1) FROM (
      SELECT payout, substr(why, instr(why, ' (') + 2) AS told, ')' AS ending FROM events
        WHERE (to_state IN ('paid', 'failed') AND (why LIKE 'the service says %' OR why LIKE 'a later read says %'))
          OR (from_state IN ('failed', 'returned') AND to_state = 'planned' AND why LIKE 'attempt % after attempt % (%')
      UNION ALL
      SELECT payout, substr(why, length('decided: it is transaction ') + 1), ', which ' FROM events
        WHERE why LIKE 'decided: it is transaction %')
    WHERE payout IN (SELECT id FROM payouts) AND instr(told, ending) > 1
      AND NOT substr(told, 1, instr(told, ending) - 1) GLOB '*[^A-Za-z0-9_-]*';
  DELETE FROM known_transactions WHERE reference = '' AND EXISTS (
    SELECT 1 FROM known_transactions AS placed WHERE placed.payout = known_transactions.payout
      AND placed.transaction_id = known_transactions.transaction_id AND placed.reference <> '');
  `,
  `
  -- How long after its beginning a look-up still did not show what was sent: where a later one does, look-ups take
  -- that long.
  ALTER TABLE sends ADD COLUMN unseen_ms INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- What an answer knew of a person beyond the stored name that it agrees with: a name that is not letter for letter the
  -- stored one shows nothing by that alone. Of names that were taken for more only because of it, nothing is believed,
  -- and all are asked again.
  DROP INDEX resolved_names_by_rail;
  UPDATE resolved_names SET before_kind = '', before_name = '' WHERE differs = 1;
  UPDATE resolved_names SET at_ms = 0;
  ALTER TABLE resolved_names DROP COLUMN differs;
  ALTER TABLE resolved_names ADD COLUMN beyond TEXT NOT NULL DEFAULT '';
  CREATE INDEX resolved_names_by_rail ON resolved_names (environment, rail, beyond) WHERE beyond <> '';
  `,
  `
  -- What an account is about to be changed to: written before the service is asked, and gone once it has answered.
  ALTER TABLE payees ADD COLUMN wanted_operator TEXT;
  ALTER TABLE payees ADD COLUMN wanted_branch TEXT;
  `,
  `
  -- Of a batch that workers carry out: its part. No payee is in two of them. Null: whoever runs the batch does all of it.
  ALTER TABLE payouts ADD COLUMN chunk INTEGER;
  CREATE INDEX payouts_by_chunk ON payouts (batch, chunk, state) WHERE chunk IS NOT NULL;
  `,
  `
  -- Few, however many there are in all: what an interrupted run left under way is found at once.
  CREATE INDEX sends_under_way ON sends (payout) WHERE outcome = '';
  `,
];
