import { createHash, randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { EnvironmentKind } from '../../src/domain/environment/environment.ts';
import { lockBatchIn } from '../../src/journal/batch-lock.ts';
import type { HeldBatch } from '../../src/journal/held-batch.ts';
import type { JournalDatabase } from '../../src/journal/journal-database.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import { connectPostgres } from '../../src/journal/shared/connect-postgres.ts';
import { mirroredTables } from '../../src/journal/shared/mirrored-tables.ts';
import { openSharedJournal } from '../../src/journal/shared/open-shared-journal.ts';
import type { SharedConnection } from '../../src/journal/shared/shared-connection.ts';
import { closeJournal, sharedOf } from '../../src/journal/shared/shared-of.ts';
import { readSharedUrl, schemaOf } from '../../src/journal/shared/shared-url.ts';
import { createGroupCommit } from '../../src/storage/group-commit.ts';
import { journalPath } from '../../src/workspace.ts';

/** Where the journal of a scenario stands: in a file, or in Postgres. Every promise must hold either way. */
export interface JournalStore {
  open(): Promise<JournalDatabase>;
  /** Before a command begins: a shared journal is made by `init` alone. */
  make(): Promise<void>;
  /** The journal, opened for a question, or to be tampered with. */
  ask<Value>(question: (db: JournalDatabase) => Value): Promise<Value>;
  /** Without waiting: as a run that goes on in this process sees it. */
  peek<Value>(question: (db: JournalDatabase) => Value): Value;
  /** Loses it, as a broken disk does. */
  forget(): Promise<void>;
  /** As it stands now; brought back into this store or another of its kind, as a backup is. */
  copy(): Promise<JournalCopy>;
  restore(copy: JournalCopy): Promise<void>;
  lock(batch: string, waitMs?: number): Promise<HeldBatch>;
  /** What the command line has to be told of it. */
  readonly env: Readonly<Record<string, string>>;
}

export type JournalCopy = string;

/** Through one parameter: PAYRUN_TEST_STORE=postgres, as one of the projects of the tests sets it. */
export function journalStore(workspace: string, kind: EnvironmentKind = 'live'): JournalStore {
  const make = process.env['PAYRUN_TEST_STORE'] === 'postgres' ? inPostgres : inFile;
  return make(workspace, kind);
}

/** For what opens payrun in a workspace of its own. */
export function journalUrlFor(workspace: string): string | undefined {
  return journalStore(workspace).env['PAYRUN_JOURNAL_URL'];
}

function inFile(workspace: string, kind: EnvironmentKind): JournalStore {
  const path = journalPath(workspace, kind);
  const parts = ['', '-wal', '-shm'];
  const forget = () => {
    for (const part of parts) rmSync(`${path}${part}`, { force: true });
  };
  const open = () => openJournal(path);
  const peek = <Value>(question: (db: JournalDatabase) => Value): Value => {
    const db = open();
    try {
      return question(db);
    } finally {
      db.close();
    }
  };
  return {
    open: async () => open(),
    make: async () => undefined,
    ask: async (question) => peek(question),
    peek,
    forget: async () => forget(),
    async copy() {
      const folder = mkdtempSync(join(tmpdir(), 'payrun-copy-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      for (const part of parts.filter((each) => existsSync(`${path}${each}`)))
        copyFileSync(`${path}${part}`, join(folder, `copy${part}`));
      return folder;
    },
    async restore(folder) {
      forget();
      for (const part of parts.filter((each) => existsSync(join(folder, `copy${each}`))))
        copyFileSync(join(folder, `copy${part}`), `${path}${part}`);
    },
    lock: async (batch, waitMs) => {
      const db = open();
      const lock = await lockBatchIn({ db, workspace }, batch, systemClock, waitMs);
      db.close();
      return lock;
    },
    env: {},
  };
}

function inPostgres(workspace: string, kind: EnvironmentKind): JournalStore {
  const server = process.env['PAYRUN_TEST_POSTGRES'] ?? '';
  const url = `${server}?schema=t_${createHash('sha256').update(workspace).digest('hex').slice(0, 20)}`;
  const access = readSharedUrl(url);
  const schema = schemaOf(access, kind);
  let newest: JournalDatabase | undefined;
  const open = async (): Promise<JournalDatabase> => {
    const connection = await connectPostgres(access);
    // In these scenarios nothing freezes: nobody waits for what might still leave.
    const db = await openSharedJournal({ connection, schema, mayMake: true, graceMs: 0 });
    if (!db) throw new Error('there is no journal');
    newest = db;
    return db;
  };
  const asked = async <Value>(work: (connection: SharedConnection) => Promise<Value>): Promise<Value> => {
    const connection = await connectPostgres(access);
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  };
  const drop = () => asked((connection) => connection.ask(`DROP SCHEMA IF EXISTS ${schema} CASCADE`));
  const tables = [...mirroredTables.map(({ name }) => name), 'journal', 'feed'];
  return {
    open,
    make: async () => closeJournal(await open()),
    async ask(question) {
      const db = await open();
      try {
        return await createGroupCommit(db, { turns: sharedOf(db)?.turns }).write(() => question(db));
      } finally {
        await closeJournal(db);
      }
    },
    peek(question) {
      if (!newest) throw new Error('no run has opened the journal');
      return question(newest);
    },
    forget: async () => {
      await drop();
    },
    async copy() {
      const name = `c_${randomUUID().replaceAll('-', '')}`;
      const copies = tables.map((table) => `CREATE TABLE ${name}.${table} AS TABLE ${schema}.${table}`);
      await closeJournal(await open());
      await asked((connection) => connection.ask([`CREATE SCHEMA ${name}`, ...copies].join(';')));
      return name;
    },
    async restore(name) {
      await drop();
      await closeJournal(await open());
      const emptied = `TRUNCATE ${tables.map((table) => `${schema}.${table}`).join()} CASCADE`;
      const filled = tables.map((table) => `INSERT INTO ${schema}.${table} SELECT * FROM ${name}.${table}`);
      await asked((connection) => connection.ask([emptied, ...filled].join(';')));
    },
    async lock(batch, waitMs = 0) {
      const db = await open();
      const lock = await lockBatchIn({ db, workspace }, batch, systemClock, waitMs).catch(async (error) => {
        await closeJournal(db);
        throw error;
      });
      return { ...lock, release: () => void closeJournal(db) };
    },
    env: { PAYRUN_JOURNAL_URL: url },
  };
}
