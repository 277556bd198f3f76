import { expect, test } from 'vitest';
import { createBreaker } from '../../../src/pipeline/run/breaker.ts';

/** Lets everybody go on who can. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('as long as nothing went well no more than twelve sends are begun, however many may be under way', async () => {
  const breaker = createBreaker(64);
  let begun = 0;
  const sends = Array.from({ length: 64 }, async () => {
    await breaker.begin();
    begun += 1;
    await settled();
    try {
      breaker.troubled('no answer');
    } finally {
      breaker.ended();
    }
  });
  const ends = await Promise.allSettled(sends);
  expect(begun).toBe(12);
  // All who come to nothing are told why.
  const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  expect(new Set(reasons).size).toBe(1);
  expect(reasons).toHaveLength(64 - 11);
  await expect(breaker.begin()).rejects.toBe(reasons[0]);
});

test('what went well lets all of them go; after that each failure in a row leaves room for one less', async () => {
  const breaker = createBreaker(64);
  let begun = 0;
  const begin = async () => {
    await breaker.begin();
    begun += 1;
  };
  const sends = Array.from({ length: 20 }, begin);
  await settled();
  expect(begun).toBe(12);
  breaker.succeeded();
  breaker.ended();
  await Promise.all(sends);
  expect(begun).toBe(20);
  breaker.refused('E1', 'no');
  const more = begin();
  for (let ended = 0; ended < 8; ended += 1) breaker.ended();
  await settled();
  expect(begun).toBe(20);
  breaker.ended();
  await more;
  expect(begun).toBe(21);
});

test('no more are let through at once than may be sent at once, however many ask: who waits for its place comes to nothing too', async () => {
  const breaker = createBreaker(3);
  let through = 0;
  const asking = Array.from({ length: 8 }, async () => {
    await breaker.begin();
    through += 1;
  });
  await new Promise(setImmediate);
  expect(through).toBe(3);
  breaker.succeeded();
  breaker.ended();
  await new Promise(setImmediate);
  expect(through).toBe(4);
  for (let ended = 0; ended < 7; ended += 1) {
    breaker.ended();
    await new Promise(setImmediate);
  }
  await Promise.all(asking);
  expect(through).toBe(8);
});
