import type { Clock } from '../../clock.ts';
import { type Environment, environmentKey } from '../../domain/environment/environment.ts';
import type { FileColumn } from '../../domain/file-columns.ts';
import { type Bounds, boundsDocument } from '../../domain/money/bounds.ts';
import { decimalOf } from '../../domain/money/format-money.ts';
import type { Minor } from '../../domain/money/money.ts';
import type { PayoutState } from '../../domain/payout/payout-state.ts';
import type { PaymentKey } from '../../domain/reference.ts';
import { createEventChain } from '../event-chain.ts';
import type { Writer } from '../journal.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { moveResults } from '../move-results-path.ts';
import { isReleasedFromFile } from '../payouts/wallet-totals.ts';
import type { KnownBatch } from './plan-queries.ts';
import { bookRows, type DraftRow } from './record-batch-rows.ts';

/** A batch as it begins. */
export interface NewBatch {
  readonly name: string;
  readonly pattern: string;
  readonly environment: Environment;
  readonly keyKind: PaymentKey['kind'];
  readonly fileName: string;
  readonly fileDigest: string;
  readonly resultsPath: string;
  readonly columns: readonly FileColumn[];
  readonly delimiter: string;
  readonly policy: unknown;
  /** The limit for one payout that this draft is accepted under, by currency. */
  readonly limitPayout: ReadonlyMap<string, Minor>;
  /** What was confirmed for the batch, with what was before and still holds. */
  readonly bounds: Bounds;
}

export interface Acceptance {
  readonly batch: number;
  readonly isNew: boolean;
  readonly added: number;
  readonly changed: number;
  readonly held: number;
}

const rowsAtOnce = 1000;
const withoutReason = `code = '', details = '{}'`;
const copied = `fingerprint, payee, account_name, folded_name, country, currency, amount, destination, number, bank_code,
  operator, branch_code, debit_currency, debit_country, narration`;

/**
 * Takes a confirmed draft into its batch. Runs inside one transaction of the caller's: either every row is accepted,
 * or none is. What it accepts, a resume may send; a refused draft never gets here.
 */
export function acceptDraft(
  db: JournalDatabase,
  clock: Clock,
  writer: Writer,
  batch: NewBatch,
  known: KnownBatch | undefined,
  isPart: boolean,
  digest: string,
): Acceptance {
  const chain = createEventChain(db);
  const nowMs = clock.nowMs();
  const id = known?.id ?? addBatch(db, batch, nowMs);
  const log = (payout: number | undefined, from: string, to: string, why: string) =>
    chain.append({ atMs: nowMs, batch: id, payout, ...writer, from, to, why });

  const insert = db.prepare<[number, string, number, number]>(
    `INSERT INTO payouts (batch, key, attempt, last_attempt, reference, state, accepted_run, accepted_ms, ${copied})
     SELECT ?, key, attempt, attempt, reference, 'planned', ?, ?, ${copied} FROM draft.rows WHERE position = ?`,
  );
  // The run that first accepted it stays on record: a changed payout is looked up before it is sent.
  const replace = db.prepare(
    `UPDATE payouts SET (attempt, reference, ${copied}) = (SELECT attempt, reference, ${copied} FROM draft.rows WHERE position = @position),
       last_attempt = max(last_attempt, (SELECT attempt FROM draft.rows WHERE position = @position)),
       state = 'planned', ${withoutReason}, hold = '', released = '', verdict = '', resolved_name = '', resolved_ms = NULL,
       external_account_id = '', transaction_id = '', watched = '', paid_amount = NULL, ever_sent = 0, submitted_ms = NULL,
       settled_ms = NULL, accepted_ms = @nowMs,
       -- Under the same reference, sends that nobody answered still count: a refusal after them proves little.
       unknown_sends = iif(attempt = (SELECT attempt FROM draft.rows WHERE position = @position), unknown_sends, 0)
     WHERE id = @payout AND state = @state`,
  );
  const bringBack = db.prepare<[number]>(
    `UPDATE payouts SET state = 'planned', hold = '', ${withoutReason} WHERE id = ?`,
  );
  const rows = bookRows(db, id, columnList(db, id, batch.columns));
  if (known) {
    db.prepare('UPDATE batches SET policy = ?, bounds = ? WHERE id = ?').run(
      JSON.stringify(batch.policy),
      JSON.stringify(boundsDocument(batch.bounds)),
      id,
    );
    moveResults(db, clock, writer, id, batch.resultsPath);
  }
  // A batch that is known may be known from an old copy of the journal: what is added to it may have been sent since,
  // so that no run may send it first without a look-up.
  const firstSender = known ? '' : writer.run;
  const counts = { added: 0, changed: 0, held: 0 };
  if (!isPart) rows.markAllAbsent();
  log(
    undefined,
    known ? 'batch' : '',
    'batch',
    `draft ${digest} of ${batch.fileName} accepted${confirmed(batch.bounds)}`,
  );

  for (const row of draftRows(db, id)) {
    if (row.valid === 0) {
      rows.refuse(row);
      continue;
    }
    if (row.fate === 'new') {
      const payout = Number(insert.run(id, firstSender, nowMs, row.position).lastInsertRowid);
      rows.keep(row, payout);
      counts.added += 1;
      continue;
    }
    if (row.payout === null || row.state === null) continue;
    rows.keep(row, row.payout);
    if (row.fate === 'replaced' || row.fate === 'new-attempt') {
      replace.run({ position: row.position, payout: row.payout, state: row.state, nowMs });
      const why =
        row.fate === 'replaced' ? 'its row was changed in the file' : 'its row was corrected: a new attempt';
      log(row.payout, row.state, 'planned', why);
      counts.changed += 1;
    } else if (row.state === 'held' && row.hold === 'file') {
      bringBack.run(row.payout);
      log(row.payout, 'held', 'planned', 'its row is in the file again');
      counts.changed += 1;
    }
  }
  noteLimits(db, id, batch.limitPayout, isPart);
  if (!isPart) counts.held = holdGone(db, id, log);
  return { batch: id, isNew: !known, ...counts };
}

