import { strict as assert } from 'node:assert';
import { chmodSync, closeSync, openSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { exitCode, PayrunError } from '../errors.ts';
import { migrations } from './migrations.ts';

export type JournalDatabase = Database.Database;

const busyWaitMs = 10_000;

/** Opens the journal of one environment, made if it is not there yet; the folder must be. */
export function openJournal(path: string): JournalDatabase {
  refuseNetworkFileSystem(dirname(path));
  createPrivately(path);
  const db = openDatabase(path);
  try {
    db.pragma('journal_mode = WAL');
    // A reopened WAL file silently comes back as NORMAL, and reopening is just what a resume does: so every time.
    db.pragma('synchronous = FULL');
    assert(db.pragma('synchronous', { simple: true }) === 2, 'the journal must be synchronous=FULL');
    db.pragma('foreign_keys = ON');
    db.pragma(`busy_timeout = ${busyWaitMs}`);
    migrate(db, path);
    return db;
  } catch (error) {
    db.close();
    throw unreadable(path, error);
  }
}

/** A journal that remembers nothing and keeps nothing: for looking at a file without a workspace. */
export function openEmptyJournal(): JournalDatabase {
  const db = new Database(':memory:');
  db.pragma('foreign_keys = ON');
  migrate(db, 'memory');
  return db;
}

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
    exitCode.configuration,
    `The workspace ${folder} is on a network file system (${name}), where a lock or a write may be lost and a payout made twice. Choose a folder on a local disk with --workspace.`,
  );
}

/** 0600 whatever the umask, before SQLite puts anything in. */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
  } catch (error) {
    throw new PayrunError(
      'journal-not-writable',
      exitCode.cannotCreate,
      `The journal ${path} cannot be written: ${(error as Error).message}. Nothing was sent.`,
      { cause: error },
    );
  }
}

function migrate(db: JournalDatabase, path: string): void {
  const version = db.pragma('user_version', { simple: true }) as number;
  if (version > migrations.length) {
    throw new PayrunError(
      'journal-newer',
      exitCode.configuration,
      `The journal ${path} was made by a newer payrun (schema ${version}, this one knows ${migrations.length}). Use that version.`,
    );
  }
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${index + 1}`);
    }).immediate();
  }
}

function unreadable(path: string, error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  return new PayrunError(
    'journal-unreadable',
    exitCode.configuration,
    `The journal ${path} cannot be read (${error.message}). Nothing was sent. Restore it from a backup, or ask for help before paying anything again.`,
    { cause: error },
  );
}
