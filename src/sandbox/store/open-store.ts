import { lstatSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { PayrunError } from '../../errors.ts';
import { claimPrivateFile } from '../../storage/private-file.ts';

/** Append only: a store made by an earlier version is brought forward one step at a time. */
const migrations: readonly string[] = [
  `
  CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE ledger_accounts (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    currency TEXT NOT NULL,
    balance INTEGER NOT NULL DEFAULT 0 CHECK (typeof(balance) = 'integer')
  );

  -- Each transfer takes from one account what it gives to another of the same currency: it cannot be unbalanced.
  CREATE TABLE transfers (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    transaction_id TEXT,
    from_account INTEGER NOT NULL REFERENCES ledger_accounts (id),
    to_account INTEGER NOT NULL REFERENCES ledger_accounts (id),
    amount INTEGER NOT NULL CHECK (typeof(amount) = 'integer' AND amount > 0)
  );
  CREATE INDEX transfers_by_transaction ON transfers (transaction_id);

  CREATE TABLE transactions (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    status TEXT NOT NULL,
    method TEXT NOT NULL,
    external_reference TEXT NOT NULL,
    country TEXT NOT NULL,
    destination TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL,
    sender_currency TEXT NOT NULL,
    sender_amount INTEGER NOT NULL,
    receiver_currency TEXT NOT NULL,
    receiver_amount INTEGER NOT NULL,
    wallet TEXT NOT NULL,
    bank_code TEXT NOT NULL,
    account_name TEXT NOT NULL,
    account_number TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL,
    step_required TEXT,
    redirect_url TEXT,
    fate TEXT NOT NULL,
    test INTEGER NOT NULL
  );
  CREATE INDEX transactions_by_reference ON transactions (external_reference);

  CREATE TABLE external_accounts (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    country TEXT NOT NULL,
    currency TEXT NOT NULL,
    destination TEXT NOT NULL,
    -- The bank's code for a bank account, empty for mobile money, whose operator does not make another account.
    owner_code TEXT NOT NULL,
    number TEXT NOT NULL,
    code TEXT NOT NULL,
    branch_code TEXT NOT NULL,
    account_name TEXT NOT NULL,
    created_s INTEGER NOT NULL,
    UNIQUE (number, owner_code, country, currency, destination)
  );

  CREATE TABLE virtual_accounts (
    number TEXT PRIMARY KEY,
    transaction_id TEXT NOT NULL REFERENCES transactions (id),
    expires_ms INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE webhooks (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    created_ms INTEGER NOT NULL,
    event TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    external_reference TEXT NOT NULL,
    data TEXT NOT NULL,
    url TEXT NOT NULL,
    status TEXT NOT NULL,
    response_status TEXT,
    tries INTEGER NOT NULL DEFAULT 0,
    next_ms INTEGER
  );
  CREATE INDEX webhooks_due ON webhooks (next_ms) WHERE next_ms IS NOT NULL;
  CREATE INDEX webhooks_by_transaction ON webhooks (transaction_id);
  CREATE INDEX webhooks_by_reference ON webhooks (external_reference);

  -- What will happen, and when. A restarted service finds here what it has yet to do.
  CREATE TABLE due (
    seq INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL
  );
  CREATE INDEX due_by_time ON due (at_ms, seq);

  CREATE TABLE people (rail TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE fault_draws (subject TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
  `,
];

/** The service's own database: a file in the workspace, or memory alone. */
export function openStore(path: string | undefined): Database.Database {
  if (path !== undefined) createPrivately(path);
  const db = new Database(path ?? ':memory:');
  try {
    // A kill loses nothing that was written; only a power cut could, and this is no bank.
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('foreign_keys = ON');
    db.pragma('busy_timeout = 5000');
    migrate(db, path ?? 'memory');
    return db;
  } catch (error) {
    db.close();
    throw unusable(path ?? 'memory', error);
  }
}

/** Looks into a store without touching it; a service may be at work on it. */
export function readStore<Value>(path: string, read: (db: Database.Database) => Value): Value {
  const db = new Database(path, { readonly: true });
  try {
    return read(db);
  } catch (error) {
    throw unusable(path, error);
  } finally {
    db.close();
  }
}

function unusable(name: string, error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  return new PayrunError(
    'sandbox-state-unusable',
    `The sandbox state in ${name} cannot be used (${error.message}). Choose another folder with --workspace, or use --memory.`,
    { cause: error },
  );
}

/** The folder 0700 and the file 0600 whatever the umask, before SQLite puts anything in. */
function createPrivately(path: string): void {
  try {
    const folder = dirname(path);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (lstatSync(folder).isSymbolicLink()) throw new Error(`${folder} is a symbolic link`);
    claimPrivateFile(path);
  } catch (error) {
    throw new PayrunError(
      'workspace-not-writable',
      `The sandbox cannot keep its state in ${path}: ${(error as Error).message}. Choose another folder with --workspace, or use --memory.`,
      { cause: error },
    );
  }
}

function migrate(db: Database.Database, name: string): void {
  // Two that start at once must not both begin: the version is read inside the transaction that changes it.
  db.transaction(() => {
    const version = db.pragma('user_version', { simple: true }) as number;
    if (version > migrations.length) {
      throw new PayrunError(
        'sandbox-state-newer',
        `The sandbox state in ${name} was made by a newer payrun (schema ${version}, this one knows ${migrations.length}). Use that version, or another --workspace.`,
      );
    }
    for (const sql of migrations.slice(version)) db.exec(sql);
    db.pragma(`user_version = ${migrations.length}`);
  }).immediate();
}
