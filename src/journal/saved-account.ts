import { type Environment, environmentKey } from '../domain/environment/environment.ts';
import { accountRoute, type RoutedPayee } from '../domain/payee/account-route.ts';
import type { JournalDatabase } from './journal-database.ts';

/** What may be changed about an account while it stays its payee's. */
export interface AccountParts {
  readonly operator: string;
  readonly branchCode: string;
}

/** The external account of a payee, with its parts as they were last written or adopted. */
export interface SavedAccount extends AccountParts {
  readonly id: string;
  /** By payrun; somebody else's is not changed where there is another way. */
  readonly isMade: boolean;
  /** What it is about to be changed to, where the service has not answered yet. */
  readonly wanted?: AccountParts | undefined;
}

/** A part that is not shown is as it was told. */
export function orElse(shown: AccountParts, told: AccountParts): AccountParts {
  return { operator: shown.operator || told.operator, branchCode: shown.branchCode || told.branchCode };
}

/** In the order of the SELECT: an object of so few columns takes SQLite longer to make than to find. */
type StoredAccount = readonly [
  id: string,
  made: number,
  operator: string,
  branchCode: string,
  wantedOperator: string | null,
  wantedBranch: string | null,
];

/** The account of a payee in one environment, as far as it is known. Reads alone: a mere plan may ask. */
export function askSavedAccount(
  db: JournalDatabase,
  environment: Environment,
): (who: RoutedPayee) => SavedAccount | undefined {
  const key = environmentKey(environment);
  const account = db
    .prepare<[string, string, string], StoredAccount>(
      `SELECT external_account_id, made, operator, branch_code, wanted_operator, wanted_branch FROM payees
       WHERE environment = ? AND payee = ? AND currency = ?`,
    )
    .raw();
  return (who) => {
    const saved = account.get(key, accountRoute(who), who.currency);
    return saved && fromStore(saved);
  };
}

function fromStore(stored: StoredAccount): SavedAccount {
  const [id, made, operator, branchCode, wantedOperator, wantedBranch] = stored;
  const wanted =
    wantedOperator === null ? undefined : { operator: wantedOperator, branchCode: wantedBranch ?? '' };
  return { id, operator, branchCode, isMade: made === 1, wanted };
}
