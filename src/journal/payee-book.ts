import type { Clock } from '../clock.ts';
import { accountRoute } from '../domain/account-route.ts';
import { type Environment, environmentKey } from '../domain/environment.ts';
import type { Payout } from '../domain/payout.ts';
import type { Journal } from './journal.ts';
import type { JournalDatabase } from './open-journal.ts';
import { askReleasedNames } from './released-names.ts';

export interface ResolvedEntry {
  readonly kind: 'name' | 'no-account' | 'unsupported';
  readonly name: string;
  readonly atMs: number;
}

type Who = Pick<Payout, 'payee' | 'currency' | 'destination' | 'country' | 'bankCode' | 'number'>;

/** Of an account: which one it is at the service, and of which currency. */
interface Owner {
  readonly route: string;
  readonly currency: string;
}

/** What the journal knows of payees in one environment: their external accounts and the names they resolve to. */
export function openPayeeBook(db: JournalDatabase, journal: Journal, clock: Clock, whole: Environment) {
  const environment = environmentKey(whole);
  const account = db
    .prepare<[string, string, string], string>(
      'SELECT external_account_id FROM payees WHERE environment = ? AND payee = ? AND currency = ?',
    )
    .pluck();
  const owner = db.prepare<[string, string], Owner>(
    'SELECT payee AS route, currency FROM payees WHERE environment = ? AND external_account_id = ?',
  );
  const saveAccount = db.prepare<[string, string, string, string]>(
    `INSERT INTO payees (environment, payee, currency, external_account_id) VALUES (?, ?, ?, ?)
     ON CONFLICT (environment, payee, currency) DO UPDATE SET external_account_id = excluded.external_account_id`,
  );
  const forget = db.prepare<[string, string, string]>(
    'DELETE FROM payees WHERE environment = ? AND payee = ? AND currency = ?',
  );
  const name = db.prepare<[string, string, string], ResolvedEntry>(
    'SELECT kind, name, at_ms AS atMs FROM resolved_names WHERE environment = ? AND payee = ? AND currency = ?',
  );
  const saveName = db.prepare<[string, string, string, string, string, number]>(
    `INSERT INTO resolved_names (environment, payee, currency, kind, name, at_ms) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (environment, payee, currency) DO UPDATE SET kind = excluded.kind, name = excluded.name, at_ms = excluded.at_ms`,
  );

  return {
    accountOf: (who: Who): string | undefined => account.get(environment, accountRoute(who), who.currency),
    ownerOf: (externalAccountId: string): Owner | undefined => owner.get(environment, externalAccountId),
    /** False, and nothing saved, where the account stands for another payee by now. */
    saveAccount: (who: Who, externalAccountId: string): Promise<boolean> =>
      journal.write(() => {
        const route = accountRoute(who);
        const known = owner.get(environment, externalAccountId);
        if (known && (known.route !== route || known.currency !== who.currency)) return false;
        saveAccount.run(environment, route, who.currency, externalAccountId);
        return true;
      }),
    forgetAccount: (who: Who): Promise<void> =>
      journal.write(() => void forget.run(environment, accountRoute(who), who.currency)),

    nameOf: (who: Who): ResolvedEntry | undefined => name.get(environment, accountRoute(who), who.currency),
    saveName: (who: Who, kind: ResolvedEntry['kind'], resolved: string): Promise<void> =>
      journal.write(
        () => void saveName.run(environment, accountRoute(who), who.currency, kind, resolved, clock.nowMs()),
      ),

    isReleased: askReleasedNames(db, whole),
  };
}

export type PayeeBook = ReturnType<typeof openPayeeBook>;
