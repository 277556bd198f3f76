import { hasSeveralWallets } from '../reference-data/countries.ts';
import type { Row } from '../row.ts';

/** The wallet that a payout is taken from; a country only where wallets of that currency exist in several. */
export interface DebitWallet {
  readonly currency: string;
  readonly country: string | undefined;
}

/** The wallet as the service chooses it: the paid currency unless another is named, in the row's country unless another is. */
export function debitWallet(
  row: Pick<Row, 'country' | 'currency' | 'debitCurrency' | 'debitCountry'>,
): DebitWallet {
  const currency = row.debitCurrency ?? row.currency;
  return { currency, country: hasSeveralWallets(currency) ? (row.debitCountry ?? row.country) : undefined };
}

/** The same from what the journal stores, where an empty text stands for nothing. */
export function storedDebitWallet({
  country,
  currency,
  debitCurrency,
  debitCountry,
}: Record<'country' | 'currency' | 'debitCurrency' | 'debitCountry', string>): DebitWallet {
  return debitWallet({
    country,
    currency,
    debitCurrency: debitCurrency || undefined,
    debitCountry: debitCountry || undefined,
  });
}
