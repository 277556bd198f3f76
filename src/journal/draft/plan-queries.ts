import { createHash } from 'node:crypto';
import { debitWallet } from '../../domain/money/debit-wallet.ts';
import { walletName } from '../../domain/money/wallet-name.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import type { PayoutState } from '../../domain/payout/payout-state.ts';
import { type ComparedRow, planRow, type RowFate, willSend } from '../../domain/payout/row-fate.ts';
import { canonicalPayeeKey, type PaymentKey, referenceOf } from '../../domain/reference.ts';
import type { BatchRecord } from '../batch-record.ts';
import { inPages } from '../in-pages.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { isReleasedFromFile } from '../payouts/wallet-totals.ts';
import { draftRepeats } from '../repeat-queries.ts';

/** A row whose payout is no longer free to change, and what was or may have been sent for it. */
export interface SettledRow {
  readonly position: number;
  readonly line: number;
  readonly key: string;
  readonly fate: 'conflict' | 'renamed' | 'stays-cancelled';
  readonly state: PayoutState;
  readonly fileName: string;
  readonly fileCurrency: string;
  readonly fileMinor: bigint;
  readonly filePayee: string;
  readonly fileWallet: string;
  readonly sentName: string;
  readonly sentCurrency: string;
  readonly sentMinor: bigint;
  readonly sentPayee: string;
  readonly sentWallet: string;
}

type StoredSettledRow = Omit<SettledRow, 'position' | 'line' | 'sentWallet'> & {
  readonly position: bigint;
  readonly line: bigint;
  readonly country: string;
  readonly debitCurrency: string;
  readonly debitCountry: string;
};

export type GonePayout = Pick<Payout, 'key' | 'accountName' | 'state'>;

const rowsAtOnce = 1000;
const unsent = `('planned', 'ready', 'held')`;

interface RowBesideJournal extends ComparedRow {
  readonly position: number;
  readonly key: string;
  readonly attempt: number;
  readonly knownState: PayoutState | null;
  readonly knownAttempt: number | null;
  readonly knownLastAttempt: number | null;
  readonly knownHold: string | null;
  readonly knownFingerprint: string | null;
  readonly knownName: string | null;
  readonly knownNarration: string | null;
  readonly knownOperator: string | null;
  readonly knownBank: string | null;
  readonly knownBranch: string | null;
  readonly knownTaken: number;
}