function addBatch(db: JournalDatabase, batch: NewBatch, nowMs: number): number {
  const { lastInsertRowid } = db
    .prepare(
      `INSERT INTO batches (name, pattern, environment, key_kind, created_ms, file_name, file_digest, results_path,
         columns, delimiter, policy, bounds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      batch.name,
      batch.pattern,
      environmentKey(batch.environment),
      batch.keyKind,
      nowMs,
      batch.fileName,
      batch.fileDigest,
      batch.resultsPath,
      JSON.stringify(batch.columns),
      batch.delimiter,
      JSON.stringify(batch.policy),
      JSON.stringify(boundsDocument(batch.bounds)),
    );
  return Number(lastInsertRowid);
}

/** For the log: what a person has seen and said. */
function confirmed(bounds: Bounds): string {
  const parts = [...bounds].flatMap(([currency, { paidMinor, mostMinor }]) => [
    ...(paidMinor === undefined ? [] : [`${currency} ${decimalOf(paidMinor, currency)}`]),
    ...(mostMinor === undefined ? [] : [`at most ${currency} ${decimalOf(mostMinor, currency)}`]),
  ]);
  return parts.length === 0 ? '' : `, confirmed: ${parts.join(', ')}`;
}

/** Which list the cells of the file's rows follow; null for that of the batch's first file. */
function columnList(db: JournalDatabase, batch: number, columns: readonly FileColumn[]): number | null {
  const text = JSON.stringify(columns);
  const first = db.prepare<[number], string>('SELECT columns FROM batches WHERE id = ?').pluck().get(batch);
  if (text === first) return null;
  db.prepare('INSERT OR IGNORE INTO column_lists (batch, columns) VALUES (?, ?)').run(batch, text);
  const find = db.prepare<[number, string], number>(
    'SELECT id FROM column_lists WHERE batch = ? AND columns = ?',
  );
  return find.pluck().get(batch, text) ?? null;
}

/** In the order of the file, a page at a time: reading and writing at once is not possible on one connection. */
function* draftRows(db: JournalDatabase, batch: number): IterableIterator<DraftRow> {
  const page = db.prepare<[number, number, number], DraftRow>(
    `SELECT position, line, cells, payrun, valid, fate, rows.key, payouts.id AS payout, payouts.state, payouts.hold
     FROM draft.rows AS rows LEFT JOIN payouts ON payouts.batch = ? AND payouts.key = rows.key AND fate <> 'new'
     WHERE position > ? ORDER BY position LIMIT ?`,
  );
  for (let position = 0; ; ) {
    const found = page.all(batch, position, rowsAtOnce);
    const last = found.at(-1);
    if (!last) return;
    yield* found;
    position = last.position;
  }
}

/** A payout above the limit that it is accepted under stays so, whatever limits the batch gets later for other rows. */
function noteLimits(
  db: JournalDatabase,
  batch: number,
  limits: ReadonlyMap<string, Minor>,
  isPart: boolean,
): void {
  const inDraft = 'EXISTS (SELECT 1 FROM draft.rows AS rows WHERE rows.key = payouts.key AND rows.valid = 1)';
  // A whole file states the limits of its rows anew; a part of it can only make them stricter.
  if (!isPart) {
    db.prepare(
      `DELETE FROM payout_limits WHERE EXISTS (
         SELECT 1 FROM payouts WHERE payouts.id = payout_limits.payout AND payouts.batch = ? AND ${inDraft})`,
    ).run(batch);
  }
  const note = db.prepare(
    `INSERT INTO payout_limits (payout, limit_amount)
       SELECT id, @limit FROM payouts WHERE batch = @batch AND currency = @currency AND amount > @limit AND ${inDraft}
     ON CONFLICT (payout) DO UPDATE SET limit_amount = min(limit_amount, excluded.limit_amount)`,
  );
  for (const [currency, limit] of limits) {
    if (limit <= largestAmount) note.run({ batch, currency, limit });
  }
}

/** Of SQL. No payout is above a limit that is. */
const largestAmount = 2n ** 63n - 1n;

/**
 * Not yet sent and not in the file any more: waits for its row, unless a person has released it from just that. One
 * held for something else is not to be released.
 */
function holdGone(
  db: JournalDatabase,
  batch: number,
  log: (payout: number, from: string, to: string, why: string) => void,
): number {
  const gone = db
    .prepare<[number], { id: number; state: PayoutState }>(
      `SELECT id, state FROM payouts WHERE batch = ? AND (state IN ('planned', 'ready') OR (state = 'held' AND hold <> 'file'))
         AND NOT (${isReleasedFromFile})
         AND NOT EXISTS (SELECT 1 FROM draft.rows WHERE draft.rows.key = payouts.key AND draft.rows.valid = 1)`,
    )
    .all(batch);
  const hold = db.prepare<[number]>(
    // An earlier attempt may have been paid: that the row is gone must not hide it.
    `UPDATE payouts SET state = 'held', hold = 'file', code = 'gone-from-file',
       details = iif(state = 'held' AND hold = 'repeat' AND code <> '',
         json_object('before', json_object('code', code, 'details', json(details))), '{}')
     WHERE id = ?`,
  );
  for (const { id, state } of gone) {
    hold.run(id);
    if (state === 'held') log(id, 'held', 'planned', 'what held it before is asked again');
    log(id, state === 'held' ? 'planned' : state, 'held', 'no longer in the file');
  }
  return gone.length;
}
