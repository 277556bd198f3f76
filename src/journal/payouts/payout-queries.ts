import type { Minor } from '../../domain/money/money.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import type { PayoutState } from '../../domain/payout/payout-state.ts';
import { readBatchById } from '../batch-record.ts';
import type { Total } from '../draft/draft-queries.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { askKnownTransactions } from '../known-transactions.ts';
import { type FailedTwin, failedTwins, type RepeatSince, repeatsSince } from '../repeat-queries.ts';
import { openDoubt, preparePayouts } from './payout-columns.ts';
import { batchTotals, sentTotals, walletTotals } from './wallet-totals.ts';

/** A payout and the transactions that paid it, more than one. */
export interface PaidTwice extends Pick<Payout, 'key' | 'accountName' | 'currency' | 'amountMinor'> {
  readonly transactions: readonly string[];
}

/** So many payouts in a state, and their sum; a state and a currency may come several times. */
interface InState {
  readonly state: PayoutState;
  readonly currency: string;
  readonly count: number;
  readonly amountMinor: Minor;
}

/**
 * Payouts of a batch in some states, in the order of the file, which is the order of sending; or of some of its chunks, where a
 * worker carries them out.
 */
export function payoutQueries(db: JournalDatabase, batch: number, chunks?: readonly number[]) {
  const inChunk = ofChunks(chunks);
  const rows = (where: string) => preparePayouts(db, `WHERE batch = ?${inChunk} AND ${where}`);
  const inState = (states: readonly PayoutState[]) =>
    `state IN (${states.map((state) => `'${state}'`).join(', ')})`;
  /** Each state of a chunk by itself comes out of the index in order; asked together, every page would sort the whole batch. */
  const firstOf = (state: PayoutState) =>
    (chunks?.map((chunk) => ofChunks([chunk])) ?? [''])
      .map(
        (inOne) =>
          `SELECT id FROM (SELECT id FROM payouts WHERE batch = @batch${inOne} AND state = '${state}' AND id > @afterId
             ORDER BY id LIMIT @limit)`,
      )
      .join(' UNION ALL ');

  const acceptedLimit = db
    .prepare<[number], Minor>('SELECT limit_amount FROM payout_limits WHERE payout = ?')
    .pluck()
    .safeIntegers();

  // Asked once for every payout: preparing them each time would take longer than asking.
  const pages = remembered((states) =>
    preparePayouts(db, `WHERE id IN (${states.map(firstOf).join(' UNION ALL ')}) ORDER BY id LIMIT @limit`),
  );
  const counts = remembered((states) =>
    db
      .prepare<[number], number>(
        `SELECT count(*) FROM payouts WHERE batch = ?${inChunk} AND ${inState(states)}`,
      )
      .pluck(),
  );
  const known = askKnownTransactions(db);
  const states = db
    .prepare<[number], Pick<InState, 'state' | 'currency'> & Record<'count' | 'high' | 'low', bigint>>(
      `SELECT state, currency, count(*) AS count, sum(amount / 1000000) AS high, sum(amount % 1000000) AS low
       FROM payouts WHERE batch = ? GROUP BY state, code, country, currency, debit_currency, debit_country`,
    )
    .safeIntegers();

  const isWatched = `batch = ?${inChunk} AND watched <> '' AND state = 'paid'`;
  const submitted = preparePayouts(
    db,
    `WHERE id IN (SELECT value FROM json_each(?)) AND state = 'submitted'`,
  );
  const watched = preparePayouts(db, `WHERE ${isWatched} AND id > ? ORDER BY id LIMIT ?`);
  const watchedCount = db
    .prepare<[number], number>(`SELECT count(*) FROM payouts WHERE ${isWatched}`)
    .pluck();

  return {
    page: (states: readonly PayoutState[], afterId: number, limit: number): Payout[] =>
      pages(states)({ batch, afterId, limit }),

    /**
     * Those that are submitted, as they were sent, whoever did it: of chunks, which several send at a time. A whole batch would
     * be too much to put in order, and is sent as it stands in the file.
     */
    submittedAsSent: (): number[] =>
      db
        .prepare<[number], number>(
          `SELECT id FROM payouts WHERE batch = ?${inChunk} AND state = 'submitted'
           ORDER BY (SELECT max(sends.id) FROM sends WHERE sends.payout = payouts.id), id`,
        )
        .pluck()
        .all(batch),

    /** Those of them that still are, in the same order. */
    submittedOf: (ids: readonly number[]): Payout[] => {
      const found = new Map(submitted(JSON.stringify(ids)).map((payout) => [payout.id, payout]));
      return ids.flatMap((id) => found.get(id) ?? []);
    },

    /** Paid, while another transaction of theirs may still pay as well. */
    watchedPage: (afterId: number, limit: number): Payout[] => watched(batch, afterId, limit),

    watchedCount: (): number => watchedCount.get(batch) ?? 0,

    count: (states: readonly PayoutState[]): number => counts(states).get(batch) ?? 0,

    /** The first so many, and the rest spread evenly: which payouts a large new batch is looked up by. */
    sample: (first: number, size: number): Payout[] => {
      const total =
        db
          .prepare<[number], number>(`SELECT count(*) FROM payouts WHERE batch = ?${inChunk}`)
          .pluck()
          .get(batch) ?? 0;
      const head = rows('1 ORDER BY id LIMIT ?')(batch, first);
      const step = Math.max(1, Math.floor((total - first) / Math.max(1, size - first)));
      const spread = preparePayouts(
        db,
        `WHERE batch = @batch AND id IN (
           SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM payouts WHERE batch = @batch${inChunk})
           WHERE place > @first AND (place - @first) % @step = 0 LIMIT @limit)`,
      );
      return [...head, ...spread({ batch, first, step, limit: size - first })];
    },

    /** Nothing is counted beyond that. */
    areMoreThan: (most: number): boolean =>
      db
        .prepare<[number, number], number>(`SELECT 1 FROM payouts WHERE batch = ?${inChunk} LIMIT 1 OFFSET ?`)
        .pluck()
        .get(batch, most) === 1,

    /** Whether this journal has ever begun to send anything of the batch; what it only found does not count. */
    anySent: (): boolean =>
      db
        .prepare<[number], number>(
          'SELECT EXISTS (SELECT 1 FROM payouts JOIN sends ON sends.payout = payouts.id WHERE payouts.batch = ?)',
        )
        .pluck()
        .get(batch) === 1,

    /** The first so many to be sent next that another run accepted and nobody sent, as far as this journal knows. */
    unsentOfOthers: (run: string, limit: number): Payout[] =>
      rows(`state = 'ready' AND ever_sent = 0 AND accepted_run <> ? ORDER BY id LIMIT ?`)(batch, run, limit),

    /** What is not to be sent as it stands, and ended or was accepted since then: somebody else may have sent it. */
    notToBeSent: (sinceMs: number, limit: number): Payout[] =>
      rows(
        `((state IN ('failed', 'returned') AND settled_ms >= ?) OR (state IN ('held', 'cancelled') AND accepted_ms >= ?))
         ORDER BY id LIMIT ?`,
      )(batch, sinceMs, sinceMs, limit),

    /** Those that wait to be sent and repeat one that had come to nothing when they were accepted. */
    repeatsSince: (): RepeatSince[] => repeatsSince(db, readBatchById(db, batch)),

    /** Those that wait to be sent, beside others of the same payee and amount that failed since then. */
    failedTwins: (sinceMs: number, limit: number): FailedTwin[] => failedTwins(db, batch, sinceMs, limit),

    statuses: () =>
      db
        .prepare<
          [number],
          Record<'everSent' | 'count' | 'doubted' | 'high' | 'low' | 'wholeHigh' | 'wholeLow', bigint> & {
            state: PayoutState;
            currency: string;
          }
        >(
          `SELECT state, ever_sent AS everSent, currency, count(*) AS count,
             sum${openDoubt()} AS doubted, sum(money / 1000000) AS high,
             sum(money % 1000000) AS low, sum(amount / 1000000) AS wholeHigh, sum(amount % 1000000) AS wholeLow
           FROM (SELECT *, iif(state = 'paid', coalesce(paid_amount, amount), amount) AS money FROM payouts) AS payouts
           WHERE batch = ? GROUP BY 1, 2, 3`,
        )
        .safeIntegers()
        .all(batch)
        .map(({ state, everSent, currency, count, doubted, high, low, wholeHigh, wholeLow }) => ({
          state,
          everSent: everSent === 1n,
          currency,
          count: Number(count),
          /** Paid, while the service has said something else of them since, and no person has decided. */
          doubted: Number(doubted),
          /** Of what is paid, what the service shows to have paid. */
          amountMinor: high * 1_000_000n + low,
          /** What they were to pay. */
          wholeMinor: wholeHigh * 1_000_000n + wholeLow,
        })),

    /** Payouts that more than one transaction has paid. */
    paidTwice: (): PaidTwice[] =>
      db
        .prepare<[number], Omit<PaidTwice, 'transactions'> & { transactions: string }>(
          `SELECT key, account_name AS accountName, currency, amount AS amountMinor, paid_twice AS transactions
           FROM payouts WHERE batch = ? AND paid_twice <> '' ORDER BY id`,
        )
        .safeIntegers()
        .all(batch)
        .map(({ transactions, ...paid }) => ({ ...paid, transactions: transactions.split(' ') })),

    /** What payouts in some states add up to, by wallet. */
    totals: (states: readonly PayoutState[]): Total[] =>
      walletTotals(db, `batch = @batch${inChunk} AND ${inState(states)}`, { batch }),

    /**
     * Of the whole batch, whoever carries it out: what waits to be sent and what was. Asked at once, for what others send
     * meanwhile must stand in one of them, and not in both.
     */
    exposedTotals: (): { readonly waiting: Total[]; readonly sent: Total[] } => {
      const waiting = batchTotals(db, batch, inState(['planned', 'ready']));
      // What was sent is held against nothing where nothing waits: of a million it is not added up in vain.
      return { waiting, sent: waiting.length === 0 ? [] : sentTotals(db, batch) };
    },

    /** How many of the whole batch are in which state, and how much: in the order of the same index, and as often as wanted. */
    inStates: (): InState[] =>
      states.all(batch).map(({ count, high, low, ...of }) => ({
        ...of,
        count: Number(count),
        amountMinor: high * 1_000_000n + low,
      })),

    /** What was sent and has not conclusively failed, by wallet. */
    sentTotals: (): Total[] => sentTotals(db, batch),

    /** The limit for one payout that it was accepted under, if it is above it. */
    acceptedLimit: (payout: number): Minor | undefined => acceptedLimit.get(payout),

    /** Whether a transaction is already known as another payout's, of whichever account of the service. */
    transactionTaken: (transactionId: string, exceptPayout: number): boolean =>
      known.isTaken(transactionId, exceptPayout, batch),

    /** Every transaction that a payout was ever known by, under the reference of one of its attempts. */
    transactionsOf: (payout: number, reference: string): string[] => known.of(payout, reference),

    /** And those of which only the transaction itself says under which. */
    unplacedTransactions: (payout: number): string[] => known.unplaced(payout),
  };
}

export type Payouts = ReturnType<typeof payoutQueries>;

/** As a part of a condition: nothing where the whole batch is meant. */
export function ofChunks(chunks: readonly number[] | undefined): string {
  if (chunks === undefined) return '';
  const numbers = chunks.map(Math.trunc).join();
  return chunks.length === 1 ? ` AND chunk = ${numbers}` : ` AND chunk IN (${numbers})`;
}

function remembered<Statement>(
  prepare: (states: readonly PayoutState[]) => Statement,
): (states: readonly PayoutState[]) => Statement {
  const known = new Map<string, Statement>();
  return (states) => {
    const name = states.join(' ');
    const statement = known.get(name) ?? prepare(states);
    known.set(name, statement);
    return statement;
  };
}
