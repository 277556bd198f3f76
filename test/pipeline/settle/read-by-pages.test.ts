import { describe, expect, test } from 'vitest';
import type { Payout } from '../../../src/domain/payout/payout.ts';
import type { RunContext } from '../../../src/pipeline/run/run-context.ts';
import { readByPages } from '../../../src/pipeline/settle/read-by-pages.ts';

const mostAtOnce = 40;
const payouts = Array.from({ length: 400 }, (_, place) => ({
  id: place + 1,
  transactionId: `t${place + 1}`,
}));

/** A list of all of them, newest first, that answers whoever has asked by then at the same moment; what it was asked for. */
function listOf(sent: readonly string[], isLate: (from: string | undefined) => boolean = () => false) {
  const newestFirst = sent.toReversed();
  const asked: (string | undefined)[] = [];
  async function listTransactions({ query }: { query: { transactionId?: string; limit: number } }) {
    asked.push(query.transactionId);
    for (let turns = isLate(query.transactionId) ? 500 : 1; turns > 0; turns -= 1)
      await new Promise(setImmediate);
    const after = query.transactionId === undefined ? 0 : newestFirst.indexOf(query.transactionId) + 1;
    const data = newestFirst.slice(after, after + query.limit).map((transactionId) => ({ transactionId }));
    return { kind: 'ok', value: { data } };
  }
  return { asked, listTransactions };
}

async function taken(
  list: ReturnType<typeof listOf>,
  { isStopping = (): boolean => false, concurrency = mostAtOnce } = {},
): Promise<number[]> {
  const ids: number[] = [];
  const context = {
    settings: { concurrency },
    stopping: isStopping,
    service: list,
    payouts: {
      count: () => Promise.resolve(payouts.length),
      page: (_: unknown, afterId: number, size: number) =>
        Promise.resolve(payouts.slice(afterId, afterId + size)),
    },
  };
  await readByPages(context as unknown as RunContext, {
    state: 'submitted',
    take: ({ id }: Payout) => Promise.resolve(void ids.push(id)),
  });
  return ids;
}

const inOrder = payouts.map(({ transactionId }) => transactionId);
const all = payouts.map(({ id }) => id);
const sorted = (ids: readonly number[]) => ids.toSorted((one, other) => one - other);

describe('Reading payouts by pages of the list', () => {
  test('meets each of them once, and asks for hardly more pages than they fill', async () => {
    const list = listOf(inOrder);

    expect(sorted(await taken(list))).toEqual(all);

    // Ten fill a page.
    expect(list.asked.length).toBeLessThanOrEqual(41);
    expect(list.asked.length).toBeGreaterThanOrEqual(40);
  });

  test.each([1, 3, 7, 8, 9, 16, 33])(
    'meets each of them once, and begins with the newest just once, with %i at once',
    async (concurrency) => {
      const list = listOf(inOrder);
      expect(sorted(await taken(list, { concurrency }))).toEqual(all);
      expect(list.asked.filter((from) => from === undefined)).toHaveLength(1);
    },
  );

  test('leaves no call for the end that the others could have made: eight read 400 in five pages each', async () => {
    const list = listOf(inOrder);
    expect(sorted(await taken(list, { concurrency: 8 }))).toEqual(all);
    expect(list.asked).toHaveLength(40);
  });

  test('meets those that came to the service in another order as well', async () => {
    // Each forty in turn, the last of them first.
    const mixed = Array.from({ length: 10 }, (_, part) =>
      inOrder.slice(part * 40, part * 40 + 40).toReversed(),
    );

    const ids = await taken(listOf(mixed.flat()));

    expect(sorted(ids)).toEqual(all);
  });

  test('goes on past those that others have met, also where strangers stand between them', async () => {
    const strangers = (place: number) => [1, 2, 3].map((number) => `s${place}-${number}`);
    const mixed = inOrder.flatMap((transactionId, place) => [transactionId, ...strangers(place)]);
    // Where the lowest stretch begins: all the others have ended by then.
    const list = listOf(mixed, (from) => from === 't81');

    expect(sorted(await taken(list))).toEqual(all);
  });

  test('of one that the list does not show, ends', async () => {
    const list = listOf(inOrder.filter((transactionId) => transactionId !== 't200'));

    expect(sorted(await taken(list))).toEqual(all.filter((id) => id !== 200));

    expect(list.asked.length).toBeLessThan(60);
  });

  test('asks for nothing once the run is to stop', async () => {
    const list = listOf(inOrder);

    expect(await taken(list, { isStopping: () => true })).toEqual([]);

    expect(list.asked).toEqual([]);
  });

  test('a page is asked for while the one before is written down', async () => {
    const list = listOf(inOrder);
    const askedWhenTaken: number[] = [];
    const context = {
      settings: { concurrency: 1 },
      stopping: () => false,
      service: list,
      payouts: {
        count: () => Promise.resolve(20),
        page: (_: unknown, afterId: number, size: number) =>
          Promise.resolve(
            payouts
              .slice(380 + afterId, 380 + afterId + size)
              .map((each) => ({ ...each, id: each.id - 380 })),
          ),
      },
    };

    await readByPages(context as unknown as RunContext, {
      state: 'submitted',
      take: () => Promise.resolve(void askedWhenTaken.push(list.asked.length)),
    });

    expect(askedWhenTaken).toHaveLength(20);
    expect(askedWhenTaken[0]).toBe(2);
  });

  test('what is being written down is waited for, also where the next page cannot be had', async () => {
    const list = listOf(inOrder);
    let writing = 0;
    const context = {
      settings: { concurrency: 1 },
      stopping: () => false,
      service: {
        listTransactions: (request: Parameters<typeof list.listTransactions>[0]) =>
          list.asked.length === 0 ? list.listTransactions(request) : Promise.reject(new Error('no thread')),
      },
      payouts: {
        count: () => Promise.resolve(20),
        page: (_: unknown, afterId: number, size: number) =>
          Promise.resolve(afterId < 20 ? payouts.slice(380, 380 + size) : []),
      },
    };

    const reading = readByPages(context as unknown as RunContext, {
      state: 'submitted',
      take: async () => {
        writing += 1;
        await new Promise(setImmediate);
        writing -= 1;
      },
    });

    await expect(reading).rejects.toThrow('no thread');
    expect(writing).toBe(0);
  });
});
