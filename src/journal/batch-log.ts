import type { SendOutcome } from '../domain/payout/send-ends.ts';
import type { ChainEnd, JournalEvent } from './event-chain.ts';
import { inPages } from './in-pages.ts';
import type { JournalDatabase } from './journal-database.ts';

/** An event as it stands in the chain, with the payment that it is about. */
export interface LoggedEvent extends Omit<JournalEvent, 'payout'>, ChainEnd {
  /** Null where it concerns the whole batch. */
  readonly payout: number | null;
  readonly payment: string | null;
}

/** A send as it stands in the journal. */
export interface LoggedSend {
  readonly send: number;
  readonly payout: number;
  readonly payment: string;
  readonly reference: string;
  readonly run: string;
  readonly begunMs: number;
  /** Null where it was cut off and nobody has closed it yet. */
  readonly endedMs: number | null;
  readonly outcome: SendOutcome | '';
  readonly code: string;
  /** The service's own, with the next. */
  readonly errorCode: string;
  readonly words: string;
  readonly transactionId: string;
  /** So long after its beginning a look-up still did not show it; 0 where none looked in vain. */
  readonly unseenMs: number;
}

/** What one run did to payouts, or one decision: how many came to which state, and when. */
export interface LoggedRun {
  readonly run: string;
  readonly operator: string;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly firstEvent: number;
  readonly to: string;
  readonly count: number;
}

const rowsAtOnce = 1000;

const selectEvent = `SELECT events.seq, events.hash, at_ms AS atMs, events.batch, events.payout, payouts.key AS payment,
  events.run, events.operator, from_state AS "from", to_state AS "to", why
  FROM events LEFT JOIN payouts ON payouts.id = events.payout`;
const selectSend = `SELECT sends.id AS send, sends.payout, payouts.key AS payment, sends.reference, sends.run,
  begun_ms AS begunMs, ended_ms AS endedMs, outcome, sends.code, error_code AS errorCode, words,
  sends.transaction_id AS transactionId, unseen_ms AS unseenMs FROM sends JOIN payouts ON payouts.id = sends.payout`;

/** What `library/decisions.ts` begins the name of its runs with. */
const isDecision = `events.run >= 'decision ' AND events.run < 'decision!'`;

/** The log of one batch, a page at a time: flat memory however long. */
export function openBatchLog(db: JournalDatabase, batch: number) {
  const events = (which: string) => {
    const page = db.prepare<[number, number, number], LoggedEvent>(
      `${selectEvent} WHERE events.batch = ? AND events.seq > ? AND ${which} ORDER BY events.seq LIMIT ?`,
    );
    return rowsOf(
      (after) => page.all(batch, after, rowsAtOnce),
      ({ seq }) => seq,
    );
  };
  const sendPage = db.prepare<[number, number, number], LoggedSend>(
    `${selectSend} WHERE payouts.batch = ? AND sends.id > ? ORDER BY sends.id LIMIT ?`,
  );
  return {
    /** Every event, in the order of the chain. */
    events: () => events('1'),

    /** What concerns the whole batch, and what people decided about payouts. */
    eventsOfPeople: () => events(`(events.payout IS NULL OR (${isDecision}))`),

    /** What concerns the whole batch, and one payout. */
    eventsOfPayout: (payout: number) =>
      db
        .prepare<[number, number], LoggedEvent>(
          `${selectEvent} WHERE events.batch = ? AND (events.payout IS NULL OR events.payout = ?) ORDER BY events.seq`,
        )
        .all(batch, payout),

    /** What runs, and no decisions, did to payouts, the earliest first. */
    runs: (): LoggedRun[] =>
      db
        .prepare<[number], LoggedRun>(
          `SELECT run, operator, min(at_ms) AS firstMs, max(at_ms) AS lastMs, min(seq) AS firstEvent, to_state AS "to",
             count(*) AS count
           FROM events WHERE batch = ? AND payout IS NOT NULL AND NOT (${isDecision})
           GROUP BY run, operator, to_state ORDER BY firstEvent`,
        )
        .all(batch),

    /** Every send of the batch, in the order in which they were begun. */
    sends: () =>
      rowsOf(
        (after) => sendPage.all(batch, after, rowsAtOnce),
        ({ send }) => send,
      ),

    sendsOfPayout: (payout: number): LoggedSend[] =>
      db.prepare<[number], LoggedSend>(`${selectSend} WHERE sends.payout = ? ORDER BY sends.id`).all(payout),
  };
}

export type BatchLog = ReturnType<typeof openBatchLog>;

function* rowsOf<Row>(
  page: (after: number) => readonly Row[],
  placeOf: (row: Row) => number,
): IterableIterator<Row> {
  for (const rows of inPages(page, placeOf)) yield* rows;
}
