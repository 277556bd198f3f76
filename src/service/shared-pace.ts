import type { Clock } from '../clock.ts';
import type { Pace } from './pace.ts';

/** What several processes that call one service agree about. */
export interface PaceShare {
  /** So many calls may begin, one after the other at that rate: how long from now until the first of them. */
  lease(calls: number, ratePerSecond: number): Promise<number>;
  /** Nobody calls for so long. */
  pause(forMs: number): Promise<void>;
  /** How long nobody is to call from now on, as it was last told; 0 where nobody has to wait. */
  pausedForMs(): number;
}

/** One lot is never for longer than this: whoever dies with one takes no more than that from the others. */
const lotMs = 250;
/** A 429 here and there is between its caller and the service. */
const leastPauseMs = 250;

/** The pace of one process among several: all of them together keep the rate, and what one is told to wait all wait. */
export function createSharedPace(
  own: Pace,
  ratePerSecond: number | undefined,
  share: PaceShare,
  clock: Pick<Clock, 'monotonicMs' | 'sleep'>,
): Pace {
  let left = 0;
  let nextMs = Number.NEGATIVE_INFINITY;
  let line: Promise<unknown> = Promise.resolve();

  async function waitForPause(signal: AbortSignal | undefined): Promise<void> {
    for (let ms = share.pausedForMs(); ms > 0 && !signal?.aborted; ms = share.pausedForMs())
      await clock.sleep(ms, signal);
  }

  async function takeSlot(rate: number, signal: AbortSignal | undefined): Promise<void> {
    // A call that would begin long after its time would begin in somebody else's.
    if (left === 0 || clock.monotonicMs() - nextMs > lotMs) {
      left = Math.max(1, Math.floor((rate * lotMs) / 1000));
      const askedMs = clock.monotonicMs();
      nextMs = askedMs + (await share.lease(left, rate));
    }
    const dueMs = nextMs;
    left -= 1;
    nextMs += 1000 / rate;
    const waitMs = dueMs - clock.monotonicMs();
    if (waitMs > 0) await clock.sleep(waitMs, signal);
  }

  return {
    async turn(signal) {
      await waitForPause(signal);
      if (ratePerSecond !== undefined) {
        const mine = line.then(() => (signal?.aborted ? undefined : takeSlot(ratePerSecond, signal)));
        line = mine.catch(() => undefined);
        await mine;
        await waitForPause(signal);
      }
      return own.turn(signal);
    },
    tooMany(startedMs, retryAfterMs) {
      const pauseMs = own.tooMany(startedMs, retryAfterMs);
      if (pauseMs >= leastPauseMs) void share.pause(pauseMs).catch(() => undefined);
      return pauseMs;
    },
    wentWell: own.wentWell,
  };
}
