import type { Row } from '../row.ts';
import { type DebitWallet, debitWallet } from './debit-wallet.ts';

/** How a wallet is called where people and totals speak of it: `KES`, or `USD:KE` where the currency has several. */
export function walletName({ currency, country }: DebitWallet): string {
  return country === undefined ? currency : `${currency}:${country}`;
}

/** The same from what the journal stores, where an empty text stands for nothing. */
export function storedWalletName(
  stored: Record<'country' | 'currency' | 'debitCurrency' | 'debitCountry', string>,
): string {
  const row: Pick<Row, 'country' | 'currency' | 'debitCurrency' | 'debitCountry'> = {
    country: stored.country,
    currency: stored.currency,
    debitCurrency: stored.debitCurrency || undefined,
    debitCountry: stored.debitCountry || undefined,
  };
  return walletName(debitWallet(row));
}
