import { describe, expect, test } from 'vitest';
import { askFirst } from '../../../src/pipeline/plan/first-questions.ts';
import type { AskedService } from '../../../src/pipeline/plan/plan-options.ts';
import type { CallOptions } from '../../../src/service/sender.ts';

const down = { kind: 'try_later', reason: 'no-connection', cause: 'refused', sent: false } as const;

/** A service whose answers come when they are given; of lists only the end is told. */
function openService() {
  const asked: string[] = [];
  const give = new Map<string, (answer: unknown) => void>();
  const ask =
    (name: string) =>
    (_request?: unknown, { signal }: CallOptions = {}) =>
      new Promise((resolve) => {
        asked.push(name);
        give.set(name, resolve);
        signal?.addEventListener('abort', () => resolve({ ...down, reason: 'aborted' }));
      });
  const service = {
    readUser: ask('user'),
    listCountries: ask('countries'),
    listExternalAccounts: ask('accounts'),
  };
  const first = askFirst({ service, place: 'https://x', publicKey: 'pk' } as unknown as AskedService);
  return { first, asked, give: (name: string, answer: unknown) => give.get(name)?.(answer) };
}

describe('what a plan asks in any case', () => {
  test('is asked at once', async () => {
    const { first, asked, give } = openService();
    expect(asked).toEqual(['user', 'countries', 'accounts']);
    give('user', { kind: 'ok', value: { email: 'a@example.test' } });
    give('countries', { kind: 'ok', value: { data: [{ currency: { code: 'KES', decimal: '2' } }] } });
    give('accounts', { kind: 'ok', value: { data: [] } });
    expect((await first.account()).environment.email).toBe('a@example.test');
    expect(await first.decimals()).toEqual(new Map([['KES', 2]]));
    expect((await first.accounts()).byId('acc')).toBeUndefined();
    await first.end();
  });

  test('is told of in turn: the account before what failed sooner', async () => {
    const { first, give } = openService();
    give('countries', down);
    give('accounts', down);
    await new Promise(setImmediate);
    give('user', down);
    await expect(first.account()).rejects.toThrow('The service at https://x could not be asked');
    await expect(first.decimals()).rejects.toThrow('The currencies of the service could not be read');
    await first.end();
  });

  test('keeps nobody waiting who does not want to know any more', async () => {
    const { first, give } = openService();
    give('user', down);
    await expect(first.account()).rejects.toThrow();
    let isOver = false;
    void first.end().then(() => {
      isOver = true;
    });
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    expect(isOver).toBe(true);
    await expect(first.accounts()).rejects.toThrow('The external accounts could not be read');
  });
});
