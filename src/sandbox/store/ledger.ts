import { strict as assert } from 'node:assert';
import type { Database } from 'better-sqlite3';
import type { Minor } from '../../domain/money/money.ts';

export interface Books {
  readonly accounts: readonly { name: string; currency: string; balanceMinor: Minor }[];
  readonly transfers: number;
  /** Empty when the books balance. Each finding is a sentence. */
  readonly findings: readonly string[];
}

const mostHeldMinor = 900_000_000_000_000n;

/**
 * The books. Accounts are named `wallet:KES` (or `wallet:XOF:CI`), `in-flight:KES`, `paid-out:KES`, `paid-in:KES`,
 * `exchange:KES` and `outside:KES`; money only ever moves from one to another of the same currency.
 */
export function createLedger(db: Database) {
  const findAccount = db.prepare<[string], { id: number }>('SELECT id FROM ledger_accounts WHERE name = ?');
  const addAccount = db.prepare<[string, string]>(
    'INSERT INTO ledger_accounts (name, currency) VALUES (?, ?)',
  );
  const readBalance = db.prepare<[string], bigint>('SELECT balance FROM ledger_accounts WHERE name = ?');
  readBalance.pluck().safeIntegers();
  const change = db.prepare<[bigint, number]>(
    'UPDATE ledger_accounts SET balance = balance + ? WHERE id = ?',
  );
  const addTransfer = db.prepare<[number, string, string | null, number, number, bigint]>(
    'INSERT INTO transfers (at_ms, kind, transaction_id, from_account, to_account, amount) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const sumHeld = db
    .prepare<[string], bigint | null>(
      `SELECT sum(balance) FROM ledger_accounts WHERE currency = ?
       AND (name LIKE 'wallet:%' OR name LIKE 'in-flight:%' OR name LIKE 'paid-out:%' OR (name LIKE 'exchange:%' AND balance > 0))`,
    )
    .pluck()
    .safeIntegers();
  const accountIds = new Map<string, number>();

  function accountId(name: string): number {
    const known = accountIds.get(name) ?? findAccount.get(name)?.id;
    const id = known ?? Number(addAccount.run(name, currencyOf(name)).lastInsertRowid);
    accountIds.set(name, id);
    return id;
  }

  return {
    balance: (name: string): Minor => readBalance.get(name) ?? 0n,

    /** Keeps every balance short enough to be shown exactly, whatever comes back later. */
    hasRoomFor: (currency: string, amountMinor: Minor): boolean =>
      (sumHeld.get(currency) ?? 0n) + amountMinor <= mostHeldMinor,

    /** The one way money moves. Nothing moves where the amount is nothing. */
    transfer(move: Transfer): void {
      assert(currencyOf(move.from) === currencyOf(move.to), `${move.from} and ${move.to} differ in currency`);
      assert(move.amountMinor >= 0n, 'a transfer is never negative');
      if (move.amountMinor === 0n) return;
      const from = accountId(move.from);
      const to = accountId(move.to);
      addTransfer.run(move.atMs, move.kind, move.transactionId ?? null, from, to, move.amountMinor);
      change.run(-move.amountMinor, from);
      change.run(move.amountMinor, to);
    },

    /** Account ids seen inside a transaction that was rolled back are not there any more. */
    forgetAccounts: () => accountIds.clear(),

    books: (): Books => inspectBooks(db),
  };
}

export type Ledger = ReturnType<typeof createLedger>;

export interface Transfer {
  readonly atMs: number;
  readonly kind: string;
  readonly transactionId?: string;
  readonly from: string;
  readonly to: string;
  readonly amountMinor: Minor;
}

/** `wallet:XOF` and `wallet:XOF:CI`: the second part of an account's name is its currency. */
function currencyOf(name: string): string {
  return name.split(':')[1] ?? '';
}

/**
 * Adds everything up again from the transfers and holds it against the kept balances and the transactions. Of one
 * moment: the service may be at work meanwhile.
 */
export function inspectBooks(db: Database): Books {
  return db.transaction(() => inspect(db))();
}

function inspect(db: Database): Books {
  const accounts = db
    .prepare<[], { name: string; currency: string; balance: bigint; moved: bigint }>(
      `WITH moves AS (
         SELECT to_account AS account, amount FROM transfers
         UNION ALL SELECT from_account, -amount FROM transfers
       ), sums AS (SELECT account, sum(amount) AS moved FROM moves GROUP BY account)
       SELECT name, currency, balance, coalesce(moved, 0) AS moved
       FROM ledger_accounts LEFT JOIN sums ON sums.account = ledger_accounts.id ORDER BY name`,
    )
    .safeIntegers()
    .all();
  const pending = db
    .prepare<[], { currency: string; amount: bigint }>(
      `SELECT sender_currency AS currency, sum(sender_amount) AS amount FROM transactions
       WHERE type = 'withdrew' AND status = 'PENDING' GROUP BY sender_currency`,
    )
    .safeIntegers()
    .all();
  const findings: string[] = [];
  const sums = new Map<string, bigint>();
  for (const account of accounts) {
    sums.set(account.currency, (sums.get(account.currency) ?? 0n) + account.balance);
    if (account.balance !== account.moved) {
      findings.push(`${account.name} shows ${account.balance} but its transfers add up to ${account.moved}`);
    }
    if (account.name.startsWith('wallet:') && account.balance < 0n)
      findings.push(`${account.name} is overdrawn`);
  }
  for (const [currency, sum] of sums) {
    if (sum !== 0n) findings.push(`${currency} accounts add up to ${sum}, not to nothing`);
  }
  const inFlight = new Map(pending.map((each) => [`in-flight:${each.currency}`, each.amount]));
  for (const account of accounts.filter((each) => each.name.startsWith('in-flight:'))) {
    const expected = inFlight.get(account.name) ?? 0n;
    if (account.balance !== expected) {
      findings.push(`${account.name} holds ${account.balance} but pending payouts are ${expected}`);
    }
  }
  const transfers = db.prepare<[], number>('SELECT count(*) FROM transfers').pluck().get() ?? 0;
  return {
    accounts: accounts.map(({ name, currency, balance }) => ({ name, currency, balanceMinor: balance })),
    transfers,
    findings,
  };
}
