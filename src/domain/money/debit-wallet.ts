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
  // What the journal stores has an empty text for nothing.
  const currency = row.debitCurrency || row.currency;
  return { currency, country: hasSeveralWallets(currency) ? row.debitCountry || row.country : undefined };
}
