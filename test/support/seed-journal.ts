import { type Clock, systemClock } from '../../src/clock.ts';
import { debitWallet } from '../../src/domain/money/debit-wallet.ts';
import { type Payout, payeeOf } from '../../src/domain/payout/payout.ts';
import type { PayoutState } from '../../src/domain/payout/payout-state.ts';
import { fingerprintOf, payeeKey, referenceOf } from '../../src/domain/reference.ts';
import { type BatchRecord, readBatch } from '../../src/journal/batch-record.ts';
import { eventChain } from '../../src/journal/event-chain.ts';
import { createJournal, type PayoutChanges } from '../../src/journal/journal.ts';
import type { JournalDatabase } from '../../src/journal/journal-database.ts';
import { storedEnvironment } from './known-environment.ts';
import { statePaths } from './state-paths.ts';

/** A payout as a test wants it; everything else is like Mary Wanjiku's mobile money. */
export interface SeededPayout {
  readonly key: string;
  readonly state?: PayoutState;
  readonly number?: string;
  readonly accountName?: string;
  readonly amountMinor?: bigint;
  readonly attempt?: number;
  /** Taken out of the file since. */
  readonly absent?: boolean;
  /** What the last move to its state brought. */
  readonly changes?: PayoutChanges;
}

export interface SeedOptions {
  readonly name?: string;
  readonly environment?: string;
  readonly keyKind?: BatchRecord['keyKind'];
  readonly resultsPath?: string;
  readonly clock?: Clock;
  readonly acceptedMs?: number;
}

/** A batch in the journal, its payouts led to their states through the journal's own moves. */
export async function seedBatch(
  db: JournalDatabase,
  payouts: readonly SeededPayout[],
  options: SeedOptions = {},
): Promise<{ batch: BatchRecord; payout: (key: string) => Payout }> {
  const { name = 'payroll', clock = systemClock, keyKind = 'paymentId' } = options;
  const acceptedMs = options.acceptedMs ?? clock.nowMs();
  const journal = createJournal(db, clock, { run: 'seeding', operator: 'a test' });
  const ids = new Map<string, number>();
  const batchId = await journal.write(() => {
    const id = addBatch(db, name, keyKind, options, acceptedMs);
    const event = { atMs: acceptedMs, batch: id, payout: undefined, from: '', to: 'batch', why: 'accepted' };
    eventChain(db).append({ ...event, ...journal.writer });
    for (const [index, seeded] of payouts.entries()) {
      ids.set(seeded.key, addPayout(db, id, name, keyKind, index + 1, seeded, acceptedMs));
    }
    return id;
  });
  for (const { key, state = 'planned', changes = {} } of payouts) {
    const path = statePaths[state];
    for (const [index, to] of path.entries()) {
      const payout = journal.read(ids.get(key) ?? 0);
      const sent = to === 'submitting' ? { everSent: true } : {};
      const last = index === path.length - 1 ? changes : {};
      await journal.move({ payout, to, why: 'seeded', changes: { ...sent, ...last } });
    }
    if (path.length === 0 && Object.keys(changes).length > 0) {
      await journal.note(journal.read(ids.get(key) ?? 0), changes);
    }
  }
  const batch = readBatch(db, name);
  if (!batch || batch.id !== batchId) throw new Error('the batch was not seeded');
  return { batch, payout: (key) => journal.read(ids.get(key) ?? 0) };
}

function addBatch(
  db: JournalDatabase,
  name: string,
  keyKind: BatchRecord['keyKind'],
  { environment = 'sandbox payroll@example.com', resultsPath = '/nowhere/results.csv' }: SeedOptions,
  acceptedMs: number,
): number {
  const columns = JSON.stringify([
    ['id', 'paymentId'],
    ['name', 'accountName'],
    ['amount', 'amount'],
  ]);
  return Number(
    db
      .prepare(
        `INSERT INTO batches (name, pattern, environment, key_kind, created_ms, file_name, file_digest, results_path,
           columns, delimiter, policy) VALUES (?, ?, ?, ?, ?, 'payroll.csv', '', ?, ?, ',', '{}')`,
      )
      .run(name, name, storedEnvironment(environment), keyKind, acceptedMs, resultsPath, columns)
      .lastInsertRowid,
  );
}

function addPayout(
  db: JournalDatabase,
  batch: number,
  name: string,
  keyKind: BatchRecord['keyKind'],
  position: number,
  seeded: SeededPayout,
  acceptedMs: number,
): number {
  const { key, attempt = 1, amountMinor = 150_000n, accountName = 'Mary Wanjiku' } = seeded;
  const number = seeded.number ?? `+2547${String(position).padStart(8, '0')}`;
  const plain = { country: 'KE', destination: 'MoMo', number, bankCode: '', operator: '', branchCode: '' };
  const payee = payeeOf(plain as Payout);
  const wallet = debitWallet({
    country: 'KE',
    currency: 'KES',
    debitCurrency: undefined,
    debitCountry: undefined,
  });
  const fingerprint = fingerprintOf({ payee, amountMinor, currency: 'KES', debitWallet: wallet });
  const id = Number(
    db
      .prepare(
        `INSERT INTO payouts (batch, key, attempt, last_attempt, reference, state, fingerprint, payee, account_name, folded_name,
           country, currency, amount, destination, number, bank_code, operator, branch_code, debit_currency,
           debit_country, narration, accepted_run, accepted_ms)
         VALUES (?, ?, ?, ?, ?, 'planned', ?, ?, ?, ?, 'KE', 'KES', ?, 'MoMo', ?, '', '', '', '', '', '', 'seeding', ?)`,
      )
      .run(
        batch,
        key,
        attempt,
        attempt,
        referenceOf(name, keyKind, key, attempt),
        fingerprint,
        payeeKey(payee),
        accountName,
        accountName.toLowerCase(),
        amountMinor,
        number,
        acceptedMs,
      ).lastInsertRowid,
  );
  const cells = JSON.stringify([key, accountName, String(amountMinor / 100n)]);
  db.prepare(
    'INSERT INTO batch_rows (batch, position, line, cells, payout, present) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(batch, position, position + 1, cells, id, seeded.absent ? 0 : 1);
  return id;
}
