import { expect, test } from 'vitest';
import { frozenWorkers } from '../proof/shared/frozen-workers.ts';

test('workers frozen between an intent and its first byte, with clocks that are wrong, send and write nothing when they wake', async () => {
  const { counts, violations } = await frozenWorkers.run({ seed: 20261121, share: 0.01, say: () => {} });
  expect(violations).toEqual([]);
  expect(counts['workers frozen in the window']).toBe(3);
  expect(counts['workers frozen with the request on its way']).toBe(1);
  expect(counts['workers woken']).toBe(4);
  expect(counts['of them after others had paid what they were about to']).toBeGreaterThan(0);
  expect(counts['workers with a clock an hour off']).toBeGreaterThan(0);
});
