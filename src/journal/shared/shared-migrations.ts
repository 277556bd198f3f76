import { clusterMark } from './cluster-mark.ts';

/**
 * The shared journal's tables, as those of the embedded one are after all its migrations: the same names, the same columns.
 * Append only, one transaction each. Each knows the schema of the mirror that it goes with.
 */
export const sharedMigrations: readonly string[] = [
  `
  -- One row. Who writes holds it: so all see the same order, and nobody decides on what has changed meanwhile.
  CREATE TABLE journal (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    -- By which a workspace knows its journal, whatever address it has.
    id text NOT NULL DEFAULT gen_random_uuid(),
    -- Counts every commit.
    moved bigint NOT NULL DEFAULT 0,
    -- Of the embedded journal that is being moved here: nobody works on it before that is done.
    arriving text
  );
  INSERT INTO journal DEFAULT VALUES;
  -- What the last commits changed, for the copies of those who work on the journal. Null: too much to tell.
  CREATE TABLE feed (moved bigint PRIMARY KEY, changes text);
  -- Who took a batch last. It only helps a person find the other run; whether it is held Postgres alone knows.
  -- And in which cluster, on which timeline: in another one the last commits about the batch may be missing.
  CREATE TABLE holders (batch text PRIMARY KEY, holder text NOT NULL, cluster text NOT NULL);

  CREATE TABLE facts (key text PRIMARY KEY, value text NOT NULL);

  CREATE TABLE batches (
    id bigint PRIMARY KEY,
    name text NOT NULL UNIQUE,
    pattern text NOT NULL,
    environment text NOT NULL,
    key_kind text NOT NULL,
    created_ms bigint NOT NULL,
    file_name text NOT NULL,
    file_digest text NOT NULL,
    results_path text NOT NULL,
    columns text NOT NULL,
    delimiter text NOT NULL,
    policy text NOT NULL,
    last_send_ms bigint,
    bounds text NOT NULL
  );

  CREATE TABLE column_lists (
    id bigint PRIMARY KEY,
    batch bigint NOT NULL REFERENCES batches,
    columns text NOT NULL,
    UNIQUE (batch, columns)
  );

  CREATE TABLE payouts (
    id bigint PRIMARY KEY,
    batch bigint NOT NULL REFERENCES batches,
    key text NOT NULL,
    attempt bigint NOT NULL,
    reference text NOT NULL UNIQUE,
    state text NOT NULL,
    fingerprint text NOT NULL,
    payee text NOT NULL,
    account_name text NOT NULL,
    folded_name text NOT NULL,
    country text NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    destination text NOT NULL,
    number text NOT NULL,
    bank_code text NOT NULL,
    operator text NOT NULL,
    branch_code text NOT NULL,
    debit_currency text NOT NULL,
    debit_country text NOT NULL,
    narration text NOT NULL,
    accepted_run text NOT NULL,
    accepted_ms bigint NOT NULL,
    external_account_id text NOT NULL,
    verdict text NOT NULL,
    resolved_name text NOT NULL,
    resolved_ms bigint,
    released text NOT NULL,
    hold text NOT NULL,
    transaction_id text NOT NULL,
    ever_sent bigint NOT NULL,
    unknown_sends bigint NOT NULL,
    submitted_ms bigint,
    settled_ms bigint,
    last_attempt bigint NOT NULL,
    code text NOT NULL,
    details text NOT NULL,
    paid_twice text NOT NULL,
    watched text NOT NULL,
    paid_amount bigint,
    UNIQUE (batch, key)
  ) WITH (fillfactor = 70);

  CREATE TABLE batch_rows (
    batch bigint NOT NULL REFERENCES batches,
    position bigint NOT NULL,
    line bigint NOT NULL,
    cells text NOT NULL,
    column_list bigint REFERENCES column_lists,
    payout bigint REFERENCES payouts,
    problem text NOT NULL,
    present bigint NOT NULL,
    key text,
    problem_code text NOT NULL,
    PRIMARY KEY (batch, position)
  );

  CREATE TABLE payout_limits (payout bigint PRIMARY KEY REFERENCES payouts, limit_amount bigint NOT NULL);

  CREATE TABLE known_transactions (
    payout bigint NOT NULL REFERENCES payouts,
    reference text NOT NULL,
    transaction_id text NOT NULL,
    PRIMARY KEY (payout, reference, transaction_id)
  );

  CREATE TABLE sends (
    id bigint PRIMARY KEY,
    payout bigint NOT NULL REFERENCES payouts,
    reference text NOT NULL,
    run text NOT NULL,
    begun_ms bigint NOT NULL,
    ended_ms bigint,
    outcome text NOT NULL,
    code text NOT NULL,
    transaction_id text NOT NULL,
    error_code text NOT NULL,
    words text NOT NULL,
    unseen_ms bigint NOT NULL
  );
  CREATE INDEX sends_by_payout ON sends (payout);

  CREATE TABLE events (
    seq bigint PRIMARY KEY,
    at_ms bigint NOT NULL,
    batch bigint NOT NULL,
    payout bigint,
    run text NOT NULL,
    operator text NOT NULL,
    from_state text NOT NULL,
    to_state text NOT NULL,
    why text NOT NULL,
    hash text NOT NULL
  );

  CREATE TABLE payees (
    environment text NOT NULL,
    payee text NOT NULL,
    currency text NOT NULL,
    external_account_id text NOT NULL,
    made bigint NOT NULL,
    operator text NOT NULL,
    branch_code text NOT NULL,
    wanted_operator text,
    wanted_branch text,
    PRIMARY KEY (environment, payee, currency),
    UNIQUE (environment, external_account_id)
  );

  CREATE TABLE resolved_names (
    environment text NOT NULL,
    payee text NOT NULL,
    currency text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    at_ms bigint NOT NULL,
    operator text NOT NULL,
    repeats bigint NOT NULL,
    before_kind text NOT NULL,
    before_name text NOT NULL,
    rail text NOT NULL,
    beyond text NOT NULL,
    PRIMARY KEY (environment, payee, currency)
  );

  CREATE TABLE released_names (
    environment text NOT NULL,
    payee text NOT NULL,
    expected text NOT NULL,
    resolved text NOT NULL,
    PRIMARY KEY (environment, payee, expected, resolved)
  );

  CREATE TABLE hints (reference text PRIMARY KEY, at_ms bigint NOT NULL);
  `,
  `
  -- Of the last commit, and no other's: a journal that went back and then went on elsewhere is known by it.
  ALTER TABLE journal ADD COLUMN mark text NOT NULL DEFAULT gen_random_uuid();
  ALTER TABLE feed ADD COLUMN mark text;
  INSERT INTO feed (moved, mark) SELECT moved, mark FROM journal ON CONFLICT (moved) DO UPDATE SET mark = excluded.mark;
  -- Where batches were worked on last, and since when it is there, if it was elsewhere before: a batch that it does not know
  -- may have been sent from there.
  ALTER TABLE journal ADD COLUMN cluster text;
  ALTER TABLE journal ADD COLUMN cluster_since timestamptz;
  `,
  `
  ALTER TABLE payouts ADD COLUMN chunk bigint;
  -- How often it was taken: for whoever wants to know what went on.
  ALTER TABLE holders ADD COLUMN takes bigint NOT NULL DEFAULT 0;
  -- Who works for all, and by which session: the one that holds its locks and writes. Who is not seen any more is ended by others.
  CREATE TABLE workers (
    id text PRIMARY KEY,
    name text NOT NULL,
    pid bigint NOT NULL,
    started timestamptz NOT NULL,
    seen timestamptz NOT NULL DEFAULT now(),
    doing text NOT NULL DEFAULT ''
  );
  -- When the next call of all workers may begin, and until when none may.
  CREATE TABLE pace (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    next timestamptz NOT NULL DEFAULT now(),
    paused_until timestamptz NOT NULL DEFAULT now()
  );
  INSERT INTO pace DEFAULT VALUES;
  -- Batches that somebody wants whole, and so long nobody takes more of them.
  CREATE TABLE wanted (batch text PRIMARY KEY, until timestamptz NOT NULL);
  -- When a chunk is worth working on again, by the clock that all share.
  CREATE TABLE dues (
    batch bigint NOT NULL,
    chunk bigint NOT NULL,
    due timestamptz NOT NULL,
    tries bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (batch, chunk)
  );
  `,
  `
  -- The calls a second that it keeps to, together with all others. Null: it was told none.
  ALTER TABLE workers ADD COLUMN rate double precision;
  `,
  `
  -- Where it was made, before any batch was: a standby that heard of nothing else is another place all the same.
  UPDATE journal SET cluster = ${clusterMark} WHERE cluster IS NULL;
  `,
  `
  -- From here on the feed tells of a step only what moved, and a batch's chunks are numbered before it is for workers. Whoever
  -- has it open still and reads it otherwise goes no further: its copy has no place in the feed, and what it writes by is gone.
  -- Not while somebody is in its turn: what it is about to tell would be left behind.
  SELECT 1 FROM journal FOR UPDATE;
  DROP FUNCTION IF EXISTS hand_on(text);
  DROP FUNCTION IF EXISTS put_rows(text);
  DELETE FROM feed;
  UPDATE journal SET mark = gen_random_uuid();
  INSERT INTO feed (moved, mark) SELECT moved, mark FROM journal;
  -- Two payees may exchange their accounts in one commit, whose rows come one after the other.
  ALTER TABLE payees DROP CONSTRAINT IF EXISTS payees_environment_external_account_id_key;
  ALTER TABLE payees DROP CONSTRAINT IF EXISTS payees_account;
  ALTER TABLE payees ADD CONSTRAINT payees_account UNIQUE (environment, external_account_id) DEFERRABLE INITIALLY DEFERRED;
  `,
  `
  -- From here on rows are told as what stands in their columns, without the names of these. As above, whoever has it open still
  -- goes no further.
  SELECT 1 FROM journal FOR UPDATE;
  DELETE FROM feed;
  UPDATE journal SET mark = gen_random_uuid();
  INSERT INTO feed (moved, mark) SELECT moved, mark FROM journal;
  `,
];
