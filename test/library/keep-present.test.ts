import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepPresent } from '../../src/library/keep-present.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Each beat takes as long as it is told, by a clock that goes with the timers. */
async function beats(tookMs: readonly number[]): Promise<boolean[]> {
  const startMs = Date.now();
  const mayEnd: boolean[] = [];
  const desk = {
    beat: async (_doing: string, may?: boolean) => {
      mayEnd.push(may === true);
      await new Promise((resolve) => setTimeout(resolve, tookMs[mayEnd.length - 1] ?? 1));
      return 0;
    },
    wanted: async () => new Set<string>(),
    says: async () => undefined,
  };
  const clock = { monotonicMs: () => Date.now() - startMs };
  const presence = keepPresent(
    desk,
    { onWork: () => undefined, clock, ratePerSecond: undefined },
    (error) => {
      throw error;
    },
  );
  void presence.begin();
  while (mayEnd.length < tookMs.length) await vi.advanceTimersByTimeAsync(100);
  presence.end();
  return mayEnd;
}

test('whoever is heard regularly ends those who are not', async () => {
  expect(await beats([1, 1, 1, 1])).toEqual([true, true, true, true]);
});

test('after Postgres stood still nobody ends anybody before all had the time to be seen', async () => {
  expect(await beats([1, 25_000, 1, 1, 1])).toEqual([true, true, false, false, true]);
});

test('a machine that is merely slow ends others all the same', async () => {
  expect(await beats([7_000, 7_000, 7_000])).toEqual([true, true, true]);
});
