import type { Database } from 'better-sqlite3';

interface Job {
  readonly run: () => unknown;
  readonly done: (value: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Writes that arrive together share one commit, and with it one wait for the disk. The promise of a write resolves
 * only once its commit is in the file. A write that throws is undone alone; when the commit itself fails, none of
 * them happened, and everybody who waited is told.
 */
export function createGroupCommit(
  db: Database,
  { onBegin = nothing, onUndone = nothing }: { onBegin?: () => void; onUndone?: () => void } = {},
) {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const mark = db.prepare('SAVEPOINT job');
  const release = db.prepare('RELEASE job');
  const undo = db.prepare('ROLLBACK TO job');
  let waiting: Job[] = [];

  function flush(): void {
    const jobs = waiting;
    waiting = [];
    const answers: (() => void)[] = [];
    try {
      begin.run();
      onBegin();
      for (const job of jobs) answers.push(runOne(job));
      commit.run();
    } catch (error) {
      if (db.open && db.inTransaction) rollBack(db);
      onUndone();
      for (const job of jobs) job.failed(error);
      return;
    }
    for (const answer of answers) answer();
  }

  function runOne(job: Job): () => void {
    mark.run();
    try {
      const value = job.run();
      release.run();
      return () => job.done(value);
    } catch (error) {
      // An error of the disk may have rolled everything back already: then there is nothing left to commit.
      if (!db.inTransaction) throw error;
      undo.run();
      release.run();
      onUndone();
      return () => job.failed(error);
    }
  }

  return {
    write<Value>(run: () => Value): Promise<Value> {
      return new Promise<Value>((resolve, reject) => {
        waiting.push({ run, done: (value) => resolve(value as Value), failed: reject });
        if (waiting.length === 1) setImmediate(flush);
      });
    },
  };
}

export type GroupCommit = ReturnType<typeof createGroupCommit>;

function nothing(): void {
  return;
}

/** The error that led here is the one to tell; a rollback that fails as well changes nothing about it. */
function rollBack(db: Database): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    return;
  }
}
