import { strict as assert } from 'node:assert';
import type { Database } from 'better-sqlite3';
import type * as z from 'zod';
import type { listTransactions } from '../../service/contract/transactions.ts';
import { fromDay, toDay } from './day-range.ts';
import type { Ledger, Transfer } from './ledger.ts';
import type { TransactionRecord } from './transaction-record.ts';
import type { WebhookRecords } from './webhook-records.ts';

interface TransactionFilter extends Omit<z.output<typeof listTransactions.query>, 'transactionId'> {
  readonly afterSeq: number | undefined;
  /** Younger ones are not shown yet: look-ups that lag. */
  readonly createdByMs: number;
}

const columns: Record<keyof TransactionRecord, string> = {
  seq: 'seq',
  id: 'id',
  type: 'type',
  status: 'status',
  method: 'method',
  externalReference: 'external_reference',
  country: 'country',
  destination: 'destination',
  currency: 'currency',
  amountMinor: 'amount',
  senderCurrency: 'sender_currency',
  senderMinor: 'sender_amount',
  receiverCurrency: 'receiver_currency',
  receiverMinor: 'receiver_amount',
  wallet: 'wallet',
  bankCode: 'bank_code',
  accountName: 'account_name',
  accountNumber: 'account_number',
  createdMs: 'created_ms',
  changedMs: 'changed_ms',
  stepRequired: 'step_required',
  redirectUrl: 'redirect_url',
  fate: 'fate',
  test: 'test',
};
const written = Object.entries(columns).filter(([field]) => field !== 'seq');
const selected = Object.entries(columns).map(([field, column]) => `${column} AS ${field}`);

type StoredRecord = Record<keyof TransactionRecord, unknown>;

/** What a transaction has before anything happened to it; a route says the rest. */
const fresh = {
  status: 'PENDING',
  bankCode: '',
  accountName: '',
  accountNumber: '',
  stepRequired: null,
  redirectUrl: null,
} as const;

export type NewTransaction = Omit<TransactionRecord, 'seq' | 'changedMs' | keyof typeof fresh> &
  Partial<Omit<Pick<TransactionRecord, keyof typeof fresh>, 'status'>>;

