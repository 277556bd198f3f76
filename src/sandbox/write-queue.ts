import type { Database } from 'better-sqlite3';

interface Job {
  readonly run: () => unknown;
  readonly done: (value: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Writes that arrive together share one commit. A write is answered only once its commit is in the file; one that
 * throws is undone alone.
 */
export function createWriteQueue(db: Database, onUndone: () => void) {
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
      for (const job of jobs) answers.push(runOne(job));
      commit.run();
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK');
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

export type WriteQueue = ReturnType<typeof createWriteQueue>;
