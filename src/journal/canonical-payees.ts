import { hash } from 'node:crypto';
import { bankListText } from '../domain/payee/canonical-bank-code.ts';
import { intentionOf, type Payout, payeeOf } from '../domain/payout/payout.ts';
import { canonicalPayeeKey, fingerprintOfKey, payeeKey } from '../domain/reference.ts';
import { inPages } from './in-pages.ts';
import type { JournalDatabase } from './journal-database.ts';
import { putValue, readValue } from './key-values.ts';
import { preparePayouts } from './payouts/payout-columns.ts';

const rowsAtOnce = 1000;

/**
 * Who is who among banks is told by a list of ours that grows: under another list the same codes may be one payee that
 * were two. Payee and fingerprint of every payout follow the present list; key and reference stay what they were, for
 * the service knows the payout by them.
 */
export function canonicalisePayees(db: JournalDatabase): void {
  if (!isCanonical(db)) db.transaction(() => canonicaliseNow(db)).immediate();
}

export function isCanonical(db: JournalDatabase): boolean {
  return readValue(db, factKey) === presentList();
}

/** Inside a write of the journal. */
export function canonicaliseNow(db: JournalDatabase): void {
  canonicalisePayouts(db);
  canonicaliseReleases(db);
  putValue(db, factKey, presentList());
}

const presentList = () => hash('sha256', bankListText, 'hex');

const factKey = 'bank-list';

function canonicalisePayouts(db: JournalDatabase): void {
  const page = preparePayouts(db, `WHERE destination = 'Bank Account' AND id > ? ORDER BY id LIMIT ?`);
  const update = db.prepare<[string, string, number]>(
    'UPDATE payouts SET payee = ?, fingerprint = ? WHERE id = ?',
  );
  const read = (afterId: number) => page(afterId, rowsAtOnce);
  for (const payouts of inPages(read, ({ id }) => id)) {
    for (const payout of payouts) {
      const payee = payeeKey(payeeOf(payout));
      if (payee !== payout.payee && isWhole(payout, payee)) {
        update.run(payee, fingerprintOfKey(payee, intentionOf(payout)), payout.id);
      }
    }
  }
}

/** One that somebody has changed stays as it is: to give it a fingerprint that fits would hide that. */
function isWhole(payout: Payout, payee: string): boolean {
  return (
    canonicalPayeeKey(payout.payee) === payee &&
    payout.fingerprint === fingerprintOfKey(payout.payee, intentionOf(payout))
  );
}

function canonicaliseReleases(db: JournalDatabase): void {
  const payees = db
    .prepare<[], string>(`SELECT DISTINCT payee FROM released_names WHERE payee LIKE '__:bank:%'`)
    .pluck()
    .all();
  for (const payee of payees) {
    const canonical = canonicalPayeeKey(payee);
    if (canonical === payee) continue;
    db.prepare('UPDATE OR IGNORE released_names SET payee = ? WHERE payee = ?').run(canonical, payee);
    db.prepare('DELETE FROM released_names WHERE payee = ?').run(payee);
  }
}
