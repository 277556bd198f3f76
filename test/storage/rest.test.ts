import { describe, expect, test } from 'vitest';
import { createRest } from '../../src/storage/rest.ts';

function openRest() {
  let nowMs = 100;
  const slept: number[] = [];
  const rest = createRest({
    monotonicMs: () => nowMs,
    sleep: async (ms) => void slept.push(ms),
  });
  return {
    after(busyMs: number, passedMs: number): number | undefined {
      const isWritten = rest.busy();
      nowMs += busyMs;
      isWritten();
      nowMs += passedMs;
      return rest.over() === undefined ? undefined : slept.pop();
    },
    rest,
  };
}

describe('A disk that was busy is left alone', () => {
  test.each([
    ['four times as long', 2, 0, 8],
    ['for what is left of that', 2, 3, 5],
    ['no longer than somebody would feel', 500, 0, 10],
  ])('%s', (_, busyMs, passedMs, sleptMs) => {
    expect(openRest().after(busyMs, passedMs)).toBe(sleptMs);
  });

  test.each([
    ['where it was not busy', 0, 0],
    ['where the time has passed', 2, 8],
    ['for less than a timer can tell', 0.2, 0],
  ])('not at all %s', (_, busyMs, passedMs) => {
    expect(openRest().after(busyMs, passedMs)).toBeUndefined();
  });

  test('not at all before anything was written', () => {
    expect(openRest().rest.over()).toBeUndefined();
  });
});
