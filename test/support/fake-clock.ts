import type { Clock } from '../../src/clock.ts';

export interface FakeClock extends Clock {
  /** Moves both times on, waking sleepers in order, each with the time it asked for. */
  advance(durationMs: number): Promise<void>;
  /** Moves the wall clock alone, as a person or a time server does. */
  setWall(nowMs: number): void;
  /** How many are asleep. */
  sleepers(): number;
  /** The pauses asked for, in order. */
  readonly slept: readonly number[];
}

/** Virtual time. With `sleepsPass` nobody has to advance it: every sleep moves time on and ends at once. */
export function fakeClock({ startMs = Date.UTC(2026, 10, 12, 8), sleepsPass = false } = {}): FakeClock {
  let monotonicMs = 0;
  let wallOffsetMs = startMs;
  const slept: number[] = [];
  const asleep = new Set<{ readonly dueMs: number; readonly wake: () => void }>();

  const letOthersRun = () => new Promise<void>((resolve) => setImmediate(resolve));

  const advance = async (durationMs: number) => {
    const targetMs = monotonicMs + durationMs;
    await letOthersRun();
    for (;;) {
      const [next] = [...asleep].filter(({ dueMs }) => dueMs <= targetMs).sort((a, b) => a.dueMs - b.dueMs);
      if (!next) break;
      monotonicMs = Math.max(monotonicMs, next.dueMs);
      next.wake();
      await letOthersRun();
    }
    monotonicMs = targetMs;
  };

  return {
    nowMs: () => wallOffsetMs + monotonicMs,
    monotonicMs: () => monotonicMs,
    async sleep(durationMs, signal) {
      slept.push(durationMs);
      if (signal?.aborted) return;
      if (sleepsPass) {
        monotonicMs += durationMs;
        await letOthersRun();
        return;
      }
      await new Promise<void>((resolve) => {
        const wake = () => {
          asleep.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper = { dueMs: monotonicMs + durationMs, wake };
        asleep.add(sleeper);
        signal?.addEventListener('abort', wake, { once: true });
      });
    },
    advance,
    setWall(nowMs) {
      wallOffsetMs = nowMs - monotonicMs;
    },
    sleepers: () => asleep.size,
    slept,
  };
}
