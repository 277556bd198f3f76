import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sharePace } from '../../src/library/share-pace.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('on a busy machine, who asks how long all are to wait asks once at a time: whoever must be heard waits behind one', async () => {
  let asked = 0;
  let underWay = 0;
  let mostUnderWay = 0;
  const pausedForMs = async () => {
    asked += 1;
    underWay += 1;
    mostUnderWay = Math.max(mostUnderWay, underWay);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    underWay -= 1;
    return 0;
  };
  const desk = { pausedForMs, lease: async () => 0, pause: async () => undefined };
  const share = sharePace(desk, { monotonicMs: () => 0 });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(mostUnderWay).toBe(1);
  expect(asked).toBeGreaterThan(10);
  share.end();
  const asks = asked;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(asked).toBe(asks);
});
