import type { JournalDatabase } from './open-journal.ts';

export interface DiffLine {
  readonly line: number | null;
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

export interface DiffGroup {
  readonly count: number;
  readonly first: readonly DiffLine[];
}

/** How this file differs from the batch before it that paid the same people. */
export interface PayRunDiff {
  readonly previousBatch: string;
  readonly previousMs: number;
  readonly joined: DiffGroup;
  readonly left: DiffGroup;
  readonly accountChanged: DiffGroup;
  readonly amountChanged: DiffGroup;
  readonly oneAccount: DiffGroup;
}

const linesShown = 20;
const leastOverlap = 0.5;

/**
 * Compares the draft with the newest other batch that shares at least half of its people. People are the same by
 * their key where both files have paymentIds that recur, else by their name.
 */
export function payRunDiff(
  db: JournalDatabase,
  batchName: string,
  noticePercent: number,
): PayRunDiff | undefined {
  const previous = previousBatch(db, batchName);
  if (!previous) return undefined;
  const same = previous.byKey ? 'payouts.key = rows.key' : 'payouts.folded_name = rows.folded_name';
  const parameters = { batch: previous.id, notice: noticePercent };
  const before = `JOIN payouts ON payouts.batch = @batch AND ${same}`;
  const rows = 'draft.rows AS rows';

  const group = (select: string, from: string): DiffGroup => ({
    count: db.prepare<unknown[], number>(`SELECT count(*) ${from}`).pluck().get(parameters) ?? 0,
    first: db
      .prepare<unknown[], DiffLine>(`SELECT ${select} ${from} ORDER BY 1 LIMIT ${linesShown}`)
      .all(parameters),
  });
  const money = (table: string) => `${table}.currency || ' ' || ${table}.amount`;
  return {
    previousBatch: previous.name,
    previousMs: previous.createdMs,
    joined: group(
      `line, account_name AS name, '' AS before, ${money('rows')} AS after`,
      `FROM ${rows} WHERE valid = 1 AND NOT EXISTS (SELECT 1 FROM payouts WHERE payouts.batch = @batch AND (${same} OR payouts.payee = rows.payee))`,
    ),
    left: group(
      `NULL AS line, account_name AS name, ${money('payouts')} AS before, '' AS after`,
      `FROM payouts WHERE batch = @batch AND NOT EXISTS (SELECT 1 FROM ${rows} WHERE valid = 1 AND (${same} OR payouts.payee = rows.payee))`,
    ),
    accountChanged: group(
      `line, rows.account_name AS name, payouts.number AS before, rows.number AS after`,
      `FROM ${rows} ${before} WHERE valid = 1 AND payouts.payee <> rows.payee AND NOT EXISTS (
         SELECT 1 FROM payouts AS own WHERE own.batch = @batch AND own.folded_name = rows.folded_name AND own.payee = rows.payee)`,
    ),
    amountChanged: group(
      `line, rows.account_name AS name, ${money('payouts')} AS before, ${money('rows')} AS after`,
      `FROM ${rows} ${before} WHERE valid = 1 AND payouts.currency = rows.currency
         AND abs(rows.amount - payouts.amount) * 100.0 > @notice * payouts.amount`,
    ),
    oneAccount: group(
      `line, rows.account_name AS name, payouts.account_name AS before, rows.account_name AS after`,
      `FROM ${rows} JOIN payouts ON payouts.batch = @batch AND payouts.payee = rows.payee
         WHERE valid = 1 AND payouts.folded_name <> rows.folded_name`,
    ),
  };
}

interface Previous {
  readonly id: number;
  readonly name: string;
  readonly createdMs: number;
  readonly byKey: boolean;
}

function previousBatch(db: JournalDatabase, batchName: string): Previous | undefined {
  const candidates = db
    .prepare<[string], { id: number; name: string; createdMs: number }>(
      'SELECT id, name, created_ms AS createdMs FROM batches WHERE name <> ? ORDER BY created_ms DESC, id DESC LIMIT 24',
    )
    .all(batchName);
  const shared = db.prepare<{ batch: number }, { keys: number; names: number; size: number }>(
    `SELECT
       (SELECT count(*) FROM draft.rows AS rows WHERE valid = 1 AND EXISTS (SELECT 1 FROM payouts WHERE payouts.batch = @batch AND payouts.key = rows.key)) AS keys,
       (SELECT count(*) FROM draft.rows AS rows WHERE valid = 1 AND rows.folded_name IN (SELECT folded_name FROM payouts WHERE batch = @batch)) AS names,
       (SELECT count(*) FROM payouts WHERE batch = @batch) AS size`,
  );
  const rows = db.prepare<[], number>('SELECT count(*) FROM draft.rows WHERE valid = 1').pluck().get() ?? 0;
  for (const candidate of candidates) {
    const overlap = shared.get({ batch: candidate.id });
    if (!overlap) continue;
    const smaller = Math.max(1, Math.min(rows, overlap.size));
    const byKey = overlap.keys / smaller >= leastOverlap;
    if (byKey || overlap.names / smaller >= leastOverlap) return { ...candidate, byKey };
  }
  return undefined;
}
