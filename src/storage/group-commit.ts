import type { Database } from 'better-sqlite3';
import type { Rest } from './rest.ts';

interface Job {
  readonly run: () => unknown;
  readonly done: (value: unknown) => void;
  readonly failed: (error: unknown) => void;
}

interface GroupCommitOptions {
  readonly onBegin?: () => void;
  /** What was done since the beginning has not happened: it may be done once more. */
  readonly onUndone?: () => void;
  /** Committed or not. */
  readonly onEnd?: () => void;
  /** How long a write that nobody waits for may wait for others to share its commit. */
  readonly patience?: () => Promise<void>;
  /** Between commits; without it, one may follow the other at once. */
  readonly rest?: Rest | undefined;
  /** Where others write to the same journal elsewhere: what has to be done around a commit of this copy. */
  readonly turns?: Turns | undefined;
}

/** One writer at a time, wherever it runs. */
export interface Turns {
  /** Waits until it is ours, and brings the copy up to what all others have written. Throws where there is none to get. */
  take(): Promise<void>;
  /** Hands on what was written here since. Once it resolves that has happened, for everybody; else it has to be undone. */
  handOn(): Promise<void>;
  /** Whatever became of it; with an error, nobody knows what did. */
  leave(error?: unknown): void;
}

/**
 * Writes that arrive together share one commit, and with it one wait for the disk. The promise of a write resolves
 * only once its commit is in the file. A write that throws is undone alone: then all of them are done once more, each
 * behind a mark to go back to, which nearly never happens and would cost every write. So a write must leave nothing
 * behind but rows. When the commit itself fails, none of them happened, and everybody who waited is told.
 */
export function createGroupCommit(
  db: Database,
  { onBegin = nothing, onUndone = nothing, onEnd = nothing, patience, rest, turns }: GroupCommitOptions = {},
) {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const mark = db.prepare('SAVEPOINT job');
  const release = db.prepare('RELEASE job');
  const undo = db.prepare('ROLLBACK TO job');
  let waiting: Job[] = [];
  let isDue = false;
  let isPatient = false;

  /** As soon as everybody who has something to write by now has said so. */
  function hurry(): void {
    if (isDue || waiting.length === 0) return;
    isDue = true;
    if (rest) rest.over(soon);
    else soon();
  }

  function soon(): void {
    setImmediate(turns ? () => void flushInTurn(turns) : flush);
  }

  async function wait(): Promise<void> {
    if (!patience) return hurry();
    if (isPatient) return;
    isPatient = true;
    await patience();
    isPatient = false;
    hurry();
  }

  function whoWaits(): readonly Job[] {
    const jobs = waiting;
    waiting = [];
    isDue = false;
    return jobs;
  }

  function flush(): void {
    const jobs = whoWaits();
    try {
      const answers = runTogether(jobs) ?? runApart(jobs);
      const isWritten = rest?.busy();
      commit.run();
      isWritten?.();
      for (const answer of answers) answer();
    } catch (error) {
      fail(jobs, error);
    } finally {
      onEnd();
    }
  }

  /**
   * The same with a journal that others write to as well. The transaction of the copy stays open until what it wrote has
   * been handed on: if that fails, nothing of it may be read here either.
   */
  async function flushInTurn({ take, handOn, leave }: Turns): Promise<void> {
    try {
      await take();
    } catch (error) {
      for (const job of whoWaits()) job.failed(error);
      return;
    }
    const jobs = whoWaits();
    try {
      const answers = runTogether(jobs) ?? runApart(jobs);
      const isWritten = rest?.busy();
      await handOn();
      commit.run();
      isWritten?.();
      onEnd();
      leave();
      for (const answer of answers) answer();
    } catch (error) {
      onEnd();
      fail(jobs, error);
      leave(error);
    }
  }

  function fail(jobs: readonly Job[], error: unknown): void {
    if (db.open && db.inTransaction) rollBack(db);
    onUndone();
    for (const job of jobs) job.failed(error);
  }

  /** Undefined where one of them threw, and none has happened. */
  function runTogether(jobs: readonly Job[]): (() => void)[] | undefined {
    const values: unknown[] = [];
    begin.run();
    onBegin();
    try {
      for (const job of jobs) values.push(job.run());
    } catch (error) {
      // An error of the disk may have rolled everything back already: then there is nothing left to do again.
      if (!db.inTransaction) throw error;
      rollBack(db);
      onUndone();
      return undefined;
    }
    return jobs.map((job, place) => () => job.done(values[place]));
  }

  function runApart(jobs: readonly Job[]): (() => void)[] {
    begin.run();
    onBegin();
    return jobs.map(runOne);
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
    write<Value>(run: () => Value, { isUrgent = true } = {}): Promise<Value> {
      return new Promise<Value>((resolve, reject) => {
        waiting.push({ run, done: (value) => resolve(value as Value), failed: reject });
        if (isUrgent) hurry();
        else void wait();
      });
    },
    hurry,
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
