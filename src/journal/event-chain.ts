import { createHash } from 'node:crypto';
import type { JournalDatabase } from './journal-database.ts';

/** One move in the log: who, when, from, to, why. */
export interface JournalEvent {
  readonly atMs: number;
  readonly batch: number;
  /** Without one it concerns the whole batch. */
  readonly payout?: number | undefined;
  readonly run: string;
  readonly operator: string;
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

export interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
}

const beginning: ChainEnd = { seq: 0, hash: '' };

/** Each hash covers the one before it: an event that was changed, dropped or slipped in breaks all that follow. */
export function createEventChain(db: JournalDatabase) {
  const last = db.prepare<[], ChainEnd>('SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1');
  const insert = db.prepare(
    `INSERT INTO events (seq, at_ms, batch, payout, run, operator, from_state, to_state, why, hash)
     VALUES (@seq, @atMs, @batch, @payout, @run, @operator, @from, @to, @why, @hash)`,
  );
  return {
    end: (): ChainEnd => last.get() ?? beginning,
    /** Inside a transaction: other processes append to the same chain. */
    append(event: JournalEvent): void {
      const before = last.get() ?? beginning;
      const seq = before.seq + 1;
      const hash = hashOf(before.hash, seq, event);
      insert.run({ ...event, payout: event.payout ?? null, seq, hash });
    },
  };
}

/** As results carry it: `412:9f3c…`. */
export function eventText({ seq, hash }: ChainEnd): string {
  return `${seq}:${hash}`;
}

/** Where the chain does not hold, in a sentence; undefined where it does. */
export function chainTrouble(db: JournalDatabase): string | undefined {
  const events = db
    .prepare<[], StoredEvent>(
      `SELECT seq, at_ms AS atMs, batch, payout, run, operator, from_state AS "from", to_state AS "to", why, hash
       FROM events ORDER BY seq`,
    )
    .iterate();
  let before = beginning;
  for (const event of events) {
    if (event.seq !== before.seq + 1) return `event ${before.seq + 1} is missing from the log`;
    const hash = hashOf(before.hash, event.seq, { ...event, payout: event.payout ?? undefined });
    if (hash !== event.hash) return `event ${event.seq} was changed after it was written`;
    before = { seq: event.seq, hash };
  }
  return undefined;
}

interface StoredEvent extends Omit<JournalEvent, 'payout'>, ChainEnd {
  readonly payout: number | null;
}

function hashOf(before: string, seq: number, event: JournalEvent): string {
  const { atMs, batch, payout, run, operator, from, to, why } = event;
  const text = JSON.stringify([before, seq, atMs, batch, payout ?? null, run, operator, from, to, why]);
  return createHash('sha256').update(text).digest('hex');
}
