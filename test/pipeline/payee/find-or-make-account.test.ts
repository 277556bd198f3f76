import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createJournal } from '../../../src/journal/journal.ts';
import { type ClaimedAccount, type KnownPayees, openKnownPayees } from '../../../src/journal/known-payees.ts';
import { openEmptyJournal } from '../../../src/journal/open-journal.ts';
import { openAccountList } from '../../../src/pipeline/payee/account-list.ts';
import { findOrMakeAccount } from '../../../src/pipeline/payee/find-or-make-account.ts';
import { openListedAccounts } from '../../../src/pipeline/payee/listed-accounts.ts';
import { createBreaker } from '../../../src/pipeline/run/breaker.ts';
import type { RunContext } from '../../../src/pipeline/run/run-context.ts';
import { knownEnvironment } from '../../support/known-environment.ts';
import { seedBatch } from '../../support/seed-journal.ts';

type Who = Parameters<KnownPayees['claimAccount']>[0];

/** One payee whose account another batch has made. `meanwhile` is what that one writes between the look and each claim. */
async function openPayee(
  meanwhile: (payees: KnownPayees, who: Who, claim: ClaimedAccount) => Promise<unknown>,
) {
  const db = openEmptyJournal();
  const { batch, payout } = await seedBatch(db, [{ key: 'E1' }]);
  const known = openKnownPayees(
    db,
    createJournal(db, systemClock, { run: 'r', operator: 'amina' }),
    knownEnvironment('https://pay.example me@example.com'),
  );
  const listed = openListedAccounts();
  const list = openAccountList(listed);
  onTestFinished(() => list.letGo());
  const { country, currency, destination, number, accountName } = payout('E1');
  const payoutMethod = { accountNumber: number, accountName };
  listed.take([{ externalAccountId: 'X1', country, currency, destination, payoutMethod }]);
  listed.end();
  const payees: KnownPayees = {
    ...known,
    async claimAccount(who, claim) {
      await meanwhile(known, who, claim);
      return known.claimAccount(who, claim);
    },
  };
  const context = { payees, memory: { lists: {} }, batch, service: {} } as unknown as RunContext;
  return { find: () => findOrMakeAccount(context, createBreaker(), list)(payout('E1')) };
}

test('an account that another batch writes of in the very moment is taken where both say the same', async () => {
  let times = 0;
  const { find } = await openPayee(async (payees, who, { id, is }) => {
    times += 1;
    if (times === 1) await payees.saveAccount(who, { id, isMade: true, ...is });
  });

  expect(await find()).toEqual({ kind: 'account', id: 'X1' });
  expect(times).toBe(1);
});

test('one that others go on writing of is left to the next round: nobody is said to have changed it', async () => {
  let times = 0;
  const { find } = await openPayee(async (payees, who, { id, batch: claimed, is, believed }) => {
    times += 1;
    if (believed) await payees.forgetAccount(who, claimed);
    else await payees.saveAccount(who, { id: `${id}-${times}`, isMade: true, ...is });
  });

  expect(await find()).toEqual({ kind: 'later' });
  expect(times).toBe(5);
});
