import { environmentKey } from '../../domain/environment/environment.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import type { BatchRecord } from '../batch-record.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { askKnownTransactions } from '../known-transactions.ts';
import { askRepeats } from '../repeat-queries.ts';
import { preparePayouts } from './payout-columns.ts';

/** What the journal knows when a person decides about payouts of one batch. */
export function decisionQueries(db: JournalDatabase, batch: BatchRecord) {
  const among = (ids: string) => preparePayouts(db, `WHERE id IN (${ids}) ORDER BY id LIMIT 10`);
  const byName = among(
    `SELECT id FROM payouts WHERE batch = @batch AND key = @id
     UNION SELECT id FROM payouts WHERE reference = @reference AND batch = @batch`,
  );
  const byLine = among('SELECT payout FROM batch_rows WHERE batch = @batch AND line = @line');
  const lineIsInvalid = db
    .prepare<[number, number], number>(
      'SELECT 1 FROM batch_rows WHERE batch = ? AND line = ? AND payout IS NULL LIMIT 1',
    )
    .pluck();
  const anyTwoOnALine = db
    .prepare<[number], number>(
      'SELECT 1 FROM batch_rows WHERE batch = ? GROUP BY line HAVING count(*) > 1 LIMIT 1',
    )
    .pluck();
  const remember = db.prepare<[string, string, string, string]>(
    'INSERT INTO released_names (environment, payee, expected, resolved) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const referenceUsed = db
    .prepare<[number, string], number>(
      `SELECT 1 FROM sends WHERE payout = ? AND reference = ? AND code = 'reference-used' LIMIT 1`,
    )
    .pluck();
  const sent = db
    .prepare<[number, string], number>(
      `SELECT 1 FROM sends WHERE payout = ? AND reference = ? AND outcome <> 'not-sent' LIMIT 1`,
    )
    .pluck();
  const lastSent = db
    .prepare<[number], number | null>(
      `SELECT max(begun_ms) FROM sends WHERE payout = ? AND outcome <> 'not-sent'`,
    )
    .pluck();
  const known = askKnownTransactions(db);
  const owner = db
    .prepare<unknown[], string>(
      `SELECT key FROM known_transactions AS known JOIN payouts ON payouts.id = known.payout
       WHERE known.transaction_id = @transactionId AND (payouts.id <> @id OR known.reference NOT IN ('', @reference))
       ORDER BY payouts.id = @id LIMIT 1`,
    )
    .pluck();

  const onLine = (id: string): Payout[] =>
    lineOf(id) === 0 ? [] : byLine({ batch: batch.id, line: lineOf(id) });

  return {
    /** The payouts that an ID fits: a payment key, a reference, or the `line:17` of the file. One is the right number. */
    fitting(id: string): Payout[] {
      const named = byName({ batch: batch.id, id, reference: id.toLowerCase() });
      return [...new Map([...named, ...onLine(id)].map((payout) => [payout.id, payout])).values()];
    },

    /** The payouts whose rows stood on the line that an ID names. */
    onLine,

    isInvalidLine: (id: string): boolean => lineIsInvalid.get(batch.id, lineOf(id)) !== undefined,

    /**
     * Whether an ID names a line while the rows of the batch have theirs from files that differ: what stands on it in one is
     * somebody else in another, and which one a person has before him nobody knows.
     */
    isLineOfSeveral: (id: string): boolean => lineOf(id) > 0 && anyTwoOnALine.get(batch.id) !== undefined,

    /** A payment that it would repeat. */
    repeatOf: askRepeats(db, batch),

    /** Inside the decision's transaction: a pair of names that a person has seen is not held again for that payee. */
    rememberNames: ({ payee, foldedName, resolvedName }: Payout): void =>
      void remember.run(environmentKey(batch.environment), payee, foldedName, resolvedName),

    /** Whether the service calls the present reference used: nothing sent under it will be taken any more. */
    isReferenceBurnt: ({ id, reference, code }: Payout): boolean =>
      code === 'reference-burnt' || referenceUsed.get(id, reference) !== undefined,

    /** Whether a send under the present reference left the machine. */
    wasSent: ({ id, reference }: Payout): boolean => sent.get(id, reference) !== undefined,

    /** When it was last sent or taken by the service, whichever was later; undefined where neither is known. */
    pendingSinceMs({ id, submittedMs }: Payout): number | undefined {
      const times = [submittedMs, lastSent.get(id)].filter((atMs) => typeof atMs === 'number');
      return times.length === 0 ? undefined : Math.max(...times);
    },

    /** By which transactions it was ever known under the present reference. */
    transactionsOf: ({ id, reference }: Payout): string[] => known.of(id, reference),

    /** Whether a transaction is known as another payout's. */
    isTaken: (transactionId: string, { id }: Payout): boolean => known.isTaken(transactionId, id, batch.id),

    /** Whose transaction it is known as: another payout's, or an earlier attempt's. */
    ownerOfTransaction: (transactionId: string, { id, reference }: Payout): string | undefined =>
      owner.get({ transactionId, id, reference }),
  };
}

export type DecisionQueries = ReturnType<typeof decisionQueries>;

/** No line is below 1. */
function lineOf(id: string): number {
  return Number(/^line:(\d{1,9})$/.exec(id)?.[1] ?? 0);
}
