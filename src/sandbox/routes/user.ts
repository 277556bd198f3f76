import { jsonNumberFromMinor } from '../../domain/money/money.ts';
import { currencies, hasSeveralWallets } from '../../domain/reference-data/countries.ts';
import { answer } from '../http/reply.ts';
import { type Route, type World, walletName } from '../http/route.ts';

export const readUser: Route<'readUser'> = (world) =>
  answer({ ...world.settings.profile(), publicKey: world.settings.publicKey, ...wallets(world) });

function wallets(world: World): Record<string, unknown> {
  return Object.fromEntries(
    currencies.map(({ code, decimals, walletCountries }) => {
      const scopes = walletCountries.map((country) => ({
        country,
        balanceMinor: world.ledger.balance(walletName(code, country)),
      }));
      const total = scopes.reduce((sum, scope) => sum + scope.balanceMinor, 0n);
      const balance = jsonNumberFromMinor(total, decimals);
      if (!hasSeveralWallets(code)) return [`${code}Wallet`, { balance }];
      const shown = scopes.map((scope) => ({
        country: scope.country,
        balance: jsonNumberFromMinor(scope.balanceMinor, decimals),
      }));
      return [`${code}Wallet`, { balance, scopes: shown }];
    }),
  );
}
