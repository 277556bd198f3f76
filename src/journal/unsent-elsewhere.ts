import { debitWallet } from '../domain/debit-wallet.ts';
import type { Total } from './draft-questions.ts';
import type { JournalDatabase } from './open-journal.ts';

interface Group {
  readonly country: string;
  readonly currency: string;
  readonly debitCurrency: string;
  readonly debitCountry: string;
  readonly rows: bigint;
  readonly high: bigint;
  readonly low: bigint;
}

/**
 * What other batches of the environment have accepted and not yet sent, by wallet: it will be taken from the same
 * money, although the service does not know of it yet.
 */
export function unsentElsewhere(db: JournalDatabase, environment: string, exceptBatch: number): Total[] {
  return db
    .prepare<[string, number], Group>(
      `SELECT country, currency, debit_currency AS debitCurrency, debit_country AS debitCountry, count(*) AS rows,
         sum(amount / 1000000) AS high, sum(amount % 1000000) AS low
       FROM payouts WHERE state IN ('planned', 'ready')
         AND batch IN (SELECT id FROM batches WHERE environment = ? AND id <> ?)
       GROUP BY 1, 2, 3, 4`,
    )
    .safeIntegers()
    .all(environment, exceptBatch)
    .map(({ country, currency, debitCurrency, debitCountry, rows, high, low }) => {
      const wallet = debitWallet({
        country,
        currency,
        debitCurrency: debitCurrency === '' ? undefined : debitCurrency,
        debitCountry: debitCountry === '' ? undefined : debitCountry,
      });
      const name = wallet.country === undefined ? wallet.currency : `${wallet.currency}:${wallet.country}`;
      return { name, currency, rows: Number(rows), amountMinor: high * 1_000_000n + low };
    });
}
