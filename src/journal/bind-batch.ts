import type { Clock } from '../clock.ts';
import { type Environment, environmentKey } from '../domain/environment/environment.ts';
import { eventChain } from './event-chain.ts';
import type { Writer } from './journal.ts';
import type { JournalDatabase } from './journal-database.ts';
import { proofKey } from './look-up-proof.ts';
import { routeOfPayout } from './payouts/payout-columns.ts';

/**
 * Inside a write of the journal: from now on the batch belongs to another environment, and the log says who said so,
 * when, why, from what and to what. What is known of its payees goes with it, for every run compares their accounts
 * with the service's list, and a released pair of names counts only beside a name that is asked anew. Resolved names
 * are asked anew, beside what was said before the accounts stood there; the proof of look-ups begins anew, unless the
 * account has shown a payout of the batch just now.
 */
export function bindBatch(
  db: JournalDatabase,
  clock: Clock,
  writer: Writer,
  batch: { readonly id: number; readonly environment: Environment },
  environment: Environment,
  { why, keepsProof }: { readonly why: string; readonly keepsProof: boolean },
): void {
  const from = environmentKey(batch.environment);
  const to = environmentKey(environment);
  const known = { batch: batch.id, from, to };
  db.prepare('UPDATE batches SET environment = @to WHERE id = @batch AND environment = @from').run(known);
  db.prepare(
    `INSERT OR IGNORE INTO payees (environment, payee, currency, external_account_id, made, operator, branch_code)
     SELECT @to, payee, currency, external_account_id, made, operator, branch_code FROM payees
     WHERE environment = @from AND EXISTS (SELECT 1 FROM payouts
       WHERE payouts.batch = @batch AND ${routeOfPayout} = payees.payee AND payouts.currency = payees.currency)`,
  ).run(known);
  db.prepare(
    `INSERT OR IGNORE INTO resolved_names
       (environment, payee, currency, kind, name, at_ms, operator, repeats, before_kind, before_name)
     SELECT @to, payee, currency, kind, name, 0, operator, repeats, before_kind, before_name FROM resolved_names
     WHERE environment = @from AND EXISTS (SELECT 1 FROM payouts
       WHERE payouts.batch = @batch AND ${routeOfPayout} = resolved_names.payee
         AND payouts.currency = resolved_names.currency)`,
  ).run(known);
  // Those that were asked before the yes know nothing of what was said earlier.
  db.prepare(
    `UPDATE resolved_names SET (before_kind, before_name) = (
       SELECT earlier.before_kind, earlier.before_name FROM resolved_names AS earlier WHERE earlier.environment = @from
         AND earlier.payee = resolved_names.payee AND earlier.currency = resolved_names.currency)
     WHERE environment = @to AND before_kind = '' AND EXISTS (
       SELECT 1 FROM resolved_names AS earlier WHERE earlier.environment = @from
         AND earlier.payee = resolved_names.payee AND earlier.currency = resolved_names.currency)`,
  ).run({ from, to });
  db.prepare(
    `INSERT OR IGNORE INTO released_names (environment, payee, expected, resolved)
     SELECT @to, payee, expected, resolved FROM released_names
     WHERE environment = @from AND payee IN (SELECT payee FROM payouts WHERE batch = @batch)`,
  ).run(known);
  if (keepsProof) {
    db.prepare('INSERT OR IGNORE INTO facts (key, value) SELECT ?, value FROM facts WHERE key = ?').run(
      proofKey(environment),
      proofKey(batch.environment),
    );
  }
  eventChain(db).append({ atMs: clock.nowMs(), batch: batch.id, ...writer, from, to, why });
}
