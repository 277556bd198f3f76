import { accountRoute } from '../domain/account-route.ts';
import { type Environment, environmentKey } from '../domain/environment.ts';
import type { Payout } from '../domain/payout.ts';
import type { Journal } from './journal.ts';
import { askNames, type ResolvedEntry, repeatsInOrder } from './name-book.ts';
import type { JournalDatabase } from './open-journal.ts';

type Who = Pick<Payout, 'payee' | 'currency' | 'destination' | 'country' | 'bankCode' | 'number'>;

/** Of an account: which one it is at the service, and of which currency. */
interface Owner {
  readonly route: string;
  readonly currency: string;
}

/** The external account of a payee. */
export interface SavedAccount {
  readonly id: string;
  /** By payrun; somebody else's is not changed where there is another way. */
  readonly isMade: boolean;
  /** As it was last written or adopted. */
  readonly operator: string;
  readonly branchCode: string;
}

/** What the journal knows of payees in one environment: their external accounts and the names they resolve to. */
export function openPayeeBook(db: JournalDatabase, journal: Journal, whole: Environment) {
  const environment = environmentKey(whole);
  const account = db.prepare<[string, string, string], Omit<SavedAccount, 'isMade'> & { made: number }>(
    `SELECT external_account_id AS id, made, operator, branch_code AS branchCode FROM payees
     WHERE environment = ? AND payee = ? AND currency = ?`,
  );
  const owner = db.prepare<[string, string], Owner>(
    'SELECT payee AS route, currency FROM payees WHERE environment = ? AND external_account_id = ?',
  );
  const saveAccount = db.prepare(
    `INSERT INTO payees (environment, payee, currency, external_account_id, made, operator, branch_code)
     VALUES (@environment, @payee, @currency, @id, @made, @operator, @branchCode)
     ON CONFLICT (environment, payee, currency) DO UPDATE SET external_account_id = excluded.external_account_id,
       made = excluded.made, operator = excluded.operator, branch_code = excluded.branch_code`,
  );
  const forget = db.prepare<[string, string, string]>(
    'DELETE FROM payees WHERE environment = ? AND payee = ? AND currency = ?',
  );
  const saveName = db.prepare(
    `INSERT OR REPLACE INTO resolved_names
       (environment, payee, currency, kind, name, at_ms, operator, repeats, before_kind, before_name, rail, beyond)
     VALUES (@environment, @payee, @currency, @kind, @name, @atMs, @operator, @repeats, @beforeKind, @beforeName, @rail,
       @beyond)`,
  );

  return {
    ...askNames(db, whole),
    accountOf: (who: Who): SavedAccount | undefined => {
      const saved = account.get(environment, accountRoute(who), who.currency);
      return saved && { ...saved, isMade: saved.made === 1 };
    },
    ownerOf: (externalAccountId: string): Owner | undefined => owner.get(environment, externalAccountId),
    /** False, and nothing saved, where the account stands for another payee by now. */
    saveAccount: (who: Who, { id, isMade, operator, branchCode }: SavedAccount): Promise<boolean> =>
      journal.write(() => {
        const { currency } = who;
        const route = accountRoute(who);
        const known = owner.get(environment, id);
        if (known && (known.route !== route || known.currency !== currency)) return false;
        const made = Number(isMade);
        saveAccount.run({ environment, payee: route, currency, id, made, operator, branchCode });
        return true;
      }),
    forgetAccount: (who: Who): Promise<void> =>
      journal.write(() => void forget.run(environment, accountRoute(who), who.currency)),

    saveName: (who: Who, rail: string, entry: ResolvedEntry): Promise<void> => {
      const { answer, before, operator, atMs } = entry;
      return journal.write(
        () =>
          void saveName.run({
            environment,
            payee: accountRoute(who),
            currency: who.currency,
            ...answer,
            atMs,
            operator,
            repeats: repeatsInOrder.indexOf(entry.repeats),
            beforeKind: before?.kind ?? '',
            beforeName: before?.name ?? '',
            rail,
            beyond: entry.beyond,
          }),
      );
    },
  };
}

export type PayeeBook = ReturnType<typeof openPayeeBook>;
