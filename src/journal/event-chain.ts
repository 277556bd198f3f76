import { hash as hashText } from 'node:crypto';
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

/** One for each database, whoever appends: within a transaction all of them go on from the same end. */
const chains = new WeakMap<JournalDatabase, EventChain>();

/** Each hash covers the one before it: an event that was changed, dropped or slipped in breaks all that follow. */
export function eventChain(db: JournalDatabase): EventChain {
  const chain = chains.get(db) ?? createEventChain(db);
  chains.set(db, chain);
  return chain;
}

type EventChain = ReturnType<typeof createEventChain>;

function createEventChain(db: JournalDatabase) {
  const last = db.prepare<[], ChainEnd>('SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1');
  const insert = db.prepare(
    `INSERT INTO events (seq, at_ms, batch, payout, run, operator, from_state, to_state, why, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  let isHeld = false;
  let known: ChainEnd | undefined;
  return {
    end: (): ChainEnd => last.get() ?? beginning,
    /** A transaction has begun that nobody else can append in: the end needs to be read only once. */
    hold(): void {
      isHeld = true;
      known = undefined;
    },
    letGo(): void {
      isHeld = false;
      known = undefined;
    },
    /** Inside a transaction: other processes append to the same chain. */
    append(event: JournalEvent): void {
      const { atMs, batch, payout, run, operator, from, to, why } = event;
      const before = known ?? last.get() ?? beginning;
      const seq = before.seq + 1;
      const hash = hashOf(before.hash, seq, event);
      insert.run(seq, atMs, batch, payout ?? null, run, operator, from, to, why, hash);
      if (isHeld) known = { seq, hash };
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
  return hashText('sha256', text, 'hex');
}
