import type { DebitWallet } from './debit-wallet.ts';

/** How a wallet is called where people and totals speak of it: `KES`, or `USD:KE` where the currency has several. */
export function walletName({ currency, country }: DebitWallet): string {
  return country === undefined ? currency : `${currency}:${country}`;
}