/** Transactions and what their moves do to the books and to the receiver of webhooks. */
export function createTransactions(db: Database, ledger: Ledger, webhooks: WebhookRecords) {
  const insert = db.prepare(
    `INSERT INTO transactions (${written.map(([, column]) => column).join(', ')})
     VALUES (${written.map(([field]) => `@${field}`).join(', ')})`,
  );
  const select = `SELECT ${selected.join(', ')} FROM transactions`;
  const byId = db.prepare<[string], StoredRecord>(`${select} WHERE id = ?`).safeIntegers();
  const byReference = db
    .prepare<[string], StoredRecord>(`${select} WHERE external_reference = ? ORDER BY seq`)
    .safeIntegers();
  const referenceUsed = db
    .prepare<[string], number>('SELECT 1 FROM transactions WHERE external_reference = ? LIMIT 1')
    .pluck();
  const move = db.prepare<[string, number, string]>(
    'UPDATE transactions SET status = ?, changed_ms = ?, step_required = NULL WHERE id = ?',
  );
  const clearStep = db.prepare<[number, string]>(
    'UPDATE transactions SET step_required = NULL, changed_ms = ? WHERE id = ?',
  );
  const accountTaken = db
    .prepare<[string], number>('SELECT 1 FROM virtual_accounts WHERE number = ?')
    .pluck();
  const addAccount = db.prepare<[string, string, number]>(
    'INSERT INTO virtual_accounts (number, transaction_id, expires_ms) VALUES (?, ?, ?)',
  );
  const byAccount = db
    .prepare<[string], string>('SELECT transaction_id FROM virtual_accounts WHERE number = ?')
    .pluck();
  const everything = db.prepare<[], StoredRecord>(`${select} ORDER BY seq`).safeIntegers();

  function find(id: string): TransactionRecord | undefined {
    const record = byId.get(id);
    return record && fromStore(record);
  }

  function change(record: TransactionRecord, status: TransactionRecord['status'], atMs: number): void {
    move.run(status, atMs, record.id);
    webhooks.record('transaction_updated', { ...record, status }, atMs);
  }

  /** A payout's money leaves the wallet in the same breath as the payout is taken in. */
  function add(begun: NewTransaction): void {
    const record = { ...fresh, ...begun, changedMs: begun.createdMs };
    insert.run({ ...record, test: record.test ? 1 : 0 });
    if (record.type === 'withdrew') {
      const { id: transactionId, createdMs: atMs, wallet: from, senderMinor: amountMinor } = record;
      const to = `in-flight:${record.senderCurrency}`;
      ledger.transfer({ atMs, kind: 'payout accepted', transactionId, from, to, amountMinor });
    }
    webhooks.record('transaction_created', record, record.createdMs);
  }

  return {
    find,
    referenceUsed: (reference: string): boolean => referenceUsed.get(reference) !== undefined,
    findByReference: (reference: string): TransactionRecord[] => byReference.all(reference).map(fromStore),
    all: (): TransactionRecord[] => everything.all().map(fromStore),

    list(filter: TransactionFilter): TransactionRecord[] {
      const conditions: [string, unknown][] = [
        ['currency = ?', filter.currency || undefined],
        ['type = ?', filter.type || undefined],
        ['external_reference = ?', filter.externalReference],
        ['status = ?', filter.status?.toUpperCase()],
        [fromDay, filter.startDate],
        [toDay, filter.endDate],
        ['seq < ?', filter.afterSeq],
        ['created_ms <= ?', filter.createdByMs],
      ];
      const asked = conditions.filter(([, value]) => value !== undefined);
      return db
        .prepare<unknown[], StoredRecord>(
          `${select} WHERE ${asked.map(([sql]) => sql).join(' AND ')} ORDER BY seq DESC LIMIT ?`,
        )
        .safeIntegers()
        .all(...asked.map(([, value]) => value), filter.limit)
        .map(fromStore);
    },

    findByVirtualAccount: (number: string): TransactionRecord | undefined =>
      find(byAccount.get(number) ?? ''),

    /** A charge that waits for a transfer to an account of its own. */
    openVirtualAccount(record: NewTransaction, newNumber: () => string, expiresMs: number): string {
      let number = newNumber();
      while (accountTaken.get(number) !== undefined) number = newNumber();
      add({ ...record, accountNumber: number });
      addAccount.run(number, record.id, expiresMs);
      return number;
    },

    add,

    clearStep: (id: string, atMs: number) => void clearStep.run(atMs, id),

    succeed(id: string, atMs: number): void {
      const record = find(id);
      if (record?.status !== 'PENDING') return;
      if (record.type === 'deposit' && !ledger.hasRoomFor(record.receiverCurrency, record.receiverMinor)) {
        change(record, 'FAILED', atMs);
        return;
      }
      for (const each of stepsOf(record)) ledger.transfer({ ...each, atMs });
      change(record, 'SUCCESSFUL', atMs);
    },

    fail(id: string, atMs: number): void {
      const record = find(id);
      if (record?.status !== 'PENDING') return;
      if (record.type === 'withdrew') {
        const { wallet: to, senderMinor: amountMinor } = record;
        const from = `in-flight:${record.senderCurrency}`;
        ledger.transfer({ atMs, kind: 'payout failed', transactionId: id, from, to, amountMinor });
      }
      change(record, 'FAILED', atMs);
    },

    /** A paid payout comes back: what success did is undone, in the wallet's own currency. */
    giveBack(id: string, atMs: number): void {
      const record = find(id);
      if (record?.status !== 'SUCCESSFUL') return;
      assert(record.type === 'withdrew', 'only a payout is returned');
      for (const each of stepsOf(record).reverse()) {
        const to = each.from.startsWith('in-flight:') ? record.wallet : each.from;
        ledger.transfer({ ...each, kind: 'payout returned', from: each.to, to, atMs });
      }
      change(record, 'FAILED', atMs);
    },
  };
}

export type Transactions = ReturnType<typeof createTransactions>;

/** From one end to the other, over the exchange where the currencies differ. */
function stepsOf(record: TransactionRecord): Omit<Transfer, 'atMs'>[] {
  const { id, type, wallet, senderCurrency, senderMinor, receiverCurrency, receiverMinor } = record;
  const [kind, from, to] =
    type === 'withdrew'
      ? ['payout paid', `in-flight:${senderCurrency}`, `paid-out:${receiverCurrency}`]
      : ['charge paid', `paid-in:${senderCurrency}`, wallet];
  const step = { kind, transactionId: id };
  if (senderCurrency === receiverCurrency) return [{ ...step, from, to, amountMinor: senderMinor }];
  return [
    { ...step, from, to: `exchange:${senderCurrency}`, amountMinor: senderMinor },
    { ...step, from: `exchange:${receiverCurrency}`, to, amountMinor: receiverMinor },
  ];
}

/** Money stays whole; times and counters become ordinary numbers. */
function fromStore(stored: StoredRecord): TransactionRecord {
  return {
    ...stored,
    seq: Number(stored.seq),
    createdMs: Number(stored.createdMs),
    changedMs: Number(stored.changedMs),
    test: stored.test === 1n,
  } as TransactionRecord;
}
