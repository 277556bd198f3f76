import type { Environment } from '../../domain/environment/environment.ts';
import type { UserProfile } from '../../service/contract/user.ts';
import { type ListedAccounts, readListedAccounts } from '../payee/listed-accounts.ts';
import { readProfile } from './inspect-service.ts';
import type { AskedService } from './plan-options.ts';
import { serviceDecimals } from './service-decimals.ts';

/** What a plan wants to know of the service whatever is in the file. */
export interface FirstQuestions {
  account(): Promise<{ profile: UserProfile; environment: Environment }>;
  decimals(): Promise<ReadonlyMap<string, number>>;
  accounts(): Promise<ListedAccounts>;
  /** Nobody wants to know any more, whatever became of them. */
  end(): Promise<void>;
}

/** All of them are asked at once. Who waits for the answers in turn tells of the first trouble in turn, too. */
export function askFirst(asked: AskedService): FirstQuestions {
  const { service } = asked;
  const over = new AbortController();
  const account = readProfile(service, asked);
  const decimals = serviceDecimals(service, over.signal);
  const accounts = readListedAccounts(service, undefined, over.signal);
  for (const answer of [account, decimals, accounts]) void answer.catch(() => undefined);
  return {
    account: () => account,
    decimals: () => decimals,
    accounts: () => accounts,
    async end() {
      over.abort();
      const list = await accounts.catch(() => undefined);
      list?.letGo();
    },
  };
}
