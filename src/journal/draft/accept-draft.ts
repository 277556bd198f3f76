import { strict as assert } from 'node:assert';
import type { Clock } from '../../clock.ts';
import { environmentKey } from '../../domain/environment/environment.ts';
import type { FileColumn } from '../../domain/file-columns.ts';
import { type Bounds, boundsDocument } from '../../domain/money/bounds.ts';
import { formatMoney } from '../../domain/money/format-money.ts';
import type { Minor } from '../../domain/money/money.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { noReason, reason, reasonAfter } from '../../domain/payout/reasons.ts';
import { counted } from '../../domain/text/counted.ts';
import type { BatchRecord, NewBatch } from '../batch-record.ts';
import { eventChain } from '../event-chain.ts';
import { inPages } from '../in-pages.ts';
import type { Journal, Move, PayoutChanges } from '../journal.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { moveResultsPath } from '../move-results-path.ts';
import { isReleasedFromFile } from '../payouts/wallet-totals.ts';
import { type DraftRow, recordBatchRows } from './record-batch-rows.ts';

export interface Acceptance {
  readonly batch: number;
  readonly isNew: boolean;
  readonly added: number;
  readonly changed: number;
  readonly held: number;
}

const rowsAtOnce = 200;
const copied = `fingerprint, payee, account_name, folded_name, country, currency, amount, destination, number, bank_code,
  operator, branch_code, debit_currency, debit_country, narration`;

/** A payout whose row says something else now has come no way at all. */
const fromTheStart = {
  ...noReason,
  hold: '',
  released: '',
  verdict: '',
  resolvedName: '',
  resolvedMs: null,
  externalAccountId: '',
  transactionId: '',
  watched: '',
  paidMinor: null,
  everSent: false,
  submittedMs: null,
  settledMs: null,
} as const satisfies PayoutChanges;

/** Where a draft goes, and by what its payouts move: together, in one transaction of the journal's. */
interface Accepting {
  readonly db: JournalDatabase;
  readonly clock: Clock;
  readonly journal: Pick<Journal, 'read' | 'writer'>;
  readonly move: (move: Move) => Payout;
}

/**
 * Takes a confirmed draft into its batch: either every row is accepted, or none is. What it accepts, a resume may send; a
 * refused draft never gets here.
 */
