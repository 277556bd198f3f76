import { accountHolder } from '../../domain/payee/account-route.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import type { AccountList } from './account-list.ts';
import type { FoundAccount } from './found-account.ts';

/** The first of its payouts asks for a payee, and the others are told the same. What was said does not stay in memory. */
export function oncePerPayee(
  list: Pick<AccountList, 'answerOf' | 'keepAnswer'>,
  find: (payout: Payout) => Promise<FoundAccount>,
) {
  const underWay = new Map<string, Promise<FoundAccount>>();
  async function ask(who: string, payout: Payout): Promise<FoundAccount> {
    const found = await find(payout);
    list.keepAnswer(who, JSON.stringify(found));
    underWay.delete(who);
    return found;
  }
  return async (payout: Payout): Promise<FoundAccount> => {
    const who = accountHolder(payout);
    const told = list.answerOf(who);
    if (told !== undefined) return JSON.parse(told) as FoundAccount;
    const asked = underWay.get(who) ?? ask(who, payout);
    underWay.set(who, asked);
    return asked;
  };
}
