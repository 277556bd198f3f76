import type { PaymentKey } from '../../domain/reference.ts';
import type { BatchRecord } from '../batch-record.ts';
import type { JournalDatabase } from '../journal-database.ts';

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
export interface PreviousRunDiff {
  readonly previousBatch: string;
  readonly previousMs: number;
  /** Smaller changes of an amount are left out. */
  readonly noticePercent: number;
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
export function previousRunDiff(
  db: JournalDatabase,
  batchName: string,
  keyKind: PaymentKey['kind'],
  noticePercent: number,
): PreviousRunDiff | undefined {
  const previous = previousBatch(db, batchName, keyKind);
  if (!previous) return undefined;
  pairPeople(db, previous);
  const group = <Value>(columns: string, from: string, read: ReadSide<Value>): DiffGroup<Value> => ({
    count: db.prepare<[], number>(`SELECT count(*) ${from}`).pluck().get() ?? 0,
    first: db
      .prepare<[], StoredDiffLine>(`SELECT ${columns} ${from} ORDER BY 1 LIMIT ${linesShown}`)
      .safeIntegers()
      .all()
      .map((stored) => ({
        line: stored.line === null ? undefined : Number(stored.line),
        name: stored.name,
        before: read(stored, 'before'),
        after: read(stored, 'after'),
      })),
  });
  const diff: PreviousRunDiff = {
    previousBatch: previous.name,
    previousMs: previous.createdMs,
    noticePercent,
    joined: group(
      ofRow,
      `${pairs} WHERE pairs.earlier IS NULL AND NOT EXISTS (SELECT 1 FROM draft.earlier WHERE earlier.payee = rows.payee)`,
      amountOf,
    ),
    left: group(
      `earlier.id, NULL AS line, earlier.account_name AS name, ${side('earlier', 'before')}`,
      `FROM draft.earlier AS earlier
       WHERE NOT EXISTS (SELECT 1 FROM draft.rows AS rows WHERE ${previous.byKey ? 'rows.key' : 'rows.folded_name'} = earlier.person)
         AND NOT EXISTS (SELECT 1 FROM draft.rows AS rows WHERE rows.payee = earlier.payee)`,
      amountOf,
    ),
    accountChanged: group(ofBoth, `${pairsBoth} WHERE earlier.payee <> rows.payee`, accountOf),
    amountChanged: group(
      ofBoth,
      `${pairsBoth} WHERE pairs.alone = 1 AND (earlier.currency <> rows.currency
         OR abs(rows.amount - earlier.amount) * 100.0 > ${noticePercent} * earlier.amount)`,
      amountOf,
    ),
    oneAccount: group(
      `${ofRow}, pairs.other_name AS beforeName`,
      `${pairs} WHERE pairs.other_name IS NOT NULL`,
      (stored, of) => stored[`${of}Name`],
    ),
  };
  db.exec('DROP TABLE draft.earlier; DROP TABLE draft.pairs');
  return diff;
}

const pairs = 'FROM draft.pairs AS pairs JOIN draft.rows AS rows ON rows.position = pairs.position';
const pairsBoth = `${pairs} JOIN draft.earlier AS earlier ON earlier.id = pairs.earlier`;
const side = (table: 'rows' | 'earlier', name: Side) =>
  `${table}.account_name AS ${name}Name, ${table}.currency AS ${name}Currency, ${table}.amount AS ${name}Amount,
   ${table}.bank_code AS ${name}Bank, ${table}.number AS ${name}Number`;
const ofRow = `rows.position, rows.line, rows.account_name AS name, ${side('rows', 'after')}`;
const ofBoth = `${ofRow}, ${side('earlier', 'before')}`;

/**
 * Goes through the rows once and finds for each what was paid before. A row goes with the payout of its own account if
 * the person has one; amounts are compared only where the person stands once on either side, or salary would be held
 * against bonus. Each look stops at the first find: a payroll of one name must not take for ever.
 */
function pairPeople(db: JournalDatabase, { id, byKey }: Previous): void {
  const person = byKey ? 'key' : 'folded_name';
  db.exec(`
    CREATE TABLE draft.earlier AS
      SELECT id, ${person} AS person, payee, folded_name, account_name, currency, amount, bank_code, number
      FROM payouts WHERE batch = ${id} AND state <> 'cancelled';
    CREATE UNIQUE INDEX draft.earlier_by_id ON earlier (id);
    CREATE INDEX draft.earlier_by_person ON earlier (person, payee);
    CREATE INDEX draft.earlier_by_payee ON earlier (payee, folded_name);
  `);
  const earlier = (which: string) => `(SELECT earlier.id FROM draft.earlier WHERE ${which} LIMIT 1)`;
  const otherName = (sign: string) =>
    `(SELECT account_name FROM draft.earlier WHERE earlier.payee = rows.payee AND earlier.folded_name ${sign} rows.folded_name LIMIT 1)`;
  const once = (table: string, column: string) =>
    `(SELECT count(*) FROM (SELECT 1 FROM ${table} AS each WHERE each.${column} = rows.${person} LIMIT 2)) = 1`;
  db.exec(`
    CREATE TABLE draft.pairs AS SELECT position,
      coalesce(${earlier(`person = rows.${person} AND earlier.payee = rows.payee`)}, ${earlier(`person = rows.${person}`)}) AS earlier,
      ${once('draft.earlier', 'person')} AND ${once('draft.rows', person)} AS alone,
      iif(EXISTS (SELECT 1 FROM draft.earlier WHERE earlier.payee = rows.payee AND earlier.folded_name = rows.folded_name),
        NULL, coalesce(${otherName('<')}, ${otherName('>')})) AS other_name
    FROM draft.rows AS rows WHERE valid = 1`);
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

interface Previous extends Pick<BatchRecord, 'id' | 'name' | 'createdMs'> {
  readonly byKey: boolean;
}

function previousBatch(
  db: JournalDatabase,
  batchName: string,
  keyKind: PaymentKey['kind'],
): Previous | undefined {
  const candidates = db
    .prepare<[string, string], Pick<BatchRecord, 'id' | 'name' | 'createdMs' | 'keyKind'>>(
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