export function acceptDraft(
  { db, clock, journal, move }: Accepting,
  batch: NewBatch,
  {
    known,
    isPart,
    digest,
    typed = new Map(),
    confirmed = new Map(),
    repeats = 0,
  }: {
    known: BatchRecord | undefined;
    isPart: boolean;
    digest: string;
    /** What a person has typed at a terminal, by currency. */
    typed?: ReadonlyMap<string, Minor>;
    /** Of what bounds the batch, what was typed or stated with this draft. The rest stands from before, and nobody was asked. */
    confirmed?: Bounds;
    /** How many repeated payments a person has let through. */
    repeats?: number;
  },
): Acceptance {
  const nowMs = clock.nowMs();
  const { writer } = journal;
  const id = known?.id ?? addBatch(db, batch, nowMs);
  // The run that first accepted it stays on record: a changed payout is looked up before it is sent. Its chunk is that of
  // another payee by now.
  const replace = db.prepare<[number, number, number]>(
    `UPDATE payouts SET (${copied}) = (SELECT ${copied} FROM draft.rows WHERE position = ?), accepted_ms = ?, chunk = NULL WHERE id = ?`,
  );
  const rows = recordBatchRows(db, id, columnList(db, id, batch.columns));
  if (known) {
    db.prepare('UPDATE batches SET policy = ?, bounds = ? WHERE id = ?').run(
      JSON.stringify(batch.policy),
      JSON.stringify(boundsDocument(batch.bounds)),
      id,
    );
    moveResultsPath(db, clock, writer, id, batch.resultsPath);
  }
  // A batch that is known may be known from an old copy of the journal: what is added to it may have been sent since,
  // so that no run may send it first without a look-up.
  const firstSender = known ? '' : writer.run;
  const addNew = prepareNew(db, { batch: id, firstSender, nowMs });
  const counts = { added: 0, changed: 0, held: 0 };
  if (!isPart) rows.markAllAbsent();
  eventChain(db).append({
    atMs: nowMs,
    batch: id,
    payout: undefined,
    ...writer,
    from: known ? 'batch' : '',
    to: 'batch',
    why: `draft ${digest} of ${batch.fileName} accepted${typedText(typed)}${confirmedText(confirmed, typed)}${repeatsText(repeats)}`,
  });

  for (const { row, added } of draftRows(db, id, addNew)) {
    if (row.valid === 0) {
      rows.refuse(row);
      continue;
    }
    if (added !== undefined) {
      rows.keep(row, added);
      counts.added += 1;
      continue;
    }
    if (row.payout === null) continue;
    rows.keep(row, row.payout);
    const payout = journal.read(row.payout);
    if (row.fate === 'replaced' || row.fate === 'new-attempt') {
      const { attempt, reference } = row;
      replace.run(row.position, nowMs, payout.id);
      // Under the same reference, sends that nobody answered still count: a refusal after them proves little.
      const unknownSends = attempt === payout.attempt ? payout.unknownSends : 0;
      const why =
        row.fate === 'replaced' ? 'its row was changed in the file' : 'its row was corrected: a new attempt';
      move({ payout, to: 'planned', why, changes: { ...fromTheStart, attempt, reference, unknownSends } });
      counts.changed += 1;
    } else if (payout.state === 'held' && payout.hold === 'file') {
      const changes = { ...noReason, hold: '' } as const;
      move({ payout, to: 'planned', why: 'its row is in the file again', changes });
      counts.changed += 1;
    }
  }
  noteLimits(db, id, batch.limitPayout, isPart);
  if (!isPart) counts.held = holdGone(db, id, journal, move);
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

/** For the log: the amounts that a person has typed, as it was asked for. */
function typedText(typed: ReadonlyMap<string, Minor>): string {
  const amounts = [...typed].map(([currency, minor]) => formatMoney(minor, currency));
  return amounts.length === 0 ? '' : `, typed at a terminal: ${amounts.join(', ')}`;
}

function repeatsText(repeats: number): string {
  return repeats === 0 ? '' : `, up to ${counted(repeats, 'repeated payment')} let through`;
}

/** For the log: what a person has seen and said, and so what may be sent of it, now or once somebody has released it. */
function confirmedText(bounds: Bounds, typed: ReadonlyMap<string, Minor>): string {
  const parts = [...bounds].flatMap(([currency, { paidMinor, mostMinor }]) => [
    ...(paidMinor === undefined ? [] : [formatMoney(paidMinor, currency)]),
    ...(mostMinor === undefined ? [] : [`at most ${formatMoney(mostMinor, currency)}`]),
  ]);
  if (parts.length === 0) return '';
  const isMore = [...typed].some(([currency, minor]) => (bounds.get(currency)?.paidMinor ?? minor) !== minor);
  const what = isMore ? 'confirmed with what is held or was sent before' : 'confirmed';
  return `, ${what}: ${parts.join(', ')}`;
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

/** In the order of the file, each with its payout where it is a new one. */
function* draftRows(
  db: JournalDatabase,
  batch: number,
  addNew: (rows: readonly DraftRow[]) => Iterator<number>,
): IterableIterator<{ readonly row: DraftRow; readonly added: number | undefined }> {
  const page = db.prepare<[number, number, number], DraftRow>(
    `SELECT position, line, cells, payrun, valid, fate, rows.key, rows.attempt, rows.reference, payouts.id AS payout
     FROM draft.rows AS rows LEFT JOIN payouts ON payouts.batch = ? AND payouts.key = rows.key AND fate <> 'new'
     WHERE position > ? ORDER BY position LIMIT ?`,
  );
  // A page at a time: reading and writing at once is not possible on one connection.
  const read = (after: number) => page.all(batch, after, rowsAtOnce);
  for (const rows of inPages(read, ({ position }) => position)) {
    const added = addNew(rows);
    for (const row of rows) yield { row, added: isNew(row) ? added.next().value : undefined };
  }
}

function isNew({ valid, fate }: DraftRow): boolean {
  return valid === 1 && fate === 'new';
}

/**
 * Payouts of the new rows of a page, in one statement: each statement that copies rows first copies every page of the file
 * that it writes to, so that it could be undone alone.
 */
function prepareNew(
  db: JournalDatabase,
  {
    batch,
    firstSender,
    nowMs,
  }: { readonly batch: number; readonly firstSender: string; readonly nowMs: number },
) {
  const insert = db.prepare<[number, string, number, number, number]>(
    `INSERT INTO payouts (batch, key, attempt, last_attempt, reference, state, accepted_run, accepted_ms, ${copied})
     SELECT ?, key, attempt, attempt, reference, 'planned', ?, ?, ${copied} FROM draft.rows
     WHERE position BETWEEN ? AND ? AND valid = 1 AND fate = 'new' ORDER BY position`,
  );
  const last = db.prepare<[], number | null>('SELECT max(id) FROM payouts').pluck();
  const since = db.prepare<[number], number>('SELECT id FROM payouts WHERE id > ? ORDER BY id').pluck();
  return (rows: readonly DraftRow[]): Iterator<number> => {
    const [from, to] = [rows[0]?.position ?? 0, rows.at(-1)?.position ?? 0];
    const before = last.get() ?? 0;
    insert.run(batch, firstSender, nowMs, from, to);
    const ids = since.all(before);
    assert(ids.length === rows.filter(isNew).length, 'each new row has a payout, and no other');
    return ids.values();
  };
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
  { read }: Pick<Journal, 'read'>,
  move: (move: Move) => Payout,
): number {
  const gone = db
    .prepare<[number], number>(
      `SELECT id FROM payouts WHERE batch = ? AND (state IN ('planned', 'ready') OR (state = 'held' AND hold <> 'file'))
         AND NOT (${isReleasedFromFile})
         AND NOT EXISTS (SELECT 1 FROM draft.rows WHERE draft.rows.key = payouts.key AND draft.rows.valid = 1)`,
    )
    .pluck()
    .all(batch);
  for (const id of gone) {
    const before = read(id);
    const payout =
      before.state === 'held'
        ? move({ payout: before, to: 'planned', why: 'what held it before is asked again' })
        : before;
    // An earlier attempt may have been paid: that the row is gone must not hide it.
    const why = reasonAfter(reason('gone-from-file'), payout.hold === 'repeat' ? payout : noReason);
    move({ payout, to: 'held', why: 'no longer in the file', changes: { hold: 'file', ...why } });
  }
  return gone.length;
}
