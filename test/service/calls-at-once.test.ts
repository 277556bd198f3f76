import { expect, test } from 'vitest';
import { callsAtOnce } from '../../src/service/calls-at-once.ts';
import type { Service } from '../../src/service/client.ts';

type Answer = (value: unknown) => void;

/** A service whose calls wait until they are answered. */
function waitingService() {
  const calls: { readonly name: string; readonly answer: Answer; readonly fail: Answer }[] = [];
  const call = (name: string) => () =>
    new Promise((answer, fail) => {
      calls.push({ name, answer, fail });
    });
  const service = new Proxy({} as Service, {
    get: (_, name) => call(String(name)),
    ownKeys: () => [],
  });
  return { service, calls, names: () => calls.map(({ name }) => name) };
}

const passed = () => new Promise(setImmediate);
const begunAgo = () => ({ monotonicMs: 0, wallMs: 0 });

test('no more are under way at once than may be; the first who asked is the next', async () => {
  const { service, calls, names } = waitingService();
  const bounded = callsAtOnce(service, 2);
  const asked = [
    bounded.listTransactions({ query: { limit: 1 } }),
    bounded.readExternalAccount({ params: { externalAccountId: 'a' } }),
    bounded.listTransactions({ query: { limit: 2 } }),
    bounded.readExternalAccount({ params: { externalAccountId: 'b' } }),
  ];
  await passed();
  expect(names()).toEqual(['listTransactions', 'readExternalAccount']);
  calls[1]?.answer('second');
  await passed();
  expect(names().slice(2)).toEqual(['listTransactions']);
  calls[0]?.fail(new Error('it broke'));
  await expect(asked[0]).rejects.toThrow('it broke');
  await passed();
  expect(names()).toHaveLength(4);
  calls[2]?.answer('third');
  calls[3]?.answer('fourth');
  expect(await Promise.all(asked.slice(1))).toEqual(['second', 'third', 'fourth']);
});

test('a payout has its place from its turn to its answer: nothing is waited for in between', async () => {
  const { service, calls, names } = waitingService();
  const bounded = callsAtOnce(service, 1);
  const taking = bounded.takeTurn();
  const other = bounded.listTransactions({ query: { limit: 1 } });
  await passed();
  calls[0]?.answer({ kind: 'ok', value: { token: 't' } });
  const turn = await taking;
  await passed();
  expect(names()).toEqual(['takeTurn']);
  if (turn.kind !== 'ok') throw new Error('it has none');
  const paid = bounded.createPayout({ body: {} as never }, { turn: turn.value, begunAgo });
  await passed();
  expect(names()).toEqual(['takeTurn', 'createPayout']);
  calls[1]?.answer('paid');
  expect(await paid).toBe('paid');
  // It has none any more, and cannot give another's away.
  turn.value.giveBack?.();
  await passed();
  expect(names()).toEqual(['takeTurn', 'createPayout', 'listTransactions']);
  const last = bounded.listTransactions({ query: { limit: 2 } });
  await passed();
  expect(names()).toHaveLength(3);
  calls[2]?.answer('listed');
  await other;
  await passed();
  calls[3]?.answer('listed');
  await last;
});

test('a turn that came to nothing, or is not used, leaves its place to the next', async () => {
  const { service, calls, names } = waitingService();
  const bounded = callsAtOnce(service, 1);
  const [none, broken, unused] = [bounded.takeTurn(), bounded.takeTurn(), bounded.takeTurn()];
  const next = bounded.listTransactions({ query: { limit: 1 } });
  await passed();
  calls[0]?.answer({ kind: 'try_later' });
  expect(await none).toEqual({ kind: 'try_later' });
  await passed();
  calls[1]?.fail(new Error('it broke'));
  await expect(broken).rejects.toThrow('it broke');
  await passed();
  calls[2]?.answer({ kind: 'ok', value: { token: 't' } });
  const turn = await unused;
  if (turn.kind !== 'ok') throw new Error('it has none');
  turn.value.giveBack?.();
  await passed();
  expect(names()).toEqual(['takeTurn', 'takeTurn', 'takeTurn', 'listTransactions']);
  calls[3]?.answer('listed');
  await next;
});