/** What the journal knows of a draft: a question to SQL each, none of which grows with the file in memory. */
export function planQueries(db: JournalDatabase) {
  const besideJournal = db.prepare<[number, number, number], RowBesideJournal>(
    `SELECT rows.position, rows.key, rows.attempt, rows.fingerprint, rows.account_name AS accountName, rows.narration,
       rows.operator, rows.bank_code AS bankCode, rows.branch_code AS branchCode, payouts.state AS knownState, payouts.attempt AS knownAttempt,
       payouts.last_attempt AS knownLastAttempt, payouts.hold AS knownHold,
       payouts.fingerprint AS knownFingerprint, payouts.account_name AS knownName,
       payouts.narration AS knownNarration, payouts.operator AS knownOperator, payouts.bank_code AS knownBank,
       payouts.branch_code AS knownBranch, EXISTS (SELECT 1 FROM known_transactions AS known
         WHERE known.payout = payouts.id AND known.reference = payouts.reference) AS knownTaken
     FROM draft.rows AS rows LEFT JOIN payouts ON payouts.batch = ? AND payouts.key = rows.key
     WHERE rows.valid = 1 AND rows.position > ? ORDER BY rows.position LIMIT ?`,
  );
  const setFate = db.prepare<[RowFate, PayoutState | null, number, number, string, number]>(
    `UPDATE draft.rows SET fate = ?, known_state = ?, to_send = ?, attempt = ?, reference = ? WHERE position = ?`,
  );

  return {
    /**
     * Where the key is the payee: the keys of payouts that were accepted while their bank's code stood for another bank.
     * Under the key of today such a payment would be a new one.
     */
    earlierKeys: (batchId: number): ReadonlyMap<string, string> => {
      const keys = db
        .prepare<[number], string>('SELECT key FROM payouts WHERE batch = ? AND key <> payee')
        .pluck()
        .all(batchId);
      const isKey = db.prepare<[number, string], number>('SELECT 1 FROM payouts WHERE batch = ? AND key = ?');
      const earlier = keys
        .map((key): [string, string] => [canonicalPayeeKey(key), key])
        .filter(([canonical, key]) => canonical !== key && isKey.get(batchId, canonical) === undefined);
      return new Map(earlier);
    },

    /** The name of the newest batch of one pattern and one file content that still has payouts to send. */
    unfinishedOfPattern: (pattern: string, fileDigest: string, sinceMs: number): string | undefined =>
      db
        .prepare<[string, string, number], string>(
          `SELECT name FROM batches WHERE pattern = ? AND file_digest = ? AND created_ms >= ? AND EXISTS (
             SELECT 1 FROM payouts WHERE payouts.batch = batches.id
             AND state IN ('planned', 'ready', 'submitting', 'unclear'))
           ORDER BY created_ms DESC LIMIT 1`,
        )
        .pluck()
        .get(pattern, fileDigest, sinceMs),

    /**
     * What becomes of each row. One row at a time is a pure decision; only the walk over them is SQL. Rows of a batch
     * that is not known yet are new, as they stand.
     */
    decideFates(batch: Pick<BatchRecord, 'id' | 'name' | 'keyKind'>): void {
      const decide = db.transaction((rows: readonly RowBesideJournal[]) => {
        for (const row of rows) {
          const fate = fateOf(row);
          // A row that the journal does not know keeps the attempt that its own file names: the journal may be the older.
          const attempt =
            fate === 'new-attempt' && row.knownLastAttempt !== null
              ? row.knownLastAttempt + 1
              : (row.knownAttempt ?? row.attempt);
          const reference = referenceOf(batch.name, batch.keyKind, row.key, attempt);
          const toSend = willSend(fate, row.knownState ?? undefined) ? 1 : 0;
          setFate.run(fate, row.knownState, toSend, attempt, reference, row.position);
        }
      });
      const read = (after: number) => besideJournal.all(batch.id, after, rowsAtOnce);
      for (const rows of inPages(read, ({ position }) => position)) decide(rows);
    },

    /** How many sound rows have which fate, and in which state their payouts are. */
    fates: (): { fate: RowFate; state: PayoutState | null; rows: number }[] =>
      db
        .prepare<[], { fate: RowFate; state: PayoutState | null; rows: number }>(
          `SELECT fate, known_state AS state, count(*) AS rows FROM draft.rows WHERE valid = 1 GROUP BY 1, 2`,
        )
        .all(),

    /** The rows about which a person is told something, in the order of the file, a page at a time. */
    *settledRows(batchId: number): IterableIterator<readonly SettledRow[]> {
      const page = db
        .prepare<[number, number, number], StoredSettledRow>(
          `SELECT rows.position, line, rows.key, rows.fate, payouts.state, rows.account_name AS fileName,
             rows.currency AS fileCurrency, rows.amount AS fileMinor, rows.payee AS filePayee, rows.wallet AS fileWallet,
             payouts.account_name AS sentName, payouts.currency AS sentCurrency, payouts.amount AS sentMinor,
             payouts.payee AS sentPayee, payouts.country, payouts.debit_currency AS debitCurrency,
             payouts.debit_country AS debitCountry
           FROM draft.rows AS rows JOIN payouts ON payouts.batch = ? AND payouts.key = rows.key
           WHERE rows.fate IN ('conflict', 'renamed', 'stays-cancelled') AND rows.valid = 1 AND rows.position > ?
           ORDER BY rows.position LIMIT ?`,
        )
        .safeIntegers();
      const read = (after: number) => page.all(batchId, after, rowsAtOnce);
      for (const rows of inPages(read, ({ position }) => position)) {
        yield rows.map(({ country, debitCurrency, debitCountry, ...row }) => ({
          ...row,
          position: Number(row.position),
          line: Number(row.line),
          sentWallet: walletName(
            debitWallet({ country, currency: row.sentCurrency, debitCurrency, debitCountry }),
          ),
        }));
      }
    },

    refuseConflicts: (): void =>
      void db.exec(`UPDATE draft.rows SET valid = 0, to_send = 0 WHERE fate = 'conflict'`),

    /** No row can be paid: the draft does not say which payments they are. */
    refuseAll: (): void => void db.exec('UPDATE draft.rows SET valid = 0, to_send = 0, fate = NULL'),

    /** Payouts of the batch whose rows are not in this file any more, or not valid any more. */
    gone: (batchId: number): { unsent: number; sent: number; first: GonePayout[] } => {
      const missing = `FROM payouts WHERE batch = ? AND state <> 'cancelled' AND NOT (state = 'held' AND hold = 'file')
        AND NOT (state IN ${unsent} AND ${isReleasedFromFile})
        AND NOT EXISTS (SELECT 1 FROM draft.rows WHERE draft.rows.key = payouts.key AND (valid = 1 OR fate = 'conflict'))`;
      const counts = db
        .prepare<[number], { unsent: number; sent: number }>(
          `SELECT coalesce(sum(state IN ${unsent}), 0) AS unsent, coalesce(sum(state NOT IN ${unsent}), 0) AS sent ${missing}`,
        )
        .get(batchId);
      const first = db
        .prepare<[number], GonePayout>(
          `SELECT key, account_name AS accountName, state ${missing} ORDER BY id LIMIT 20`,
        )
        .all(batchId);
      return { unsent: counts?.unsent ?? 0, sent: counts?.sent ?? 0, first };
    },

    /** Payments of the draft that repeat one planned or sent inside the window, and the first of them. */
    repeats: (batch: number, keyKind: PaymentKey['kind'], sinceMs: number, limit: number) =>
      draftRepeats(db, batch, keyKind, sinceMs, limit),

    /**
     * The intention alone: the same for the same rows in any order, whatever was paid meanwhile. So the key, which is
     * the reference without the attempt, and not the reference, which moves on after a failure.
     */
    digest(head: readonly unknown[]): string {
      const hash = createHash('sha256').update(JSON.stringify(head));
      const rows = db
        .prepare<[], unknown[]>(
          `SELECT key, payee, currency, amount, wallet, account_name, operator, branch_code
           FROM draft.rows WHERE valid = 1 ORDER BY key`,
        )
        .raw()
        .safeIntegers()
        .iterate();
      for (const row of rows) hash.update(JSON.stringify(row.map(String)));
      return hash.digest('hex');
    },
  };
}

export type PlanQueries = ReturnType<typeof planQueries>;

function fateOf(row: RowBesideJournal): RowFate {
  const { knownState } = row;
  if (knownState === null) return planRow(row, undefined);
  return planRow(row, {
    state: knownState,
    hold: row.knownHold ?? '',
    fingerprint: row.knownFingerprint ?? '',
    accountName: row.knownName ?? '',
    narration: row.knownNarration ?? '',
    operator: row.knownOperator ?? '',
    bankCode: row.knownBank ?? '',
    branchCode: row.knownBranch ?? '',
    isTaken: row.knownTaken === 1,
  });
}
