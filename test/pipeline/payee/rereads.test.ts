import { expect, test } from 'vitest';
import type { ListedAccounts } from '../../../src/pipeline/payee/listed-accounts.ts';
import { createRereads } from '../../../src/pipeline/payee/rereads.ts';
import type { Service } from '../../../src/service/client.ts';

/** A service whose list shows, as its only account, how often it was asked for; each answer waits until it is let out. */
function numberedLists() {
  const answers: (() => void)[] = [];
  const service = {
    listExternalAccounts: (_: unknown, { into }: { into: ListedAccounts }) =>
      new Promise((resolve) => {
        const externalAccountId = `list ${answers.length + 1}`;
        answers.push(() => {
          into.begin();
          into.take([{ externalAccountId }]);
          resolve(externalAccountId === 'list 3' ? { kind: 'unknown', cause: 'timeout' } : { kind: 'ok' });
        });
      }),
  } as unknown as Pick<Service, 'listExternalAccounts'>;
  return { service, answers };
}

const shows = (list: ListedAccounts, id: string) => list.byId(id) !== undefined;
const passed = () => new Promise(setImmediate);

test('who asks while the list is read gets the next, and all who ask meanwhile the same', async () => {
  const { service, answers } = numberedLists();
  const worker = { lastList: undefined as ListedAccounts | undefined };
  const rereads = createRereads();
  const ask = () => rereads.next(service, worker);
  const first = [ask(), ask()];
  await passed();
  const second = [ask(), ask(), ask()];
  await passed();
  expect(answers).toHaveLength(1);

  answers[0]?.();
  for (const list of await Promise.all(first)) {
    expect(shows(list, 'list 1')).toBe(true);
    list.letGo();
  }
  await passed();
  expect(answers).toHaveLength(2);
  answers[1]?.();
  const lists = await Promise.all(second);
  worker.lastList?.letGo();
  worker.lastList = undefined;
  for (const list of lists) {
    expect(shows(list, 'list 2')).toBe(true);
    list.letGo();
  }
  expect(() => lists[0]?.byId('a')).toThrow('not open');
});

test('where it cannot be read, those who wait for the next are told so too; later it is asked for again', async () => {
  const { service, answers } = numberedLists();
  answers.push(
    () => {},
    () => {},
  );
  const worker = { lastList: undefined as ListedAccounts | undefined };
  const rereads = createRereads();
  const refused = (list: Promise<ListedAccounts>) => expect(list).rejects.toThrow('could not be read');
  const first = [rereads.next(service, worker), rereads.next(service, worker)].map(refused);
  await passed();
  const second = refused(rereads.next(service, worker));
  answers[2]?.();
  await Promise.all([...first, second]);
  expect(answers).toHaveLength(3);
  const next = rereads.next(service, worker);
  await passed();
  answers[3]?.();
  expect(shows(await next, 'list 4')).toBe(true);
  (await next).letGo();
  worker.lastList?.letGo();
});
