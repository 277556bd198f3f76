import {
  type Environment,
  environmentAsBefore,
  environmentKey,
} from '../../domain/environment/environment.ts';
import { debitWallet } from '../../domain/money/debit-wallet.ts';
import { walletName } from '../../domain/money/wallet-name.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import type { Total } from '../draft/draft-queries.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { givenUp } from './payout-columns.ts';

type Group = Pick<Payout, 'country' | 'currency' | 'debitCurrency' | 'debitCountry'> &
  Record<'rows' | 'high' | 'low', bigint>;

/** What the payouts that a condition is true of add up to, by the wallet that they are taken from. */
export function walletTotals(
  db: JournalDatabase,
  condition: string,
  parameters: Readonly<Record<string, string | number>>,
  before = '',
): Total[] {
  const groups = db
    .prepare<unknown[], Group>(
      `SELECT country, currency, debit_currency AS debitCurrency, debit_country AS debitCountry, count(*) AS rows,
         sum(amount / 1000000) AS high, sum(amount % 1000000) AS low
       FROM payouts WHERE ${condition} GROUP BY ${before} 1, 2, 3, 4`,
    )
    .safeIntegers()
    .all(parameters);
  const totals = new Map<string, Total>();
  for (const { rows, high, low, ...group } of groups) {
    const { currency } = group;
    const name = walletName(debitWallet(group));
    const known = totals.get(`${name} ${currency}`);
    totals.set(`${name} ${currency}`, {
      name,
      currency,
      rows: (known?.rows ?? 0) + Number(rows),
      amountMinor: (known?.amountMinor ?? 0n) + high * 1_000_000n + low,
    });
  }
  return [...totals.values()];
}

/** The same of a whole batch, in the order of an index that copies of a shared journal have: of a million nothing is sorted. */
export function batchTotals(db: JournalDatabase, batch: number, condition: string): Total[] {
  return walletTotals(db, `batch = @batch AND ${condition}`, { batch }, 'state, code,');
}

/**
 * What other batches of the environment have accepted and not yet sent: it will be taken from the same money, although
 * the service does not know of it yet.
 */
export function unsentElsewhere(db: JournalDatabase, environment: Environment, exceptBatch: number): Total[] {
  const others = 'SELECT id FROM batches WHERE environment IN (@environment, @before) AND id <> @exceptBatch';
  return walletTotals(db, `state IN ('planned', 'ready') AND batch IN (${others})`, {
    environment: environmentKey(environment),
    before: environmentKey(environmentAsBefore(environment)),
    exceptBatch,
  });
}

const notInDraft = `NOT EXISTS (SELECT 1 FROM draft.rows WHERE draft.rows.key = payouts.key AND draft.rows.valid = 1)`;

/** A person has said that the payout goes out though its row is not in the file any more. */
export const isReleasedFromFile = `' ' || payouts.released || ' ' LIKE '% file %'`;

/**
 * What a run of the draft would send although its rows are not in it: all that waits, beside a part of the batch; beside
 * a whole file, which holds back what it does not have, only what a person has released from that.
 */
export function unsentBesides(db: JournalDatabase, batch: number, isPart: boolean): Total[] {
  const goes = isPart ? '' : ` AND ${isReleasedFromFile}`;
  const waits = `batch = @batch AND state IN ('planned', 'ready')`;
  return walletTotals(db, `${waits} AND ${notInDraft}${goes}`, { batch });
}

/** Sent, and not conclusively failed: what a person gave up while it was pending may still be paid. */
const isSent = `(state IN ('submitting', 'submitted', 'unclear', 'paid') OR ${givenUp()})`;

/** What a batch has sent, by wallet. */
export function sentTotals(db: JournalDatabase, batch: number): Total[] {
  return batchTotals(db, batch, isSent);
}

/** Sent for rows that are not in the draft, and not conclusively failed. */
export function sentBesides(db: JournalDatabase, batch: number): Total[] {
  return walletTotals(db, `batch = @batch AND ${isSent} AND ${notInDraft}`, { batch });
}

/**
 * What waits for a person, or came to nothing, and goes out once it is released or retried: beside what the draft is about
 * to send, and beside all that the draft has.
 */
export function waitingForPerson(
  db: JournalDatabase,
  batch: number,
): { readonly besidesSending: Total[]; readonly besidesFile: Total[] } {
  const waits = `batch = @batch AND NOT ${givenUp()}
    AND (state IN ('failed', 'refused', 'returned') OR (state = 'held' AND hold <> 'file'))`;
  const notSent = `NOT EXISTS (SELECT 1 FROM draft.rows WHERE draft.rows.key = payouts.key AND draft.rows.to_send = 1)`;
  return {
    besidesSending: walletTotals(db, `${waits} AND ${notSent}`, { batch }),
    besidesFile: walletTotals(db, `${waits} AND ${notInDraft}`, { batch }),
  };
}
