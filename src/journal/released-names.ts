import { createHash } from 'node:crypto';
import { maskNumber } from '../domain/money/format-money.ts';
import { eventChain } from './event-chain.ts';
import type { Writer } from './journal.ts';
import type { JournalDatabase } from './journal-database.ts';

/** A pair of names that a person released: not held again for that payee. */
export interface RememberedNames {
  /** A short text by which it is told from others; it gives no number away. */
  readonly id: string;
  readonly payee: string;
  /** As it is compared: folded, its words in order. */
  readonly expected: string;
  /** As the newest file had it; as it is compared, where no payment has it any more. */
  readonly name: string;
  /** As the service says it. */
  readonly resolved: string;
  /** The newest payment with this pair, where there is one. */
  readonly batch: number | null;
  readonly batchName: string | null;
  readonly payment: string | null;
}

/** Pairs that count in several environments are one: whoever forgets it forgets it everywhere. */
export function rememberedNames(db: JournalDatabase): RememberedNames[] {
  return db
    .prepare<[], Omit<RememberedNames, 'id'>>(
      `SELECT pairs.payee, expected, resolved, payouts.batch, batches.name AS batchName, payouts.key AS payment,
         coalesce(payouts.account_name, expected) AS name
       FROM (SELECT DISTINCT payee, expected, resolved FROM released_names) AS pairs
       LEFT JOIN payouts ON payouts.id = (SELECT max(id) FROM payouts AS own WHERE own.payee = pairs.payee
         AND own.folded_name = pairs.expected AND own.resolved_name = pairs.resolved)
       LEFT JOIN batches ON batches.id = payouts.batch ORDER BY expected, pairs.payee, resolved`,
    )
    .all()
    .map((pair) => ({ ...pair, id: idOf(pair) }));
}

/** Inside a write of the journal. The log of the newest batch that had the pair says who forgot it, and why. */
export function forgetNames(
  db: JournalDatabase,
  writer: Writer,
  { payee, expected, name, resolved, batch }: RememberedNames,
  { atMs, because }: { readonly atMs: number; readonly because: string },
): void {
  db.prepare<[string, string, string]>(
    'DELETE FROM released_names WHERE payee = ? AND expected = ? AND resolved = ?',
  ).run(payee, expected, resolved);
  const why = `forgotten that "${name}" is "${resolved}" at ${maskNumber(payee)}: ${because}`;
  eventChain(db).append({ atMs, batch: batch ?? 0, ...writer, from: 'remembered', to: 'forgotten', why });
}

function idOf({
  payee,
  expected,
  resolved,
}: Pick<RememberedNames, 'payee' | 'expected' | 'resolved'>): string {
  return createHash('sha256')
    .update(JSON.stringify([payee, expected, resolved]))
    .digest('hex')
    .slice(0, 10);
}
