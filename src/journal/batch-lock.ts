import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Clock } from '../clock.ts';
import { PayrunError } from '../errors.ts';
import { claimPrivateFile } from '../storage/private-file.ts';
import type { HeldBatch } from './held-batch.ts';
import type { JournalDatabase } from './journal-database.ts';
import { holderText, noteHolder } from './lock-holder.ts';
import { sharedOf } from './shared/shared-of.ts';

const pollMs = 200;
const takeBackMs = 30_000;

/**
 * One run per batch: an exclusive transaction on a file of the batch's own. The kernel lets go of it when the process
 * ends, however it ends, so there is nothing to clean up and no number of a process to misread. The file is never
 * deleted: a second one of the same name would be a second lock.
 */
export async function lockBatch(
  workspace: string,
  batch: string,
  clock: Clock,
  waitMs = 0,
): Promise<HeldBatch> {
  const path = lockPath(workspace, batch);
  let held = await take(path, batch, clock, waitMs);
  return {
    // The kernel lets go of it when nothing can leave any more.
    graceMs: 0,
    mayHaveForgotten: false,
    looked: async () => undefined,
    release: () => held.release(),
    async lend(wait) {
      held.release();
      await wait();
      held = await take(path, batch, clock, takeBackMs);
    },
  };
}

/** The same, wherever the journal stands. */
export function lockBatchIn(
  { db, workspace }: { readonly db: JournalDatabase; readonly workspace: string },
  batch: string,
  clock: Clock,
  waitMs = 0,
): Promise<HeldBatch> {
  return sharedOf(db)?.lockBatch(batch, clock, waitMs) ?? lockBatch(workspace, batch, clock, waitMs);
}

interface HeldLock {
  release(): void;
}

async function take(path: string, batch: string, clock: Clock, waitMs: number): Promise<HeldLock> {
  const untilMs = clock.monotonicMs() + waitMs;
  for (;;) {
    const lock = tryLock(path);
    if (lock) {
      noteHolder(path, clock.nowMs());
      return lock;
    }
    if (clock.monotonicMs() >= untilMs) {
      throw new PayrunError(
        'batch-locked',
        `Another payrun is working on batch ${batch}${holderText(path)}. Wait until it is done, or stop it with Ctrl-C where it runs; then run the same command again.`,
      );
    }
    await clock.sleep(pollMs);
  }
}

function lockPath(workspace: string, batch: string): string {
  const name = createHash('sha256').update(batch).digest('hex').slice(0, 32);
  return join(workspace, 'locks', `${name}.lock`);
}

function tryLock(path: string): HeldLock | undefined {
  const db = openLock(path);
  try {
    db.exec('BEGIN EXCLUSIVE');
    return { release: () => void db.close() };
  } catch (error) {
    db.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined;
    throw unusable(path, error as Error);
  }
}

function openLock(path: string): Database.Database {
  try {
    claimPrivateFile(path);
    return new Database(path, { timeout: 0 });
  } catch (error) {
    throw unusable(path, error as Error);
  }
}

function unusable(path: string, error: Error): PayrunError {
  return new PayrunError(
    'lock-not-writable',
    `The lock ${path} cannot be used: ${error.message}. Nothing was sent.`,
    { cause: error },
  );
}
