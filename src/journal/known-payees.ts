import { type Environment, environmentKey } from '../domain/environment/environment.ts';
import { accountRoute, type RoutedPayee } from '../domain/payee/account-route.ts';
import type { Journal } from './journal.ts';
import type { JournalDatabase } from './journal-database.ts';
import { askNames, type ResolvedEntry, repeatsInOrder } from './known-names.ts';
import { type AccountParts, askSavedAccount, orElse, type SavedAccount } from './saved-account.ts';

/** Of an account: which one it is at the service, and of which currency. */
export interface Owner {
  readonly route: string;
  readonly currency: string;
}

/** Whether an account may be changed, or taken as it is. */
export type AccountClaim =
  | { readonly kind: 'granted' }
  /** It stands for another payee by now. */
  | { readonly kind: 'of-another' }
  /** Another run is about to change it to something else. */
  | { readonly kind: 'changed' }
  /** Another run has written of it since the caller looked: what was to be done must be thought over. */
  | { readonly kind: 'moved' }
  /** A payout that wants it otherwise may still be sent to it. */
  | { readonly kind: 'in-use'; readonly batch: string };

export interface ClaimedAccount {
  readonly id: string;
  readonly batch: number;
  /** As it is. */
  readonly is: AccountParts;
  /** As it is to be. */
  readonly wanted: AccountParts;
  /** What the journal said of it when the caller looked. */
  readonly believed: SavedAccount | undefined;
}

/** In the order of its columns. */
type StoredAccount = [
  environment: string,
  payee: string,
  currency: string,
  id: string,
  made: number,
  operator: string,
  branchCode: string,
];

/** A payout that may still be sent to an account. */
interface OpenUse extends AccountParts {
  readonly batch: number;
  readonly batchName: string;
  readonly state: string;
}

