import { expect, onTestFinished, test } from 'vitest';
import { accountKey } from '../../../src/pipeline/payee/account-key.ts';
import { type KeptList, readListLately } from '../../../src/pipeline/payee/list-read-lately.ts';
import { type ListedAccounts, openListedAccounts } from '../../../src/pipeline/payee/listed-accounts.ts';
import type { Service } from '../../../src/service/client.ts';
import type { ExternalAccount } from '../../../src/service/contract/external-accounts.ts';

function account(id: string, number: string, accountName = 'Amina Otieno'): ExternalAccount {
  const payoutMethod = { accountName, accountNumber: number, code: '', branchCode: '' };
  return { externalAccountId: id, country: 'KE', currency: 'KES', destination: 'MoMo', payoutMethod };
}

/** A service whose list is read, and how often. */
function listing(...accounts: readonly ExternalAccount[]) {
  let times = 0;
  const service = {
    listExternalAccounts: async (_: unknown, { into }: { into: ListedAccounts }) => {
      times += 1;
      into.begin();
      into.take(accounts);
      return { kind: 'ok' };
    },
  } as unknown as Pick<Service, 'listExternalAccounts'>;
  return { service, times: () => times };
}

function newWorker() {
  const worker = { lastList: undefined, kept: undefined as KeptList | undefined };
  return worker as Parameters<typeof readListLately>[1];
}

test('what was read lately serves the next chunk; what one says or writes stays with it', async () => {
  const { service, times } = listing(account('a', '+254708000001'), account('b', '+254708000002'));
  const worker = newWorker();
  let nowMs = 0;
  const clock = { monotonicMs: () => nowMs };
  const one = await readListLately(service, worker, clock);
  one.write(account('made', '+254708000003'), 'somebody');
  one.set('a', account('a', '+254708000009'));
  one.keepAnswer('who', 'told');
  one.letGo();
  nowMs += 4 * 60_000;
  const other = await readListLately(service, worker, clock);
  expect(times()).toBe(1);
  expect(other.byId('a')?.payoutMethod?.accountNumber).toBe('+254708000001');
  expect(other.byId('made')).toBeUndefined();
  expect([other.writes(), other.answerOf('who'), other.size()]).toEqual([0, undefined, 2]);
  other.letGo();
  nowMs += 2 * 60_000;
  (await readListLately(service, worker, clock)).letGo();
  expect(times()).toBe(2);
  worker.lastList?.letGo();
  worker.kept?.list.letGo();
});

test('what it lacks may have come since; what a later list has stands before it', async () => {
  const { service } = listing(account('a', '+254708000001', 'Amina'));
  const worker = newWorker();
  const list = await readListLately(service, worker, { monotonicMs: () => 0 });
  onTestFinished(() => {
    for (const each of [list, worker.lastList, worker.kept?.list]) each?.letGo();
  });
  expect(list.mayLack).toBe(true);
  const key = accountKey(account('a', '+254708000001'));
  expect(list.byKey(key).map(({ externalAccountId }) => externalAccountId)).toEqual(['a']);
  expect(await worker.lastList?.storedNames('+254708000001', 'KE')).toEqual(['Amina']);
  const later = openListedAccounts();
  onTestFinished(() => later.letGo());
  later.take([account('c', '+254708000001', 'Brian')]);
  await list.addLater(later);
  expect(list.byKey(key).map(({ externalAccountId }) => externalAccountId)).toEqual(['c']);
  expect(list.byId('a')?.payoutMethod?.accountName).toBe('Amina');
});
