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

interface StoredAccount extends AccountParts {
  readonly id: string;
  readonly made: number;
  readonly wantedOperator: string | null;
  readonly wantedBranch: string | null;
}

/** The account of a payee in one environment, as far as it is known. Reads alone: a mere plan may ask. */
export function askSavedAccount(
  db: JournalDatabase,
  environment: Environment,
): (who: RoutedPayee) => SavedAccount | undefined {
  const key = environmentKey(environment);
  const account = db.prepare<[string, string, string], StoredAccount>(
    `SELECT external_account_id AS id, made, operator, branch_code AS branchCode, wanted_operator AS wantedOperator,
       wanted_branch AS wantedBranch FROM payees WHERE environment = ? AND payee = ? AND currency = ?`,
  );
  return (who) => {
    const saved = account.get(key, accountRoute(who), who.currency);
    return saved && fromStore(saved);
  };
}

function fromStore({ made, wantedOperator, wantedBranch, ...saved }: StoredAccount): SavedAccount {
  const wanted =
    wantedOperator === null ? undefined : { operator: wantedOperator, branchCode: wantedBranch ?? '' };
  return { ...saved, isMade: made === 1, wanted };
}
