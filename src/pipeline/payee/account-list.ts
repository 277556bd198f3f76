import Database from 'better-sqlite3';
import { numberKeys } from '../../domain/payee/number-keys.ts';
import type { Reason } from '../../domain/payout/reasons.ts';
import { inPages } from '../../journal/in-pages.ts';
import type { Service } from '../../service/client.ts';
import type { ExternalAccount } from '../../service/contract/external-accounts.ts';
import { serviceError } from '../run/service-error.ts';
import { accountKey } from './account-key.ts';

/** The service's list of external accounts, to be kept up with what a run adds. Whoever asked lets go of it at the end. */
export async function readAccountList(
  service: Pick<Service, 'listExternalAccounts'>,
  worker?: { lastList: AccountList | undefined },
): Promise<AccountList> {
  const list = openAccountList();
  const read = await service.listExternalAccounts({}, { into: list });
  if (read.kind !== 'ok') {
    list.letGo();
    throw serviceError(read, 'The external accounts could not be read');
  }
  list.end();
  if (worker) {
    worker.lastList?.letGo();
    worker.lastList = list.hold();
  }
  return list;
}

/** In which nothing is listed. */
export function emptyAccountList(): AccountList {
  const list = openAccountList();
  list.end();
  return list;
}

export type AccountList = ReturnType<typeof openAccountList>;

/** The names under which accounts of a number are stored at the service, whoever stored them. */
export type StoredNames = (number: string, country: string) => readonly string[];

/** The cache has room for the pages in use; more would only make a long list take more memory than a short one. */
const schema = `
  PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -2000;
  CREATE TABLE accounts (
    seq INTEGER PRIMARY KEY,
    -- What was said last of an account counts. All of a list is said at once.
    age INTEGER NOT NULL,
    id TEXT NOT NULL,
    -- Of those that are listed.
    key TEXT,
    account TEXT NOT NULL,
    -- Of those that the run has made or changed: for whom.
    holder TEXT
  );
  CREATE TABLE names (seq INTEGER PRIMARY KEY, number TEXT NOT NULL, name TEXT NOT NULL);
  CREATE TABLE answers (holder TEXT PRIMARY KEY, answer TEXT NOT NULL) WITHOUT ROWID;
  -- Never committed: nobody else sees it, and to commit every row would cost more than the row.
  BEGIN`;

/**
 * Accounts in a database of their own, which SQLite keeps on disk as far as it does not fit its cache, and which is gone
 * with the process: a million of them take no more memory than a hundred. It answers at once, so that nobody else acts
 * between a question and what is done upon its answer.
 */
