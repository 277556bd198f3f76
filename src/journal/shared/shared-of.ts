import type { Clock } from '../../clock.ts';
import { PayrunError } from '../../errors.ts';
import type { Turns } from '../../storage/group-commit.ts';
import type { HeldBatch } from '../held-batch.ts';
import type { JournalDatabase } from '../journal-database.ts';

/** A journal in Postgres, of which a database of ours is a copy. */
export interface SharedJournal {
  /** By which a workspace knows its journal, whatever address it has. */
  readonly id: string;
  readonly turns: Turns;
  /** Brings the copy up to what others have written. Between two writes it is as old as the last of them, or as this. */
  catchUp(): Promise<void>;
  /** The same for whoever asks all the time: what the copy knows may be some milliseconds old. */
  comeNear(): Promise<void>;
  /** For a write that takes longer than any other: a whole file. */
  inLongTurn<Value>(work: () => Promise<Value>): Promise<Value>;
  /** One run per batch, on whichever machine. */
  lockBatch(batch: string, clock: Clock, waitMs: number): Promise<HeldBatch>;
  /** One worker per chunk; whoever wants the whole batch waits for all of them. */
  lockChunk(batch: string, chunk: number, clock: Clock): Promise<HeldBatch>;
  /** The session that writes and holds the locks, as Postgres knows it. */
  readonly session: Session;
  /** Who works for all, and how long nobody may call the service. */
  work(): Promise<SharedWork>;
  close(): Promise<void>;
}

export interface SharedWork {
  readonly workers: readonly SeenWorker[];
  readonly pausedForMs: number;
}

export interface SeenWorker {
  readonly name: string;
  /** What it said last that it does. */
  readonly doing: string;
  readonly seenMsAgo: number;
  /** What it keeps to, together with all others; undefined where it was told none. */
  readonly ratePerSecond: number | undefined;
}

/** Its process at the server, and since when: numbers are used again. */
export interface Session {
  readonly pid: number;
  readonly started: string;
}

/** The connection is gone, or Postgres refused what was written: what was under way may or may not have been kept. */
export class JournalLost extends PayrunError {
  declare readonly cause: Error;

  constructor(cause: Error) {
    super(
      'journal-write-failed',
      `The shared journal is gone (${cause.message}). payrun stopped; nothing more was sent. What was on its way may have been paid: the next run looks it up before it sends anything. See that Postgres is there and can be reached, then run the same command again.`,
      { cause },
    );
  }
}

const journals = new WeakMap<JournalDatabase, SharedJournal>();

/** Undefined for a journal that is all in its own file. */
export function sharedOf(db: JournalDatabase): SharedJournal | undefined {
  return journals.get(db);
}

export function markShared(db: JournalDatabase, journal: SharedJournal): void {
  journals.set(db, journal);
}

export async function closeJournal(db: JournalDatabase): Promise<void> {
  await sharedOf(db)?.close();
  db.close();
}
