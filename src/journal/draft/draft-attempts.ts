import type { JudgedPayout } from '../../domain/payout/shown-transaction.ts';
import { inPages } from '../in-pages.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { sampledColumns } from './draft-sample.ts';

/** A row whose own file says that its payment was tried before, although the journal does not know it. */
export interface LaterAttempt extends JudgedPayout {
  readonly line: number;
  readonly key: string;
  readonly attempt: number;
}

const rowsAtOnce = 200;

type Stored = Omit<LaterAttempt, 'line' | 'attempt'> & {
  readonly position: bigint;
  readonly line: bigint;
  readonly attempt: bigint;
};

/** In the order of the file, a page at a time. */
export function* laterAttempts(db: JournalDatabase): IterableIterator<readonly LaterAttempt[]> {
  const page = db
    .prepare<[number, number], Stored>(
      `SELECT position, line, key, attempt, ${sampledColumns} FROM draft.rows
       WHERE valid = 1 AND to_send = 1 AND fate = 'new' AND attempt > 1 AND position > ? ORDER BY position LIMIT ?`,
    )
    .safeIntegers();
  const read = (after: number) => page.all(after, rowsAtOnce);
  for (const rows of inPages(read, ({ position }) => position)) {
    yield rows.map(({ position: _, ...row }) => ({
      ...row,
      line: Number(row.line),
      attempt: Number(row.attempt),
    }));
  }
}
