import { describe, expect, test } from 'vitest';
import { eachOf } from '../../../src/pipeline/run/each-payout.ts';

const turn = () => new Promise(setImmediate);

/** So many items, and what became of them. */
function* counted(count: number, closed: string[]): IterableIterator<number> {
  try {
    for (let item = 1; item <= count; item += 1) yield item;
  } finally {
    closed.push('closed');
  }
}

describe('A pass over many', () => {
  test('has so many under way at once and no more, each of them once and in order', async () => {
    const begun: number[] = [];
    let underWay = 0;
    let most = 0;
    await eachOf({ settings: { concurrency: 3 } }, counted(10, []), async (item) => {
      begun.push(item);
      underWay += 1;
      most = Math.max(most, underWay);
      await turn();
      underWay -= 1;
    });
    expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(most).toBe(3);
  });

  test('begins no more after an error, lets what is under way end, closes the list, and throws the first', async () => {
    const ended: number[] = [];
    const closed: string[] = [];
    const pass = eachOf({ settings: { concurrency: 3 } }, counted(10, closed), async (item) => {
      if (item === 2) throw new Error('the second');
      await turn();
      ended.push(item);
      if (item === 3) throw new Error('the third');
    });
    await expect(pass).rejects.toThrow('the second');
    expect(ended).toEqual([1, 3]);
    expect(closed).toEqual(['closed']);
  });

  test('lets what is under way end where the list cannot be read any further', async () => {
    const ended: number[] = [];
    function* broken(): IterableIterator<number> {
      yield 1;
      throw new Error('unreadable');
    }
    const pass = eachOf({ settings: { concurrency: 3 } }, broken(), async (item) => {
      await turn();
      ended.push(item);
    });
    await expect(pass).rejects.toThrow('unreadable');
    expect(ended).toEqual([1]);
  });

  test('begins no more once it is told to stop', async () => {
    const begun: number[] = [];
    const stopping = () => begun.length >= 4;
    await eachOf({ settings: { concurrency: 2 }, stopping }, counted(10, []), async (item) => {
      begun.push(item);
      await turn();
    });
    expect(begun).toEqual([1, 2, 3, 4]);
  });

  test('ends once all is on disk', async () => {
    const order: string[] = [];
    const writes = { add: async () => undefined, done: async () => void order.push('on disk') };
    await eachOf({ settings: { concurrency: 2 }, writes }, [1], async () => void order.push('step'));
    expect(order).toEqual(['step', 'on disk']);
  });
});
