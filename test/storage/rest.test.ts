import { describe, expect, test } from 'vitest';
import { createRest } from '../../src/storage/rest.ts';

function openRest() {
  let nowMs = 100;
  let sleptMs: number | undefined;
  const rest = createRest({
    monotonicMs: () => nowMs,
    sleep: async (ms) => {
      sleptMs = ms;
    },
  });
  /** How long who comes then waits; undefined where it does not. */
  async function waits(): Promise<number | undefined> {
    await new Promise<void>((resolve) => rest.over(resolve));
    return sleptMs;
  }
  return {
    waits,
    after(busyMs: number, passedMs: number): Promise<number | undefined> {
      const isWritten = rest.busy();
      nowMs += busyMs;
      isWritten();
      nowMs += passedMs;
      return waits();
    },
  };
}

describe('A disk that was busy is left alone', () => {
  test.each([
    ['four times as long', 2, 0, 8],
    ['for what is left of that', 2, 3, 5],
    ['no longer than somebody would feel', 500, 0, 10],
  ])('%s', async (_, busyMs, passedMs, sleptMs) => {
    expect(await openRest().after(busyMs, passedMs)).toBe(sleptMs);
  });

  test.each([
    ['where it was not busy', 0, 0],
    ['where the time has passed', 2, 8],
    ['for less than a timer can tell', 0.2, 0],
  ])('not at all %s', async (_, busyMs, passedMs) => {
    expect(await openRest().after(busyMs, passedMs)).toBeUndefined();
  });

  test('not at all before anything was written', async () => {
    expect(await openRest().waits()).toBeUndefined();
  });
});
