import Database from 'better-sqlite3';
import type { Reason } from '../../domain/payout/reasons.ts';
import type { ExternalAccount } from '../../service/contract/external-accounts.ts';
import { accountFrom, accountText } from './account-text.ts';
import type { ListedAccounts } from './listed-accounts.ts';

/** The service's external accounts, kept up with what a run adds. Whoever asked lets go of it at the end. */
export type AccountList = ReturnType<typeof openAccountList>;

/** As a list of the service: on disk as far as it does not fit the cache, and never committed. */
const schema = `
  PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -2000;
  CREATE TABLE said (
    id TEXT PRIMARY KEY,
    age INTEGER NOT NULL,
    account TEXT NOT NULL,
    -- Of those that the run has made or changed: for whom.
    holder TEXT
  ) WITHOUT ROWID;
  CREATE TABLE answers (holder TEXT PRIMARY KEY, answer TEXT NOT NULL) WITHOUT ROWID;
  BEGIN`;

/**
 * What is said here of accounts, over what the service has listed, which it lets go of at its own end: whichever came last
 * counts. It answers at once, so that nobody else acts between a question and what is done upon its answer.
 */
export function openAccountList(listed: ListedAccounts, { mayLack = false } = {}) {
  const db = new Database('');
  db.exec(schema);
  const put = db.prepare<[string, number, string, string | null]>(
    `INSERT INTO said (id, age, account, holder) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET age = excluded.age, account = excluded.account,
       holder = coalesce(excluded.holder, holder)`,
  );
  const saidOf = db.prepare<[string], Said>('SELECT age, account, holder FROM said WHERE id = ?');
  const answer = db.prepare<[string], string>('SELECT answer FROM answers WHERE holder = ?').pluck();
  const keepAnswer = db.prepare<[string, string]>('INSERT INTO answers (holder, answer) VALUES (?, ?)');
  const first: Read = { age: 0, listed };
  let newest = first;
  let age = 0;
  let writes = 0;
  let holders = 1;

  function say(id: string, account: ExternalAccount, holder: string | null): void {
    age += 1;
    put.run(id, age, accountText(account), holder);
  }

  function byId(id: string): ExternalAccount | undefined {
    const said = saidOf.get(id);
    for (const read of [newest, first]) {
      if (said && said.age > read.age) break;
      const shown = read.listed.byId(id);
      if (shown) return shown;
    }
    return said && accountFrom(said.account);
  }

  return {
    /** Whether there may be accounts at the service that are not in it, though nobody made them here. */
    mayLack,
    /** How many are listed. */
    size: (): number => newest.listed.size(),
    /** What a later list has stands now; what it has not, as it stood when the first was read, or was said. */
    addLater(later: ListedAccounts): void {
      age += 1;
      if (newest !== first) newest.listed.letGo();
      newest = { age, listed: later.hold() };
    },
    /** As it stands at the service by all that is known. */
    byId,
    /** Those that are listed; several where one was stored for each operator. */
    byKey(key: string): ExternalAccount[] {
      const shown = newest.listed.byKey(key);
      return shown.length > 0 || newest === first ? shown : first.listed.byKey(key);
    },
    set(id: string, account: ExternalAccount): void {
      // The first list stays: what it shows need not be said again.
      const known = newest === first ? byId(id) : undefined;
      if (!known || accountText(known) !== accountText(account)) say(id, account, null);
    },
    /** Made or changed by the run: nothing but the answer says yet what stands there. */
    write(account: ExternalAccount, holder: string): void {
      writes += 1;
      say(account.externalAccountId, account, holder);
    },
    /** How often. */
    writes: (): number => writes,
    writtenFor: (id: string): string | undefined => saidOf.get(id)?.holder ?? undefined,
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
    /** The last who does closes it. */
    letGo(): void {
      holders -= 1;
      if (holders > 0) return;
      db.close();
      for (const read of new Set([first, newest])) read.listed.letGo();
    },
  };
}

/** A list of the service, and when it came. */
interface Read {
  readonly age: number;
  readonly listed: ListedAccounts;
}

interface Said {
  readonly age: number;
  readonly account: string;
  readonly holder: string | null;
}
