import { expect, test } from 'vitest';
import type { BatchRecord } from '../../src/journal/batch-record.ts';
import { createChunksInHand } from '../../src/library/chunks-in-hand.ts';

const batchOf = (id: number, name: string) => ({ id, name }) as BatchRecord;

test('the rate of a batch is kept, and its name said, until the last chunk of it is let go; no other goes with it', async () => {
  const said: [string, number | undefined][] = [];
  const rates: (number | undefined)[] = [];
  const inHand = createChunksInHand({
    presence: { does: async (what, rate) => void said.push([what, rate]) },
    keepRate: (rate) => void rates.push(rate),
  });
  expect([inHand.goesWith(1), inHand.goesWith(2)]).toEqual([true, true]);
  await inHand.take(batchOf(1, 'november'), [7], 5);
  await inHand.take(batchOf(1, 'november'), [12, 3], 5);
  expect([inHand.goesWith(1), inHand.goesWith(2)]).toEqual([true, false]);
  await inHand.letGo([7]);
  expect(inHand.goesWith(2)).toBe(false);
  await inHand.letGo([12, 3]);
  expect(inHand.goesWith(2)).toBe(true);
  expect(said).toEqual([
    ['batch november, chunk 7', 5],
    ['batch november, chunk 3, chunk 7 and chunk 12', 5],
    ['batch november, chunk 3 and chunk 12', 5],
    ['nothing', undefined],
  ]);
  expect(rates).toEqual([5, 5, 5, undefined]);
});
