import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { environmentKey } from '../../src/domain/environment/environment.ts';
import { readBatch } from '../../src/journal/batch-record.ts';
import { bindBatch } from '../../src/journal/bind-batch.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { openKnownPayees } from '../../src/journal/known-payees.ts';
import { openLookUpProof } from '../../src/journal/look-up-proof.ts';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';
import { decisionQueries } from '../../src/journal/payouts/decision-queries.ts';
import { payoutQueries } from '../../src/journal/payouts/payout-queries.ts';
import { unsentElsewhere } from '../../src/journal/payouts/wallet-totals.ts';
import { seedBatch } from '../support/seed-journal.ts';

const first = {
  place: 'https://pay.example',
  email: 'a@b.example',
  profileKey: 'pk_1',
  configuredKey: 'pk_1',
};
const second = { ...first, profileKey: 'pk_2', configuredKey: 'pk_2' };
const writer = { run: 'r', operator: 'amina' };

/** One batch that the first account has paid, and another that waits there. */
async function openOffice() {
  const db = openEmptyJournal();
  const { payout } = await seedBatch(db, [
    { key: 'E1', state: 'paid', changes: { transactionId: 'T1', resolvedName: 'M. WANJIKU' } },
    { key: 'E2' },
  ]);
  await seedBatch(db, [{ key: 'E3', number: '+254799999999' }], { name: 'other' });
  db.prepare('UPDATE batches SET environment = ?').run(environmentKey(first));
  const journal = createJournal(db, systemClock, writer);
  const batch = readBatch(db, 'payroll');
  if (!batch) throw new Error('there is no batch');
  const books = (environment: typeof first) => ({
    payees: openKnownPayees(db, journal, environment),
    proofs: openLookUpProof(db, journal, environment),
  });
  const said = {
    answer: { kind: 'name', name: 'M. WANJIKU' },
    before: undefined,
    repeats: 'nothing',
    beyond: '',
    operator: '',
    atMs: 1,
  } as const;
  const saved = (id: string) => ({ id, isMade: true, operator: '', branchCode: '' });
  await books(first).payees.saveAccount(payout('E1'), saved('X1'));
  await books(first).payees.saveAccount({ ...payout('E1'), payee: 'somebody else' }, saved('X9'));
  await books(first).payees.saveName(payout('E1'), 'MoMo KES ', said);
  await books(first).proofs.save({ delayMs: 7 });
  await journal.write(() => decisionQueries(db, batch).rememberNames(payout('E1')));
  const known = (environment: typeof first) => {
    const { payees, proofs } = books(environment);
    const paid = payout('E1');
    const kept = payees.nameOf(paid);
    return {
      account: payees.accountOf(paid)?.id,
      ofOther: payees.accountOf({ ...payout('E1'), payee: 'somebody else' })?.id,
      // One of no age is asked anew.
      name: kept?.atMs ? kept.answer.name : undefined,
      released: payees.isReleased(paid.payee, paid.foldedName, paid.resolvedName),
      delayMs: proofs.read()?.delayMs,
    };
  };
  return { db, journal, batch, payout, known };
}

const nothing = {
  account: undefined,
  ofOther: undefined,
  name: undefined,
  released: false,
  delayMs: undefined,
};

test('what is known of payees with one account is not known with another of the same e-mail', async () => {
  const { db, known } = await openOffice();
  expect(known(first)).toEqual({
    account: 'X1',
    ofOther: 'X9',
    name: 'M. WANJIKU',
    released: true,
    delayMs: 7,
  });
  expect(known(second)).toEqual(nothing);
  expect(unsentElsewhere(db, first, -1)).toMatchObject([{ rows: 2 }]);
  expect(unsentElsewhere(db, second, -1)).toEqual([]);
});

test('a batch that is bound anew takes along what is compared again, and only of its own payees; the log says from what to what', async () => {
  const { db, journal, batch, payout, known } = await openOffice();

  const why = 'rebound: new keys';
  await journal.write(() => bindBatch(db, systemClock, writer, batch, second, { why, keepsProof: false }));

  expect(readBatch(db, 'payroll')?.environment).toEqual(second);
  expect(readBatch(db, 'other')?.environment).toEqual(first);
  expect(known(second)).toEqual({ ...nothing, account: 'X1', released: true });
  expect(known(first).account).toBe('X1');
  const last = db.prepare('SELECT operator, from_state, to_state, why FROM events ORDER BY seq DESC').get();
  expect(last).toEqual({
    operator: 'amina',
    from_state: environmentKey(first),
    to_state: environmentKey(second),
    why,
  });
  // One transaction is never taken for two payouts, whichever of the service's accounts they are of.
  const other = readBatch(db, 'other');
  expect(payoutQueries(db, other?.id ?? 0).transactionTaken('T1', 0)).toBe(true);
  expect(payoutQueries(db, batch.id).transactionTaken('T1', payout('E1').id)).toBe(false);
});
