import { describe, expect, test } from 'vitest';
import { createPace } from '../../src/service/pace.ts';

interface Bucket {
  readonly perSecond: number;
  /** How many it holds: so many may come at once. */
  readonly holds: number;
  readonly callers: number;
  readonly latencyMs: number;
  /** Which ones are drawn of one call in fifty that is answered 429 whatever is left. */
  readonly drawnBy?: number;
}

/** Of all that the service could serve, how much it did; and of all answers, how many were 429. */
interface Shares {
  readonly useful: number;
  readonly tooMany: number;
}

/** Callers that never rest, against a service with so many tokens a second, in time that only passes by sleeping. */
async function callFor(
  { perSecond, holds, callers, latencyMs, drawnBy }: Bucket,
  forMs = 40_000,
): Promise<Shares> {
  let nowMs = 0;
  const due = new Map<number, (() => void)[]>();
  const sleep = (durationMs: number) =>
    new Promise<void>((resolve) => {
      const atMs = nowMs + Math.max(1, Math.ceil(durationMs));
      due.set(atMs, [...(due.get(atMs) ?? []), resolve]);
    });
  const pace = createPace(undefined, { nowMs: () => nowMs, monotonicMs: () => nowMs, sleep });
  let tokens = holds;
  let servedAtMs = 0;
  let served = 0;
  let refused = 0;

  let drawn = drawnBy ?? 0;
  function isStray(): boolean {
    drawn = (Math.imul(drawn, 1_664_525) + 1_013_904_223) >>> 0;
    return drawnBy !== undefined && drawn / 2 ** 32 < 0.02;
  }

  function takeToken(): boolean {
    tokens = Math.min(holds, tokens + ((nowMs - servedAtMs) / 1000) * perSecond);
    servedAtMs = nowMs;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  }
  async function call(): Promise<void> {
    while (nowMs < forMs) {
      await pace.turn();
      const startedMs = nowMs;
      const isServed = !isStray() && takeToken();
      await sleep(latencyMs);
      if (isServed) pace.wentWell(startedMs);
      else pace.tooMany(startedMs, undefined);
      served += Number(isServed);
      refused += Number(!isServed);
    }
  }

  for (let caller = 0; caller < callers; caller++) void call();
  for (; nowMs < forMs; nowMs++) {
    for (const wake of due.get(nowMs) ?? []) wake();
    due.delete(nowMs);
    await new Promise(setImmediate);
  }
  return {
    useful: served / ((perSecond * forMs) / 1000 + holds),
    tooMany: refused / (served + refused),
  };
}

describe('a service that counts calls', () => {
  test.each<Bucket>([
    { perSecond: 50, holds: 50, callers: 32, latencyMs: 1 },
    { perSecond: 500, holds: 500, callers: 32, latencyMs: 1 },
    { perSecond: 500, holds: 500, callers: 32, latencyMs: 50 },
    { perSecond: 50, holds: 50, callers: 8, latencyMs: 50 },
  ])(
    'is asked for nearly all that it gives: $perSecond a second, $callers callers, $latencyMs ms',
    async (bucket) => {
      expect((await callFor(bucket)).useful).toBeGreaterThan(0.95);
    },
  );

  test.each<Bucket>([
    { perSecond: 2, holds: 2, callers: 8, latencyMs: 50 },
    { perSecond: 5, holds: 5, callers: 8, latencyMs: 50 },
    { perSecond: 10, holds: 10, callers: 8, latencyMs: 50 },
  ])('and gives little says 429 to few: $perSecond a second', async (bucket) => {
    const { useful, tooMany } = await callFor(bucket, 300_000);
    expect(useful).toBeGreaterThan(0.93);
    expect(tooMany).toBeLessThan(0.1);
  });

  test.each<Bucket>([
    { perSecond: 10, holds: 10, callers: 8, latencyMs: 50, drawnBy: 1 },
    { perSecond: 50, holds: 50, callers: 8, latencyMs: 50, drawnBy: 2 },
    { perSecond: 50, holds: 50, callers: 32, latencyMs: 1, drawnBy: 3 },
    { perSecond: 500, holds: 500, callers: 32, latencyMs: 1, drawnBy: 4 },
    { perSecond: 500, holds: 500, callers: 32, latencyMs: 50, drawnBy: 5 },
  ])(
    'and answers one call in fifty 429 besides is still asked for it: $perSecond a second, $callers callers, $latencyMs ms',
    async (bucket) => {
      expect((await callFor(bucket)).useful).toBeGreaterThan(0.85);
    },
  );

  test.each<Bucket>([
    { perSecond: 50, holds: 10, callers: 32, latencyMs: 1 },
    { perSecond: 500, holds: 50, callers: 32, latencyMs: 1 },
  ])(
    'that keeps little in hand is found out in time: $perSecond a second, $holds at once',
    async (bucket) => {
      expect((await callFor(bucket)).useful).toBeGreaterThan(0.75);
    },
  );
});
