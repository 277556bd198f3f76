import { expect, onTestFinished, test } from 'vitest';
import { accountKey } from '../../../src/pipeline/payee/account-key.ts';
import { type KeptList, readAnew, readListLately } from '../../../src/pipeline/payee/list-read-lately.ts';
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

function newMemory() {
  const kept: KeptList | undefined = undefined;
  const memory = { lists: { lastList: undefined }, worker: { kept, reading: undefined } };
  return memory as Parameters<typeof readListLately>[1];
}

test('what was read lately serves the next chunk; what one says or writes stays with it', async () => {
  const { service, times } = listing(account('a', '+254708000001'), account('b', '+254708000002'));
  const memory = newMemory();
  let nowMs = 0;
  const clock = { monotonicMs: () => nowMs };
  const one = await readListLately(service, memory, clock);
  one.write(account('made', '+254708000003'), 'somebody');
  one.set('a', account('a', '+254708000009'));
  one.keepAnswer('who', 'told');
  one.letGo();
  nowMs += 4 * 60_000;
  const other = await readListLately(service, memory, clock);
  expect(times()).toBe(1);
  expect(other.byId('a')?.payoutMethod?.accountNumber).toBe('+254708000001');
  expect(other.byId('made')).toBeUndefined();
  expect([other.writes(), other.answerOf('who'), other.size()]).toEqual([0, undefined, 2]);
  other.letGo();
  nowMs += 2 * 60_000;
  (await readListLately(service, memory, clock)).letGo();
  expect(times()).toBe(2);
  memory.lists.lastList?.letGo();
  memory.worker.kept?.list.letGo();
});

test('what it lacks may have come since; what a later list has stands before it', async () => {
  const { service } = listing(account('a', '+254708000001', 'Amina'));
  const memory = newMemory();
  const list = await readListLately(service, memory, { monotonicMs: () => 0 });
  onTestFinished(() => {
    for (const each of [list, memory.lists.lastList, memory.worker.kept?.list]) each?.letGo();
  });
  expect(list.mayLack).toBe(true);
  const key = accountKey(account('a', '+254708000001'));
  expect(list.byKey(key).map(({ externalAccountId }) => externalAccountId)).toEqual(['a']);
  expect(await memory.lists.lastList?.storedNames('+254708000001', 'KE')).toEqual(['Amina']);
  const later = openListedAccounts();
  onTestFinished(() => later.letGo());
  later.take([account('c', '+254708000001', 'Brian')]);
  await list.addLater(later);
  expect(list.byKey(key).map(({ externalAccountId }) => externalAccountId)).toEqual(['c']);
  expect(list.byId('a')?.payoutMethod?.accountName).toBe('Amina');
});

test('chunks that begin at the same time read it once; a list that was begun later stays, whichever ends first', async () => {
  const answers: (() => void)[] = [];
  const service = {
    listExternalAccounts: (_: unknown, { into }: { into: ListedAccounts }) =>
      new Promise((resolve) => {
        const id = `list ${answers.length}`;
        answers.push(() => {
          into.begin();
          into.take([account(id, '+254708000001')]);
          resolve({ kind: 'ok' });
        });
      }),
  } as unknown as Pick<Service, 'listExternalAccounts'>;
  const [memory, other] = [newMemory(), newMemory()];
  let nowMs = 0;
  const clock = { monotonicMs: () => nowMs };
  const beside = { lists: other.lists, worker: memory.worker };
  const both = [readListLately(service, memory, clock), readListLately(service, beside, clock)];
  expect(answers).toHaveLength(1);
  answers[0]?.();
  for (const list of await Promise.all(both)) {
    expect(list.byId('list 0')).toBeDefined();
    list.letGo();
  }
  const early = readAnew(service, memory.worker, clock);
  nowMs += 1;
  const late = readAnew(service, memory.worker, clock);
  answers[2]?.();
  (await late).letGo();
  answers[1]?.();
  (await early).letGo();
  expect(memory.worker.kept?.list.byId('list 2')).toBeDefined();
  for (const each of [memory.lists.lastList, other.lists.lastList, memory.worker.kept?.list]) each?.letGo();
});
