import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { numberKeys } from '../../../src/domain/payee/number-keys.ts';
import { accountKey } from '../../../src/pipeline/payee/account-key.ts';
import { openAccountList } from '../../../src/pipeline/payee/account-list.ts';
import {
  type ListedAccounts,
  openListedAccounts,
  readListedAccounts,
} from '../../../src/pipeline/payee/listed-accounts.ts';
import type { ExternalAccount } from '../../../src/service/contract/external-accounts.ts';

/** What the list must answer, said with maps. */
function model(listed: readonly ExternalAccount[]) {
  const byId = new Map<string, ExternalAccount>();
  const byKey = new Map<string, ExternalAccount[]>();
  const names = new Map<string, Set<string>>();
  for (const account of listed) {
    const { externalAccountId: id, country, payoutMethod } = account;
    const before = byId.get(id);
    byId.set(id, before && whereTo(before) !== whereTo(account) ? nobodys(account) : account);
    byKey.set(accountKey(account), [...(byKey.get(accountKey(account)) ?? []), account]);
    for (const key of numberKeys(payoutMethod?.accountNumber ?? '', country ?? ''))
      names.set(key, (names.get(key) ?? new Set()).add(payoutMethod?.accountName ?? ''));
  }
  return { byId, byKey, names };
}

const whereTo = (account: ExternalAccount) =>
  JSON.stringify([accountKey(account), account.payoutMethod?.code, account.payoutMethod?.branchCode]);
const nobodys = (account: ExternalAccount) => ({
  ...account,
  payoutMethod: { ...account.payoutMethod, accountNumber: '' },
});

type Told = Pick<ReturnType<typeof model>, 'byId' | 'byKey'>;

const ids = ['a', 'b', 'c'];
const numbers = ['+254708000001', '0708000001', '254708000002', '123456789', '٠٧٠٨٠٠٠٠٠١', '0708–000 001'];
const account = fc.record({
  externalAccountId: fc.constantFrom(...ids),
  country: fc.constant('KE'),
  currency: fc.constant('KES'),
  destination: fc.constantFrom('MoMo', 'Bank Account'),
  payoutMethod: fc.record({
    accountName: fc.constantFrom('Amina', 'Brian', ''),
    accountNumber: fc.constantFrom(...numbers),
    code: fc.constantFrom('', 'mpesa', '68'),
    branchCode: fc.constantFrom('', '01'),
  }),
});
const keys = ['MoMo', 'Bank Account'].flatMap((destination) =>
  numbers.flatMap((accountNumber) =>
    ['', 'mpesa', '68'].map((code) =>
      accountKey({
        ...{ externalAccountId: '', country: 'KE', currency: 'KES', destination },
        payoutMethod: { accountNumber, code },
      }),
    ),
  ),
);
const accounts = fc.array(account, { maxLength: 4 });
const step = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), id: fc.constantFrom(...ids), account }),
  fc.record({ kind: fc.constant('write' as const), account, holder: fc.constantFrom('one', 'other') }),
  fc.record({ kind: fc.constant('later' as const), accounts }),
);

function openListed(listed: readonly ExternalAccount[]) {
  const list = openListedAccounts();
  onTestFinished(() => list.letGo());
  list.begin();
  list.take(listed.slice(0, 2));
  list.take(listed.slice(2));
  list.end();
  return list;
}

function open(listed: readonly ExternalAccount[]) {
  const list = openAccountList(openListed(listed).hold());
  onTestFinished(() => list.letGo());
  return list;
}

