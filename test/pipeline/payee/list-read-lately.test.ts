import { expect, onTestFinished, test } from 'vitest';
import { accountKey } from '../../../src/pipeline/payee/account-key.ts';
import { openAccountList } from '../../../src/pipeline/payee/account-list.ts';
import { type KeptList, listOver, readListLately } from '../../../src/pipeline/payee/list-read-lately.ts';
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
    listExternalAccounts: async (_: unknown, { into }: { into: ReturnType<typeof openAccountList> }) => {
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

test('what it lacks may have come since; what a later list has stands before it', () => {
  const lately = openAccountList();
  lately.take([account('a', '+254708000001', 'Amina')]);
  lately.end();
  const list = listOver(lately);
  onTestFinished(() => list.letGo());
  expect([lately.mayLack, list.mayLack]).toEqual([false, true]);
  const key = accountKey(account('a', '+254708000001'));
  expect(list.byKey(key).map(({ externalAccountId }) => externalAccountId)).toEqual(['a']);
  expect(list.storedNames('+254708000001', 'KE')).toEqual(['Amina']);
  const later = openAccountList();
  onTestFinished(() => later.letGo());
  later.take([account('c', '+254708000001', 'Brian')]);
  list.addLater(later);
  expect(list.byKey(key).map(({ externalAccountId }) => externalAccountId)).toEqual(['c']);
  expect(list.byId('a')?.payoutMethod?.accountName).toBe('Amina');
});