export function openAccountList() {
  const db = new Database('');
  db.exec(schema);
  const insert = db.prepare<[number, string, string | null, string, string | null]>(
    'INSERT INTO accounts (age, id, key, account, holder) VALUES (?, ?, ?, ?, ?)',
  );
  const byId = db.prepare<[string], Said>(
    'SELECT age, account, holder FROM accounts WHERE id = ? ORDER BY seq',
  );
  const byKey = db.prepare<[string], Said>('SELECT age, account FROM accounts WHERE key = ? ORDER BY seq');
  const page = db.prepare<[number], Listed>(
    'SELECT seq, id, key, account FROM accounts WHERE seq > ? AND key IS NOT NULL ORDER BY seq LIMIT 1000',
  );
  const count = db.prepare<[], number>('SELECT count(*) FROM accounts WHERE key IS NOT NULL').pluck();
  const clearKey = db.prepare<[string, number]>('UPDATE accounts SET key = NULL WHERE key = ? AND age < ?');
  const forget = db.prepare<[string, number]>(
    'DELETE FROM accounts WHERE id = ? AND age < ? AND key IS NULL AND holder IS NULL',
  );
  const insertName = db.prepare<[string, string]>('INSERT INTO names (number, name) VALUES (?, ?)');
  const names = db.prepare<[string], string>('SELECT name FROM names WHERE number = ? ORDER BY seq').pluck();
  const answer = db.prepare<[string], string>('SELECT answer FROM answers WHERE holder = ?').pluck();
  const keepAnswer = db.prepare<[string, string]>('INSERT INTO answers (holder, answer) VALUES (?, ?)');
  let age = 0;
  let writes = 0;
  let hasNames = false;
  let holders = 1;

  function say(id: string, account: ExternalAccount, holder: string | null): void {
    age += 1;
    insert.run(age, id, null, textOf(account), holder);
  }

  function* listed(): IterableIterator<Listed> {
    const pages = inPages(
      (after) => page.all(after),
      ({ seq }) => seq,
    );
    for (const rows of pages) yield* rows;
  }

  function fillNames(): void {
    hasNames = true;
    for (const row of listed()) {
      const { country, payoutMethod } = accountFrom(row);
      for (const number of numberKeys(payoutMethod?.accountNumber ?? '', country ?? ''))
        insertName.run(number, payoutMethod?.accountName ?? '');
    }
    db.exec('CREATE INDEX by_number ON names (number)');
  }

  return {
    /** Whether there may be accounts at the service that are not in it, though nobody made them here. */
    mayLack: false as boolean,
    /** How many are listed. */
    size: (): number => count.get() ?? 0,
    /** The list is read, perhaps once more: then what came of it before is none of it. */
    begin: (): void => void db.exec('DELETE FROM accounts'),
    take(accounts: readonly ExternalAccount[]): void {
      for (const account of accounts)
        insert.run(age, account.externalAccountId, accountKey(account), textOf(account), null);
    },
    /** Indexes are made last: keeping them up to date meanwhile would cost more. */
    end: (): void =>
      void db.exec(`CREATE INDEX by_id ON accounts (id);
        CREATE INDEX by_key ON accounts (key) WHERE key IS NOT NULL`),
    /** What a later list has stands now; what it has not, as it stood. */
    addLater(later: { readonly listed: () => Iterable<Listed> }): void {
      age += 1;
      for (const { id, key, account } of later.listed()) {
        clearKey.run(key, age);
        forget.run(id, age);
        insert.run(age, id, key, account, null);
      }
    },
    listed,
    /** As it stands at the service by all that is known. */
    byId: (id: string): ExternalAccount | undefined => standing(latest(byId.all(id))),
    /** Those that are listed; several where one was stored for each operator. */
    byKey: (key: string): ExternalAccount[] => latest(byKey.all(key)).map(accountFrom),
    /**
     * By the number alone, whatever its bank, operator or currency, and in whichever form it was stored: a service that
     * repeats names may look no closer.
     */
    storedNames(number: string, country: string): readonly string[] {
      if (!hasNames) fillNames();
      return [...new Set(numberKeys(number, country).flatMap((key) => names.all(key)))];
    },
    set(id: string, account: ExternalAccount): void {
      const said = latest(byId.all(id));
      if (said.length !== 1 || said[0]?.account !== textOf(account)) say(id, account, null);
    },
    /** Made or changed by the run: nothing but the answer says yet what stands there. */
    write(account: ExternalAccount, holder: string): void {
      writes += 1;
      say(account.externalAccountId, account, holder);
    },
    /** How often. */
    writes: (): number => writes,
    writtenFor: (id: string): string | undefined =>
      byId.all(id).findLast(({ holder }) => holder !== null)?.holder ?? undefined,
    /** Of those that were made, what was given as the account of two payees. */
    contested: new Set<string>(),
    /** Of those that were made, what another run has taken meanwhile, and how. */
    lost: new Map<string, Reason>(),
    answerOf: (holder: string): string | undefined => answer.get(holder),
    keepAnswer: (holder: string, text: string): void => void keepAnswer.run(holder, text),
    /** For one who needs it longer than who asked for it. */
    hold() {
      holders += 1;
      return this;
    },
    /** The last who does closes it: lists that outgrow their cache are files. */
    letGo(): void {
      holders -= 1;
      if (holders === 0) db.close();
    },
  };
}

interface Said {
  readonly age: number;
  readonly account: string;
  readonly holder: string | null;
}

interface Listed {
  readonly seq: number;
  readonly id: string;
  readonly key: string;
  readonly account: string;
}

function latest(said: readonly Said[]): readonly Said[] {
  const age = said.at(-1)?.age;
  return said.filter((each) => each.age === age);
}

/** Nobody knows where an account leads that is listed twice with different values: it agrees with no payee. */
function standing(said: readonly Said[]): ExternalAccount | undefined {
  const accounts = said.map(accountFrom);
  const account = accounts.at(-1);
  if (!account || accounts.length === 1) return account;
  const isTwofold = new Set(accounts.map(whereTo)).size > 1;
  return isTwofold ? { ...account, payoutMethod: { ...account.payoutMethod, accountNumber: '' } } : account;
}

function whereTo(account: ExternalAccount): string {
  const { code = '', branchCode = '' } = account.payoutMethod ?? {};
  return JSON.stringify([accountKey(account), code, branchCode]);
}

/** All that payrun looks at. What is not shown is empty. */
function textOf({
  externalAccountId,
  country,
  currency,
  destination,
  payoutMethod,
}: ExternalAccount): string {
  const { accountName, accountNumber, code, branchCode } = payoutMethod ?? {};
  const parts = [country, currency, destination, accountName, accountNumber, code, branchCode];
  return JSON.stringify([externalAccountId, ...parts.map((part) => part ?? '')]);
}

function accountFrom({ account }: { readonly account: string }): ExternalAccount {
  const [externalAccountId = '', country, currency, destination, ...method] = JSON.parse(account) as string[];
  const [accountName, accountNumber, code, branchCode] = method;
  const payoutMethod = { accountName, accountNumber, code, branchCode };
  return { externalAccountId, country, currency, destination, payoutMethod };
}
