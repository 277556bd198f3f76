import { strict as assert } from 'node:assert';
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { PayrunError } from '../errors.ts';
import { claimPrivateFile, whyNotOurs } from '../storage/private-file.ts';
import { untilFree } from '../storage/until-free.ts';
import { canonicalisePayees } from './canonical-payees.ts';
import type { JournalDatabase } from './journal-database.ts';
import { migrations } from './migrations.ts';
import { refuseMoved } from './moved-to.ts';

const busyWaitMs = 10_000;
/** Some 16 MB. */
const pagesInWal = 4_000;

/** Opens the journal of one environment, made if it is not there yet; the folder must be. */
export function openJournal(path: string): JournalDatabase {
  const db = openFile(path);
  try {
    refuseMoved(db);
    canonicalisePayees(db);
    return db;
  } catch (error) {
    db.close();
    throw unreadable(path, error);
  }
}

/** The file itself, whether the journal stands in it or elsewhere by now. */
export function openFile(path: string): JournalDatabase {
  refuseNetworkFileSystem(dirname(path));
  createPrivately(path);
  const db = openDatabase(path);
  try {
    untilFree(() => db.pragma('journal_mode = WAL'), busyWaitMs);
    // A reopened WAL file silently comes back as NORMAL, and reopening is just what a resume does: so every time.
    db.pragma('synchronous = FULL');
    assert(db.pragma('synchronous', { simple: true }) === 2, 'the journal must be synchronous=FULL');
    db.pragma('foreign_keys = ON');
    db.pragma(`busy_timeout = ${busyWaitMs}`);
    // A page that many commits write is copied into the file once: the fewer copies, the less of a commit they are.
    db.pragma(`wal_autocheckpoint = ${pagesInWal}`);
    migrate(db, path);
    return db;
  } catch (error) {
    db.close();
    throw unreadable(path, error);
  }
}

/** A journal that remembers nothing and keeps nothing: for looking at a file without a workspace. */
export function openEmptyJournal(path = ':memory:'): JournalDatabase {
  const db = new Database(path);
  db.pragma('foreign_keys = ON');
  migrate(db, 'memory');
  return db;
}

/** What all migrations amount to, put in where the command is built, and for tests: it takes a twentieth of their time. */
declare const journalSchema: string | undefined;

function openDatabase(path: string): JournalDatabase {
  try {
    return new Database(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** File systems on which locks and fsync cannot be trusted, by the number statfs gives them. */
const networkFileSystems: Record<number, string> = {
  26985: 'NFS',
  4283649346: 'CIFS',
  20859: 'SMB',
  4266872130: 'SMB2',
  16914839: '9P',
  12805120: 'Ceph',
  1397113167: 'AFS',
  22092: 'NCP',
};

function refuseNetworkFileSystem(folder: string): void {
  // The number is signed on some systems.
  const name = networkFileSystems[statfsSync(folder).type >>> 0];
  if (name === undefined) return;
  throw new PayrunError(
    'workspace-on-network',
    `The workspace ${folder} is on a network file system (${name}), where a lock or a write may be lost and a payout made twice. Choose a folder on a local disk with --workspace.`,
  );
}

/** The files beside it get their mode from it; a link in their place SQLite would follow. */
function createPrivately(path: string): void {
  try {
    claimPrivateFile(path);
    for (const beside of [`${path}-wal`, `${path}-shm`, `${path}-journal`]) {
      const why = whyNotOurs(beside);
      if (why !== undefined) throw new Error(`${beside} cannot be used: ${why}`);
    }
  } catch (error) {
    throw unwritable(path, error as Error);
  }
}

function migrate(db: JournalDatabase, path: string): void {
  // Asked first without a lock: a journal that is up to date is not to be waited for.
  if (db.pragma('user_version', { simple: true }) === migrations.length) return;
  for (let done = false; !done; ) {
    done = db
      .transaction(() => {
        // Two that open at once must not both begin: the version is read inside the transaction that changes it.
        const version = db.pragma('user_version', { simple: true }) as number;
        if (version > migrations.length) {
          throw new PayrunError(
            'journal-newer',
            `The journal ${path} was made by a newer payrun (schema ${version}, this one knows ${migrations.length}). Use that version.`,
          );
        }
        const isNew = version === 0 && typeof journalSchema === 'string';
        const sql = isNew ? journalSchema : migrations[version];
        if (sql === undefined) return true;
        db.exec(sql);
        db.pragma(`user_version = ${isNew ? migrations.length : version + 1}`);
        return false;
      })
      .immediate();
  }
}

function unreadable(path: string, error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  if (notWritten.test(error.code)) return unwritable(path, error);
  if (error.code.startsWith('SQLITE_BUSY')) return busy(path, error);
  return new PayrunError(
    'journal-unreadable',
    `The journal ${path} cannot be read (${error.message}). Nothing was sent. Restore it from a backup, or ask for help before paying anything again.`,
    { cause: error },
  );
}

/** One that was stopped in mid-write, by Ctrl-Z or by the machine, holds the journal until it goes on or is ended. */
function busy(path: string, error: Error): PayrunError {
  return new PayrunError(
    'journal-busy',
    `Another payrun holds the journal ${path} and does not let go of it. Nothing was sent. End it, or wait until it is done; then run the same command again.`,
    { cause: error },
  );
}

/** What SQLite says of a disk that is full or may not be written: there is nothing in the journal itself to mend. */
const notWritten = /^SQLITE_(FULL|READONLY|CANTOPEN|IOERR_(WRITE|FSYNC|TRUNCATE|SHM))/;

function unwritable(path: string, error: Error): PayrunError {
  return new PayrunError(
    'journal-not-writable',
    `The journal ${path} cannot be written: ${error.message}. Nothing was sent.`,
    { cause: error },
  );
}
