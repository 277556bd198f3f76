import type { Minor } from '../../domain/money/money.ts';
import { inPages } from '../in-pages.ts';
import type { JournalDatabase } from '../journal-database.ts';

/** A row that would be sent, and whose amount is no multiple of what the service can pay. */
export interface FractionRow {
  readonly line: number;
  readonly amountMinor: Minor;
}

const rowsAtOnce = 1000;

/** Rows of one currency with a finer amount than a unit, which are to be sent. What was sent before cannot be changed. */
export function draftFractions(db: JournalDatabase, currency: string, unitMinor: Minor) {
  const finer = 'FROM draft.rows WHERE valid = 1 AND to_send = 1 AND currency = ? AND amount % ? <> 0';
  const page = db
    .prepare<[string, Minor, number, number], { position: bigint; line: bigint; amountMinor: Minor }>(
      `SELECT position, line, amount AS amountMinor ${finer} AND position > ? ORDER BY position LIMIT ?`,
    )
    .safeIntegers();
  return {
    *pages(): IterableIterator<readonly FractionRow[]> {
      const read = (after: number) => page.all(currency, unitMinor, after, rowsAtOnce);
      for (const rows of inPages(read, ({ position }) => position))
        yield rows.map(({ line, amountMinor }) => ({ line: Number(line), amountMinor }));
    },

    /** They cannot be paid as they stand. */
    refuse: (): void =>
      void db
        .prepare<[string, Minor]>(
          `UPDATE draft.rows SET valid = 0, to_send = 0 WHERE position IN (SELECT position ${finer})`,
        )
        .run(currency, unitMinor),
  };
}
