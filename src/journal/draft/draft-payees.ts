import type { Minor } from '../../domain/money/money.ts';
import type { NameEvidence } from '../../domain/names/name-evidence.ts';
import type { RoutedPayee } from '../../domain/payee/account-route.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { inPages } from '../in-pages.ts';
import type { JournalDatabase } from '../journal-database.ts';

/** One account that money is to go to, however many payments it gets; one for each way that its bank's code is written. */
export interface DraftPayee extends RoutedPayee {
  readonly seq: number;
  readonly operator: string;
}

/** With what a person has said of its payout, where the row has one that goes on as it is. */
export interface NamedRow
  extends Pick<
    Payout,
    'accountName' | 'foldedName' | 'amountMinor' | 'released' | 'verdict' | 'resolvedName'
  > {
  readonly line: number;
  /** The limit that its payout was accepted under and keeps; null where there is none. */
  readonly acceptedLimit: Minor | null;
}

const payeesAtOnce = 500;
const goesOn = `payouts.id IS NOT NULL AND fate IN ('carries-on', 'brought-back')`;

/** The payees of a draft that are to be sent money. */
export function askDraftPayees(db: JournalDatabase, batch: number, isPart: boolean) {
  db.exec(`DROP TABLE IF EXISTS draft.payees;
    CREATE TABLE draft.payees (
      seq INTEGER PRIMARY KEY, payee, country, currency, destination, number, bank_code, operator, name);
    INSERT INTO draft.payees (seq, payee, country, currency, destination, number, bank_code, operator)
      SELECT min(position), payee, country, currency, destination, number, bank_code, operator
      FROM draft.rows WHERE valid = 1 AND to_send = 1 GROUP BY payee, currency, bank_code`);
  const page = db
    .prepare<[number, number], StoredPayee>(
      `SELECT seq, payee, country, currency, destination, number, bank_code, operator FROM draft.payees
       WHERE seq > ? ORDER BY seq LIMIT ?`,
    )
    .raw();
  // A whole file states the limits of its rows anew.
  const limit = isPart ? 'limit_amount' : 'NULL';
  const rows = db
    .prepare<[number, string, string, string], StoredRow>(
      // What a person said of a payout goes with the row that it was said of.
      `SELECT line, rows.account_name, rows.folded_name, rows.amount,
         iif(${goesOn}, payouts.released, ''), iif(${goesOn}, payouts.verdict, ''),
         iif(${goesOn}, payouts.resolved_name, ''), ${limit}
       FROM draft.rows AS rows LEFT JOIN payouts ON payouts.batch = ? AND payouts.key = rows.key
         LEFT JOIN payout_limits ON payout_limits.payout = payouts.id
       WHERE valid = 1 AND to_send = 1 AND rows.payee = ? AND rows.currency = ? AND rows.bank_code = ?
       ORDER BY position`,
    )
    .raw()
    .safeIntegers();
  const count = db.prepare<[], number>('SELECT count(*) FROM draft.payees').pluck();
  const keepName = db.prepare<[string, number]>('UPDATE draft.payees SET name = ? WHERE seq = ?');
  /** Each in a transaction of its own would cost more than what is asked of it. */
  const kept = new Map<number, string>();
  const saveKept = db.transaction(() => {
    for (const [seq, evidence] of kept) keepName.run(evidence, seq);
    kept.clear();
  });
  const name = db.prepare<[number], string | null>('SELECT name FROM draft.payees WHERE seq = ?').pluck();

  const pages = (): IterableIterator<readonly DraftPayee[]> =>
    inPages(
      (after) => page.all(after, payeesAtOnce).map(payeeFromStore),
      ({ seq }) => seq,
    );

  return {
    pages,
    *all(): IterableIterator<DraftPayee> {
      for (const found of pages()) yield* found;
    },
    /** The rows that pay one payee, each with the name it gives. */
    rowsOf: ({ payee, currency, bankCode }: DraftPayee): NamedRow[] =>
      rows.all(batch, payee, currency, bankCode).map(rowFromStore),
    count: (): number => count.get() ?? 0,
    /** What the service said, where nothing can be judged by it before all have been asked. */
    keepName: ({ seq }: DraftPayee, evidence: NameEvidence): void => {
      kept.set(seq, JSON.stringify(evidence));
      if (kept.size === payeesAtOnce) saveKept();
    },
    /** Undefined where nothing was kept. */
    nameOf: ({ seq }: DraftPayee): NameEvidence | undefined => {
      if (kept.size > 0) saveKept();
      const evidence = name.get(seq) ?? null;
      return evidence === null ? undefined : (JSON.parse(evidence) as NameEvidence);
    },
  };
}

/** As they come from a SELECT, in its order: SQLite takes longer to make an object than to find what is in it. */
type StoredPayee = readonly [
  seq: number,
  payee: string,
  country: string,
  currency: string,
  destination: DraftPayee['destination'],
  number: string,
  bankCode: string,
  operator: string,
];

type StoredRow = readonly [
  line: bigint,
  accountName: string,
  foldedName: string,
  amountMinor: Minor,
  released: NamedRow['released'],
  verdict: NamedRow['verdict'],
  resolvedName: string,
  acceptedLimit: Minor | null,
];

function payeeFromStore(stored: StoredPayee): DraftPayee {
  const [seq, payee, country, currency, destination, number, bankCode, operator] = stored;
  return { seq, payee, country, currency, destination, number, bankCode, operator };
}

function rowFromStore(stored: StoredRow): NamedRow {
  const [line, accountName, foldedName, amountMinor, released, verdict, resolvedName, acceptedLimit] = stored;
  const row = { accountName, foldedName, amountMinor, released, verdict, resolvedName, acceptedLimit };
  return { line: Number(line), ...row };
}

export type DraftPayees = ReturnType<typeof askDraftPayees>;
