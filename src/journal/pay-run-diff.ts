import type { PaymentKey } from '../domain/reference.ts';
import type { JournalDatabase } from './open-journal.ts';

/** One person of a difference. What `before` and `after` hold depends on the group. */
export interface DiffLine<Value> {
  readonly line: number | undefined;
  readonly name: string;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

export interface DiffGroup<Value> {
  readonly count: number;
  readonly first: readonly DiffLine<Value>[];
}

export interface DiffAmount {
  readonly currency: string;
  readonly amountMinor: bigint;
}

export interface DiffAccount {
  /** Empty for mobile money. */
  readonly bankCode: string;
  readonly number: string;
}

/** How this file differs from the batch before it that paid the same people. */
export interface PayRunDiff {
  readonly previousBatch: string;
  readonly previousMs: number;
  readonly joined: DiffGroup<DiffAmount>;
  readonly left: DiffGroup<DiffAmount>;
  readonly accountChanged: DiffGroup<DiffAccount>;
  readonly amountChanged: DiffGroup<DiffAmount>;
  /** People paid to an account that was another's: `before` is whose. */
  readonly oneAccount: DiffGroup<string>;
}

const linesShown = 20;
const leastOverlap = 0.5;
const batchesLookedAt = 24;
const rowsLookedAt = 2000;

/**
 * Compares the draft with the newest other batch that shares at least half of its people. People are the same by
 * their paymentId where ids recur from batch to batch, else by their name.
 */
export function payRunDiff(
  db: JournalDatabase,
  batchName: string,
  keyKind: PaymentKey['kind'],
  noticePercent: number,
): PayRunDiff | undefined {
  const previous = previousBatch(db, batchName, keyKind);
  if (!previous) return undefined;
  const parameters = { batch: previous.id, notice: noticePercent };
  const same = previous.byKey ? 'payouts.key = rows.key' : 'payouts.folded_name = rows.folded_name';
  const known = `payouts.batch = @batch AND payouts.state <> 'cancelled'`;
  const draft = 'FROM draft.rows AS rows';
  /** Where one name has several accounts, a row goes with the payout of its own account if there is one. */
  const pair = `${known} AND ${same} AND (payouts.payee = rows.payee OR NOT EXISTS (
    SELECT 1 FROM payouts AS own WHERE own.batch = @batch AND own.payee = rows.payee AND own.folded_name = rows.folded_name))`;

  function group<Value>(columns: string, from: string, read: ReadSide<Value>): DiffGroup<Value> {
    const count = db
      .prepare<unknown[], number>(`SELECT count(DISTINCT person) FROM (SELECT ${columns} ${from})`)
      .pluck()
      .get(parameters);
    const first = db
      .prepare<unknown[], StoredDiffLine>(`SELECT ${columns} ${from} ORDER BY person LIMIT ${linesShown}`)
      .safeIntegers()
      .all(parameters);
    return {
      count: count ?? 0,
      first: first.map((stored) => ({
        line: stored.line === null ? undefined : Number(stored.line),
        name: stored.name,
        before: read(stored, 'before'),
        after: read(stored, 'after'),
      })),
    };
  }
  const side = (table: 'rows' | 'payouts', name: Side) =>
    `${table}.account_name AS ${name}Name, ${table}.currency AS ${name}Currency, ${table}.amount AS ${name}Amount,
     ${table}.bank_code AS ${name}Bank, ${table}.number AS ${name}Number`;
  const ofRow = `rows.position AS person, rows.line, rows.account_name AS name, ${side('rows', 'after')}`;
  const both = `${ofRow}, ${side('payouts', 'before')}`;

  return {
    previousBatch: previous.name,
    previousMs: previous.createdMs,
    joined: group(
      ofRow,
      `${draft} WHERE valid = 1 AND NOT EXISTS (SELECT 1 FROM payouts WHERE ${known} AND (${same} OR payouts.payee = rows.payee))`,
      amountOf,
    ),
    left: group(
      `payouts.id AS person, NULL AS line, payouts.account_name AS name, ${side('payouts', 'before')}`,
      `FROM payouts WHERE ${known} AND NOT EXISTS (SELECT 1 ${draft} WHERE ${same} OR payouts.payee = rows.payee)`,
      amountOf,
    ),
    accountChanged: group(
      both,
      `${draft} JOIN payouts ON ${pair} WHERE valid = 1 AND payouts.payee <> rows.payee`,
      accountOf,
    ),
    amountChanged: group(
      both,
      `${draft} JOIN payouts ON ${pair} WHERE valid = 1 AND (payouts.currency <> rows.currency
         OR abs(rows.amount - payouts.amount) * 100.0 > @notice * payouts.amount)`,
      amountOf,
    ),
    oneAccount: group(
      both,
      `${draft} JOIN payouts ON ${known} AND payouts.payee = rows.payee
         WHERE valid = 1 AND payouts.folded_name <> rows.folded_name`,
      (stored, of) => stored[`${of}Name`],
    ),
  };
}

type Side = 'before' | 'after';
type ReadSide<Value> = (stored: StoredDiffLine, side: Side) => Value | undefined;

type StoredDiffLine = { readonly line: bigint | null; readonly name: string } & {
  readonly [Column in `${Side}${'Name' | 'Currency' | 'Bank' | 'Number'}`]?: string;
} & { readonly [Column in `${Side}Amount`]?: bigint };

function amountOf(stored: StoredDiffLine, side: Side): DiffAmount | undefined {
  const currency = stored[`${side}Currency`];
  const amountMinor = stored[`${side}Amount`];
  return currency === undefined || amountMinor === undefined ? undefined : { currency, amountMinor };
}

function accountOf(stored: StoredDiffLine, side: Side): DiffAccount {
  return { bankCode: stored[`${side}Bank`] ?? '', number: stored[`${side}Number`] ?? '' };
}

interface Previous {
  readonly id: number;
  readonly name: string;
  readonly createdMs: number;
  readonly byKey: boolean;
}

function previousBatch(
  db: JournalDatabase,
  batchName: string,
  keyKind: PaymentKey['kind'],
): Previous | undefined {
  const candidates = db
    .prepare<[string, string], { id: number; name: string; createdMs: number; keyKind: string }>(
      `SELECT id, name, created_ms AS createdMs, key_kind AS keyKind FROM batches
       WHERE name <> ? AND created_ms <= coalesce((SELECT created_ms FROM batches WHERE name = ?), 1e15)
       ORDER BY created_ms DESC, id DESC LIMIT ${batchesLookedAt}`,
    )
    .all(batchName, batchName);
  // A part of a large file is enough to tell whose payroll it is.
  const sample = `(SELECT key, folded_name FROM draft.rows WHERE valid = 1 ORDER BY position LIMIT ${rowsLookedAt})`;
  const shared = db.prepare<{ batch: number }, { rows: number; keys: number; names: number; size: number }>(
    `SELECT (SELECT count(*) FROM ${sample}) AS rows,
       (SELECT count(*) FROM ${sample} AS rows WHERE EXISTS (
          SELECT 1 FROM payouts WHERE payouts.batch = @batch AND payouts.key = rows.key)) AS keys,
       (SELECT count(*) FROM ${sample} AS rows WHERE EXISTS (
          SELECT 1 FROM payouts WHERE payouts.batch = @batch AND payouts.folded_name = rows.folded_name)) AS names,
       (SELECT count(*) FROM payouts WHERE batch = @batch) AS size`,
  );
  for (const candidate of candidates) {
    const overlap = shared.get({ batch: candidate.id });
    if (!overlap) continue;
    const smaller = Math.max(1, Math.min(overlap.rows, overlap.size));
    // Where the key is the account, the same key cannot show that somebody's account has changed.
    const hasIds = keyKind === 'paymentId' && candidate.keyKind === 'paymentId';
    const byKey = hasIds && overlap.keys / smaller >= leastOverlap;
    if (byKey || overlap.names / smaller >= leastOverlap) return { ...candidate, byKey };
  }
  return undefined;
}