describe('the list of accounts', () => {
  test('answers as maps would, whatever is listed, written, set and listed anew', async () => {
    await fc.assert(
      fc.asyncProperty(accounts, fc.array(step, { maxLength: 6 }), async (listed, steps) => {
        const list = open(listed);
        const first = model(listed);
        const written = new Map<string, string>();
        const told: Told[] = [first];
        for (const each of steps) {
          if (each.kind === 'set') {
            list.set(each.id, each.account);
            told.push({ byId: new Map([[each.id, each.account]]), byKey: new Map() });
          } else if (each.kind === 'write') {
            const { externalAccountId } = each.account;
            list.write(each.account, each.holder);
            told.push({ byId: new Map([[externalAccountId, each.account]]), byKey: new Map() });
            written.set(externalAccountId, each.holder);
          } else {
            await list.addLater(openListed(each.accounts));
            told.push(model(each.accounts));
          }
          for (const id of ids) {
            expect(list.byId(id)).toEqual(told.findLast(({ byId }) => byId.has(id))?.byId.get(id));
            expect(list.aboutId(id).holder).toBe(written.get(id));
          }
          for (const key of keys) {
            const shown = told.findLast(({ byKey }) => byKey.has(key))?.byKey.get(key) ?? [];
            expect(list.byKey(key)).toEqual(shown);
          }
          expect(list.writes() > 0).toBe(written.size > 0);
        }
        const named = openListed(listed);
        for (const number of numbers) {
          const expected = numberKeys(number, 'KE').flatMap((key) => [...(first.names.get(key) ?? [])]);
          expect(await named.storedNames(number, 'KE')).toEqual([...new Set(expected)]);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('begins anew where it is read once more', () => {
    const list = openListedAccounts();
    list.begin();
    list.take([{ externalAccountId: 'a', country: 'KE' }]);
    list.begin();
    list.take([{ externalAccountId: 'b', country: 'KE' }]);
    list.end();
    expect(['a', 'b'].map((id) => list.byId(id)?.country)).toEqual([undefined, 'KE']);
    list.letGo();
  });

  test('keeps nothing in memory that grows with it', () => {
    v8.setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heap = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const list = open([]);
    const before = heap();
    for (let at = 0; at < 50_000; at += 1) {
      const id = `account-${at}`;
      const payoutMethod = { accountName: `Amina ${at}`, accountNumber: `+2547${at}` };
      list.write({ externalAccountId: id, country: 'KE', payoutMethod }, `payee ${at}`);
      list.keepAnswer(`payee ${at}`, id);
    }
    expect(list.byId('account-49999')?.payoutMethod?.accountName).toBe('Amina 49999');
    expect(list.answerOf('payee 7')).toBe('account-7');
    // As maps they would take some twenty megabytes.
    expect(heap() - before).toBeLessThan(3_000_000);
  });

  test('stands still for no long list: others get their turn while names are looked for and a later list is added', async () => {
    const long = openListedAccounts();
    const list = open([]);
    onTestFinished(() => long.letGo());
    long.take(
      Array.from({ length: 3_000 }, (_, at) => ({
        externalAccountId: `account-${at}`,
        country: 'KE',
        payoutMethod: { accountName: `Amina ${at}`, accountNumber: `+2547${10_000_000 + at}` },
      })),
    );
    long.end();
    const turnsDuring = async (work: Promise<unknown>) => {
      let turns = 0;
      let isOver = false;
      const over = work.finally(() => {
        isOver = true;
      });
      for (; !isOver; turns += 1) await new Promise(setImmediate);
      await over;
      return turns;
    };
    expect(await turnsDuring(long.storedNames('0710000007', 'KE'))).toBeGreaterThan(10);
    expect(await long.storedNames('0710000007', 'KE')).toEqual(['Amina 7']);
    expect(await turnsDuring(list.addLater(long))).toBeGreaterThan(10);
    expect(list.byId('account-7')?.payoutMethod?.accountName).toBe('Amina 7');
  });

  test('what was written while a later list is added stands; two that come one after the other are added so', async () => {
    const listed = (accountName: string) =>
      openListed(
        ['a', 'b'].map((externalAccountId) => ({
          externalAccountId,
          country: 'KE',
          payoutMethod: { accountName, accountNumber: externalAccountId },
        })),
      );
    const list = open([]);
    const later = listed('later');
    const adding = [list.addLater(later), list.addLater(listed('last')), list.addLater(later)];
    list.write({ externalAccountId: 'b', country: 'KE', payoutMethod: { accountName: 'written' } }, 'who');
    await Promise.all(adding);
    const nameOf = (id: string) => list.byId(id)?.payoutMethod?.accountName;
    expect([nameOf('a'), nameOf('b'), list.aboutId('b').holder]).toEqual(['last', 'written', 'who']);
  });

  test('is closed only when names that somebody waits for are there, and a list that is being added is', async () => {
    const listed = openListedAccounts();
    listed.take([{ externalAccountId: 'a', country: 'KE', payoutMethod: { accountNumber: '0708000001' } }]);
    listed.end();
    const list = openAccountList(listed.hold());
    const work = [listed.storedNames('0708000001', 'KE'), list.addLater(listed.hold())];
    list.letGo();
    listed.letGo();
    listed.letGo();
    await Promise.all(work);
    expect(() => listed.byId('a')).toThrow('not open');
  });

  test('is closed by the last who lets go of it, and one that is read later takes its place', async () => {
    const service = {
      listExternalAccounts: async () => ({
        kind: 'ok' as const,
        value: { success: true as const, data: [] },
      }),
    };
    const memory: { lastList: ListedAccounts | undefined } = { lastList: undefined };
    const first = await readListedAccounts(service, memory);
    first.letGo();
    expect(first.byId('a')).toBeUndefined();
    const second = await readListedAccounts(service, memory);
    expect(memory.lastList).toBe(second);
    expect(() => first.byId('a')).toThrow('not open');
    second.letGo();
    memory.lastList?.letGo();
    expect(() => second.byId('a')).toThrow('not open');
  });
});
