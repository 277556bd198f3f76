import { expect, onTestFinished, test } from 'vitest';
import { untilLetGo } from '../../../src/pipeline/run/until-let-go.ts';

test('whoever waits is woken once its chunk is to be let go, which only a copy that caught up knows', async () => {
  let [isTold, isKnown] = [false, false];
  const stop = new AbortController();
  const over = untilLetGo(
    stop.signal,
    () => isKnown,
    async () => {
      isKnown = isTold;
    },
  );
  onTestFinished(over.close);
  expect([over.signal.aborted, over.isDue()]).toEqual([false, false]);
  isTold = true;
  await expect.poll(() => over.signal.aborted, { timeout: 30_000 }).toBe(true);
  // It is let go, whatever is said afterwards.
  isKnown = false;
  expect(over.isDue()).toBe(true);
});

test('and when the worker is told to stop, or cannot ask any more', async () => {
  const stop = new AbortController();
  const over = untilLetGo(
    stop.signal,
    () => false,
    () => Promise.reject(new Error('gone')),
  );
  onTestFinished(over.close);
  stop.abort();
  expect([over.signal.aborted, over.isDue()]).toEqual([true, true]);
});