/** What the journal knows of payees in one environment: their external accounts and the names they resolve to. */
export function openKnownPayees(db: JournalDatabase, journal: Journal, whole: Environment) {
  const environment = environmentKey(whole);
  const accountOf = askSavedAccount(db, whole);
  const openUses = db.prepare<[string, string, string], OpenUse>(
    `SELECT DISTINCT batch, batches.name AS batchName, state, operator, branch_code AS branchCode
     FROM payouts JOIN batches ON batches.id = payouts.batch
     WHERE payee = ? AND currency = ? AND external_account_id = ?
       AND state IN ('planned', 'ready', 'submitting', 'unclear')`,
  );
  const want = db.prepare(
    `UPDATE payees SET wanted_operator = @operator, wanted_branch = @branchCode
     WHERE environment = @environment AND payee = @payee AND currency = @currency`,
  );
  const owner = db
    .prepare<[string, string], readonly [route: string, currency: string]>(
      'SELECT payee, currency FROM payees WHERE environment = ? AND external_account_id = ?',
    )
    .raw();
  const insertAccount = `INSERT INTO payees
    (environment, payee, currency, external_account_id, made, operator, branch_code) VALUES (?, ?, ?, ?, ?, ?, ?)`;
  const saveFirst = db.prepare<StoredAccount>(`${insertAccount} ON CONFLICT DO NOTHING`);
  const saveAccount = db.prepare<StoredAccount>(
    `${insertAccount}
     ON CONFLICT (environment, payee, currency) DO UPDATE SET external_account_id = excluded.external_account_id,
       made = excluded.made, operator = excluded.operator, branch_code = excluded.branch_code,
       wanted_operator = NULL, wanted_branch = NULL`,
  );
  const forget = db.prepare(
    `DELETE FROM payees WHERE environment = @environment AND payee = @route AND currency = @currency
       AND (wanted_operator IS NULL OR NOT EXISTS (SELECT 1 FROM payouts
         WHERE payouts.payee = @payee AND payouts.currency = @currency AND batch <> @batch AND state = 'planned'))`,
  );
  const saveName = db.prepare(
    `INSERT OR REPLACE INTO resolved_names
       (environment, payee, currency, kind, name, at_ms, operator, repeats, before_kind, before_name, rail, beyond)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );

  const ownerOf = (externalAccountId: string): Owner | undefined => {
    const known = owner.get(environment, externalAccountId);
    return known && { route: known[0], currency: known[1] };
  };

  const isAnothers = (id: string, who: RoutedPayee): boolean => {
    const known = ownerOf(id);
    return known !== undefined && (known.route !== accountRoute(who) || known.currency !== who.currency);
  };
  const stored = (who: RoutedPayee, { id, isMade, operator, branchCode }: SavedAccount): StoredAccount => [
    environment,
    accountRoute(who),
    who.currency,
    id,
    Number(isMade),
    operator,
    branchCode,
  ];
  const saveNow = (who: RoutedPayee, account: SavedAccount) => saveAccount.run(...stored(who, account));
  /** False where the payee has an account already, or the account a payee. */
  const isSavedFirst = (who: RoutedPayee, account: SavedAccount) =>
    saveFirst.run(...stored(who, account)).changes === 1;

  return {
    ...askNames(db, whole),
    accountOf,
    ownerOf,
    /**
     * Of an account that was made. Nothing is saved where it stands for another payee by now, or where another batch has
     * claimed it for this one and wants it otherwise: its claim must not be forgotten. What the row leaves open is as the
     * other batch says; what the row says must be what the other knows, or it may have been taken away.
     */
    saveAccount: (who: RoutedPayee, saved: SavedAccount): Promise<'saved' | 'of-another' | 'changed'> =>
      journal.write(() => {
        if (isSavedFirst(who, saved)) return 'saved';
        if (isAnothers(saved.id, who)) return 'of-another';
        const present = accountOf(who);
        const known = present?.id === saved.id ? present : undefined;
        if (known && isOtherwise(known, saved)) return 'changed';
        const { operator, branchCode } = saved;
        // What is wanted just as it was made: that claim ends with its own answer.
        if (known?.wanted && isSame(known.wanted, { operator, branchCode })) return 'saved';
        if (present?.wanted) return 'changed';
        saveNow(who, { ...saved, ...orElse(saved, known ?? saved) });
        return 'saved';
      }),
    /**
     * Asked before an account is changed, or taken otherwise than it was known, and written down in the same step: of
     * two batches at once only one can be told yes, and the other sees before each send what was wanted of it.
     */
    claimAccount: (who: RoutedPayee, claim: ClaimedAccount): Promise<AccountClaim> =>
      journal.write(() => {
        const { id, is, wanted, believed } = claim;
        if (isAnothers(id, who)) return { kind: 'of-another' };
        const present = accountOf(who);
        if (!isSame(present, believed)) return { kind: 'moved' };
        if (present?.id === id && present.wanted && !isSame(present.wanted, wanted))
          return { kind: 'changed' };
        const inTheWay = openUses.all(who.payee, who.currency, id).find((use) => isAgainst(use, claim));
        if (inTheWay) return { kind: 'in-use', batch: inTheWay.batchName };
        const isMade = present?.id === id && present.isMade;
        saveNow(who, { id, isMade, ...is });
        if (!isSame(is, wanted)) {
          const { currency } = who;
          want.run({ environment, payee: accountRoute(who), currency, ...wanted });
        }
        return { kind: 'granted' };
      }),
    /** The service has answered: the account is now as this says. */
    endClaim: (who: RoutedPayee, id: string, parts: AccountParts): Promise<void> =>
      journal.write(() => {
        const present = accountOf(who);
        if (present?.id === id) saveNow(who, { ...present, ...parts });
      }),
    /** Not while another batch is about to change it: what it wants must not be forgotten before its payout is made ready. */
    forgetAccount: (who: RoutedPayee, batch: number): Promise<void> =>
      journal.write(() => {
        const { payee, currency } = who;
        forget.run({ environment, route: accountRoute(who), payee, currency, batch });
      }),

    saveName: (who: RoutedPayee, rail: string, entry: ResolvedEntry): Promise<void> => {
      const { answer, before, operator, atMs } = entry;
      return journal.write(
        () =>
          void saveName.run(
            environment,
            accountRoute(who),
            who.currency,
            answer.kind,
            answer.name,
            atMs,
            operator,
            repeatsInOrder.indexOf(entry.repeats),
            before?.kind ?? '',
            before?.name ?? '',
            rail,
            entry.beyond,
          ),
      );
    },
  };
}

export type KnownPayees = ReturnType<typeof openKnownPayees>;

/** In everything that may be changed. */
function isSame(one: Partial<SavedAccount> | undefined, other: Partial<SavedAccount> | undefined): boolean {
  const text = (account: Partial<SavedAccount> | undefined) =>
    account &&
    JSON.stringify([
      account.id,
      account.isMade,
      account.operator,
      account.branchCode,
      account.wanted?.operator,
      account.wanted?.branchCode,
    ]);
  return text(one) === text(other);
}

/** Whether an account is known otherwise than a row says. What the row leaves open is no difference. */
function isOtherwise(known: AccountParts, row: AccountParts): boolean {
  const isApart = (part: keyof AccountParts) =>
    row[part] !== '' && row[part].toUpperCase() !== known[part].toUpperCase();
  return isApart('operator') || isApart('branchCode');
}

/** Whether the account would not be any more, or is not, what a payout that may still be sent counts on. */
function isAgainst(use: OpenUse, { batch, is, wanted }: ClaimedAccount): boolean {
  // Of the same run, and its name is yet to be asked: what it names none of, it takes as it comes.
  const isYetToBeAsked = use.batch === batch && use.state === 'planned';
  const isPartAgainst = (part: keyof AccountParts) => {
    const [counted, from, to] = [use[part], is[part], wanted[part]].map((text) => text.toUpperCase());
    return counted === '' ? from !== to && !isYetToBeAsked : to !== '' && counted !== to;
  };
  return isPartAgainst('operator') || isPartAgainst('branchCode');
}
