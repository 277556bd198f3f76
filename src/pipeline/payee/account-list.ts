import Database from 'better-sqlite3';
import type { Reason } from '../../domain/payout/reasons.ts';
import type { ExternalAccount } from '../../service/contract/external-accounts.ts';
import { accountFrom, accountText } from './account-text.ts';
import { inSlices } from './in-slices.ts';
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
  -- What a later list shows otherwise than the first.
  CREATE TABLE keyed (key TEXT PRIMARY KEY, accounts TEXT NOT NULL) WITHOUT ROWID;
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
       holder = coalesce(excluded.holder, holder)
     WHERE excluded.age > age`,
  );
  const saidOf = db.prepare<[string], Said>('SELECT account, holder FROM said WHERE id = ?').raw();
  const putKeyed = db.prepare<[string, string]>('INSERT OR REPLACE INTO keyed (key, accounts) VALUES (?, ?)');
  const keyed = db.prepare<[string], string>('SELECT accounts FROM keyed WHERE key = ?').pluck();
  const answer = db.prepare<[string], string>('SELECT answer FROM answers WHERE holder = ?').pluck();
  const keepAnswer = db.prepare<[string, string]>('INSERT INTO answers (holder, answer) VALUES (?, ?)');
  /** As long as nothing was said here, and nothing keyed, there is nothing to look up but what is listed. */
  let age = 0;
  let isKeyed = false;
  let writes = 0;
  let holders = 1;
  let adding: Promise<void> = Promise.resolve();
  const added = new WeakMap<ListedAccounts, Promise<void>>();

  function say(id: string, account: ExternalAccount, holder: string | null): void {
    age += 1;
    put.run(id, age, accountText(account), holder);
  }

  function saidAbout(id: string): Said | undefined {
    return age === 0 ? undefined : saidOf.get(id);
  }

  function byId(id: string): ExternalAccount | undefined {
    const said = saidAbout(id);
    return said ? accountFrom(said[0]) : listed.byId(id);
  }

  /** With whom it was written for, of those that the run has made or changed. */
  function aboutId(id: string): { account: ExternalAccount | undefined; holder: string | undefined } {
    const said = saidAbout(id);
    return said
      ? { account: accountFrom(said[0]), holder: said[1] ?? undefined }
      : { account: listed.byId(id), holder: undefined };
  }

  function byKey(key: string): ExternalAccount[] {
    const later = isKeyed ? keyed.get(key) : undefined;
    return later === undefined ? listed.byKey(key) : (JSON.parse(later) as string[]).map(accountFrom);
  }

  /** Account by account, each with all that are listed under the same key: nobody finds one of them that is half the later. */
  async function add(later: ListedAccounts, from: number): Promise<void> {
    await inSlices(later.pages(), ({ id, key }) => {
      const group = later.byKey(key);
      const texts = JSON.stringify(group.map(accountText));
      if (texts !== JSON.stringify(byKey(key).map(accountText))) {
        isKeyed = true;
        putKeyed.run(key, texts);
      }
      for (const each of new Set([id, ...group.map(({ externalAccountId }) => externalAccountId)])) {
        const shown = later.byId(each);
        if (shown && !isSame(byId(each), shown)) put.run(each, from, accountText(shown), null);
      }
    });
  }

  function hold() {
    holders += 1;
    return list;
  }

  /** The last who does closes it. */
  function letGo(): void {
    holders -= 1;
    if (holders > 0) return;
    db.close();
    listed.letGo();
  }

  async function addInTurn(later: ListedAccounts): Promise<void> {
    age += 1;
    const from = age;
    const before = adding;
    hold();
    later.hold();
    try {
      await before;
      await add(later, from);
    } finally {
      later.letGo();
      letGo();
    }
  }

  const list = {
    /** Whether there may be accounts at the service that are not in it, though nobody made them here. */
    mayLack,
    /** How many were listed. */
    size: (): number => listed.size(),
    /** What a later list has stands now, unless it was written since; what it has not, as it stood. */
    addLater(later: ListedAccounts): Promise<void> {
      const adds = added.get(later) ?? addInTurn(later);
      if (!added.has(later)) adding = adds.catch(() => undefined);
      added.set(later, adds);
      return adds;
    },
    /** As it stands at the service by all that is known. */
    byId,
    aboutId,
    /** Those that are listed; several where one was stored for each operator. */
    byKey,
    set(id: string, account: ExternalAccount): void {
      if (!isSame(byId(id), account)) say(id, account, null);
    },
    /** Made or changed by the run: nothing but the answer says yet what stands there. */
    write(account: ExternalAccount, holder: string): void {
      writes += 1;
      say(account.externalAccountId, account, holder);
    },
    /** How often. */
    writes: (): number => writes,
    /** Of those that were made, what was given as the account of two payees. */
    contested: new Set<string>(),
    /** Of those that were made, what another run has taken meanwhile, and how. */
    lost: new Map<string, Reason>(),
    answerOf: (holder: string): string | undefined => answer.get(holder),
    keepAnswer: (holder: string, text: string): void => void keepAnswer.run(holder, text),
    /** For one who needs it longer than who asked for it. */
    hold,
    letGo,
  };
  return list;
}

function isSame(known: ExternalAccount | undefined, account: ExternalAccount): boolean {
  return known !== undefined && accountText(known) === accountText(account);
}

type Said = readonly [account: string, holder: string | null];
