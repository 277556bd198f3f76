import type { JournalDatabase } from './open-journal.ts';

/** One account that money is to go to, however many payments it gets. */
export interface DraftPayee {
  readonly seq: number;
  readonly payee: string;
  readonly country: string;
  readonly currency: string;
  readonly destination: 'MoMo' | 'Bank Account';
  readonly number: string;
  readonly bankCode: string;
  readonly operator: string;
}

const payeesAtOnce = 500;

/** The payees of a draft that are to be sent money. */
export function askDraftPayees(db: JournalDatabase) {
  db.exec(`CREATE TABLE IF NOT EXISTS draft.payees AS
    SELECT min(position) AS seq, payee, country, currency, destination, number, bank_code, operator FROM draft.rows
    WHERE valid = 1 AND to_send = 1 GROUP BY payee, currency ORDER BY 1`);
  const page = db.prepare<[number, number], DraftPayee>(
    `SELECT seq, payee, country, currency, destination, number, bank_code AS bankCode, operator FROM draft.payees
     WHERE seq > ? ORDER BY seq LIMIT ?`,
  );
  const names = db
    .prepare<[string, string], string>(
      'SELECT account_name FROM draft.rows WHERE valid = 1 AND to_send = 1 AND payee = ? AND currency = ?',
    )
    .pluck();

  function* pages(): IterableIterator<DraftPayee[]> {
    for (let seq = 0; ; ) {
      const found = page.all(seq, payeesAtOnce);
      const last = found.at(-1);
      if (!last) return;
      yield found;
      seq = last.seq;
    }
  }

  return {
    pages,
    *all(): IterableIterator<DraftPayee> {
      for (const found of pages()) yield* found;
    },
    namesOf: ({ payee, currency }: DraftPayee): string[] => names.all(payee, currency),
  };
}

export type DraftPayees = ReturnType<typeof askDraftPayees>;
