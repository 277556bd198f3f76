import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { numberKeys } from '../../../src/domain/payee/number-keys.ts';
import { accountKey } from '../../../src/pipeline/payee/account-key.ts';
import {
  type AccountList,
  openAccountList,
  readAccountList,
} from '../../../src/pipeline/payee/account-list.ts';
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
  return { byId, byKey, names, written: new Map<string, string>() };
}

const whereTo = (account: ExternalAccount) =>
  JSON.stringify([accountKey(account), account.payoutMethod?.code, account.payoutMethod?.branchCode]);
const nobodys = (account: ExternalAccount) => ({
  ...account,
  payoutMethod: { ...account.payoutMethod, accountNumber: '' },
});

const ids = ['a', 'b', 'c'];
const numbers = ['+254708000001', '0708000001', '254708000002', '123456789'];
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
const accounts = fc.array(account, { maxLength: 4 });
const step = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), id: fc.constantFrom(...ids), account }),
  fc.record({ kind: fc.constant('write' as const), account, holder: fc.constantFrom('one', 'other') }),
  fc.record({ kind: fc.constant('later' as const), accounts }),
);

function open(listed: readonly ExternalAccount[]) {
  const list = openAccountList();
  onTestFinished(() => list.letGo());
  list.begin();
  list.take(listed.slice(0, 2));
  list.take(listed.slice(2));
  list.end();
  return list;
}

describe('the list of accounts', () => {
  test('answers as maps would, whatever is listed, written, set and listed anew', () => {
    fc.assert(
      fc.property(accounts, fc.array(step, { maxLength: 6 }), (listed, steps) => {
        const list = open(listed);
        const known = model(listed);
        for (const each of steps) {
          if (each.kind === 'set') {
            list.set(each.id, each.account);
            known.byId.set(each.id, each.account);
          } else if (each.kind === 'write') {
            list.write(each.account, each.holder);
            known.byId.set(each.account.externalAccountId, each.account);
            known.written.set(each.account.externalAccountId, each.holder);
          } else {
            const later = model(each.accounts);
            list.addLater(open(each.accounts));
            for (const [id, one] of later.byId) known.byId.set(id, one);
            for (const [key, several] of later.byKey) known.byKey.set(key, several);
          }
          for (const id of ids) {
            expect(list.byId(id)).toEqual(known.byId.get(id));
            expect(list.writtenFor(id)).toBe(known.written.get(id));
          }
          for (const key of known.byKey.keys()) expect(list.byKey(key)).toEqual(known.byKey.get(key));
          expect(list.writes() > 0).toBe(known.written.size > 0);
        }
        const named = open(listed);
        for (const number of numbers) {
          const expected = numberKeys(number, 'KE').flatMap((key) => [...(known.names.get(key) ?? [])]);
          expect(named.storedNames(number, 'KE')).toEqual([...new Set(expected)]);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('begins anew where it is read once more', () => {
    const list = openAccountList();
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

  test('is closed by the last who lets go of it, and one that is read later takes its place', async () => {
    const service = {
      listExternalAccounts: async () => ({
        kind: 'ok' as const,
        value: { success: true as const, data: [] },
      }),
    };
    const memory: { lastList: AccountList | undefined } = { lastList: undefined };
    const first = await readAccountList(service, memory);
    first.letGo();
    expect(first.byId('a')).toBeUndefined();
    const second = await readAccountList(service, memory);
    expect(memory.lastList).toBe(second);
    expect(() => first.byId('a')).toThrow('not open');
    second.letGo();
    memory.lastList?.letGo();
    expect(() => second.byId('a')).toThrow('not open');
  });
});
