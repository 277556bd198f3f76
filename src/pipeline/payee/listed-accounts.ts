import Database from 'better-sqlite3';
import { numberKeys } from '../../domain/payee/number-keys.ts';
import { inPages } from '../../journal/in-pages.ts';
import type { Service } from '../../service/client.ts';
import type { ExternalAccount } from '../../service/contract/external-accounts.ts';
import { serviceError } from '../run/service-error.ts';
import { accountKey } from './account-key.ts';
import { accountFrom, accountText } from './account-text.ts';
import { inSlices } from './in-slices.ts';

/** All accounts of the service, as they are listed now. Whoever asked lets go of them at the end. */
export async function readListedAccounts(
  service: Pick<Service, 'listExternalAccounts'>,
  lists?: { lastList: ListedAccounts | undefined },
  signal?: AbortSignal,
): Promise<ListedAccounts> {
  const list = openListedAccounts();
  try {
    const read = await service.listExternalAccounts({}, { into: list, signal });
    if (read.kind !== 'ok') throw serviceError(read, 'The external accounts could not be read');
    list.end();
  } catch (error) {
    list.letGo();
    throw error;
  }
  if (lists) {
    lists.lastList?.letGo();
    lists.lastList = list.hold();
  }
  return list;
}

/** None at all. */
export function noListedAccounts(): ListedAccounts {
  const list = openListedAccounts();
  list.end();
  return list;
}

export type ListedAccounts = ReturnType<typeof openListedAccounts>;

/** The names under which accounts of a number are stored at the service, whoever stored them. */
export type StoredNames = (number: string, country: string) => Promise<readonly string[]>;

/** The cache has room for the pages in use; more would only make a long list take more memory than a short one. */
const schema = `
  PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -2000;
  CREATE TABLE accounts (seq INTEGER PRIMARY KEY, id TEXT NOT NULL, key TEXT NOT NULL, account TEXT NOT NULL);
  CREATE TABLE names (seq INTEGER PRIMARY KEY, number TEXT NOT NULL, name TEXT NOT NULL);
  -- Never committed: nobody else sees it, and to commit every row would cost more than the row.
  BEGIN`;

/** Of a page in a moment: whoever stands still is taken for dead by the other workers. */
const accountsInPage = 200;

/**
 * A list in a database of its own, which SQLite keeps on disk as far as it does not fit its cache, and which is gone with the
 * process: a million accounts take no more memory than a hundred.
 */
export function openListedAccounts() {
  const db = new Database('');
  db.exec(schema);
  const insert = db.prepare<[string, string, string]>(
    'INSERT INTO accounts (id, key, account) VALUES (?, ?, ?)',
  );
  const count = db.prepare<[], number>('SELECT count(*) FROM accounts').pluck();
  const page = db.prepare<[number, number], Listed>(
    'SELECT seq, id, key, account FROM accounts WHERE seq > ? ORDER BY seq LIMIT ?',
  );
  const byId = db.prepare<[string], string>('SELECT account FROM accounts WHERE id = ? ORDER BY seq').pluck();
  const byKey = db
    .prepare<[string], string>('SELECT account FROM accounts WHERE key = ? ORDER BY seq')
    .pluck();
  const insertName = db.prepare<[string, string]>('INSERT INTO names (number, name) VALUES (?, ?)');
  const names = db.prepare<[string], string>('SELECT name FROM names WHERE number = ? ORDER BY seq').pluck();
  let filled: Promise<void> | undefined;
  let holders = 1;

  const pages = () =>
    inPages(
      (after) => page.all(after, accountsInPage),
      ({ seq }) => seq,
    );

  /** Only once somebody asks, for nearly always all names are known. */
  async function fillNames(): Promise<void> {
    list.hold();
    try {
      await inSlices(pages(), ({ account }) => {
        const { country, payoutMethod } = accountFrom(account);
        for (const number of numberKeys(payoutMethod?.accountNumber ?? '', country ?? ''))
          insertName.run(number, payoutMethod?.accountName ?? '');
      });
      db.exec('CREATE INDEX by_number ON names (number)');
    } finally {
      list.letGo();
    }
  }

  const list = {
    /** The list is read, perhaps once more: then what came of it before is none of it. */
    begin: (): void => void db.exec('DELETE FROM accounts'),
    take(accounts: readonly ExternalAccount[]): void {
      for (const account of accounts)
        insert.run(account.externalAccountId, accountKey(account), accountText(account));
    },
    /** Indexes are made last: keeping them up to date meanwhile would cost more. */
    end: (): void =>
      void db.exec('CREATE INDEX by_id ON accounts (id); CREATE INDEX by_key ON accounts (key)'),
    size: (): number => count.get() ?? 0,
    pages,
    byId: (id: string): ExternalAccount | undefined => standing(byId.all(id).map(accountFrom)),
    /** Several where one was stored for each operator. */
    byKey: (key: string): ExternalAccount[] => byKey.all(key).map(accountFrom),
    /**
     * By the number alone, whatever its bank, operator or currency, and in whichever form it was stored: a service that
     * repeats names may look no closer.
     */
    async storedNames(number: string, country: string): Promise<readonly string[]> {
      filled ??= fillNames();
      list.hold();
      try {
        await filled;
        return [...new Set(numberKeys(number, country).flatMap((key) => names.all(key)))];
      } finally {
        list.letGo();
      }
    },
    /** For one who needs it longer than who asked for it. */
    hold() {
      holders += 1;
      return list;
    },
    /** The last who does closes it: lists that outgrow their cache are files. */
    letGo(): void {
      holders -= 1;
      if (holders === 0) db.close();
    },
  };
  return list;
}

interface Listed {
  readonly seq: number;
  readonly id: string;
  readonly key: string;
  readonly account: string;
}

/** Nobody knows where an account leads that is listed twice with different values: it agrees with no payee. */
function standing(accounts: readonly ExternalAccount[]): ExternalAccount | undefined {
  const account = accounts.at(-1);
  if (!account || accounts.length === 1) return account;
  const isTwofold = new Set(accounts.map(whereTo)).size > 1;
  return isTwofold ? { ...account, payoutMethod: { ...account.payoutMethod, accountNumber: '' } } : account;
}

function whereTo(account: ExternalAccount): string {
  const { code = '', branchCode = '' } = account.payoutMethod ?? {};
  return JSON.stringify([accountKey(account), code, branchCode]);
}
