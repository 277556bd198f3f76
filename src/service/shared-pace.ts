import type { Clock } from '../clock.ts';
import type { Pace } from './pace.ts';

/** What several processes that call one service agree about. */
export interface PaceShare {
  /** What is being worked on was left to all with this rate, beside the one that each was told itself. */
  rate(): number | undefined;
  /** So many calls may begin, one after the other at that rate: how long from now until the first of them. */
  lease(calls: number, ratePerSecond: number): Promise<number>;
  /** Nobody calls for so long. */
  pause(forMs: number): Promise<void>;
  /** How long nobody is to call from now on, as it was last told; 0 where nobody has to wait. */
  pausedForMs(): number;
}

/** One lot is never for longer than this: whoever dies with one takes no more than that from the others. */
const lotMs = 250;
/** A call that begins so long after its slot begins in somebody else's. */
const lateMs = 40;
/** Where every timer comes late, that is the pace of the machine: nobody waits for a slot that is met for ever. */
const mostMissed = 3;
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

  /** When the next call of this process may begin. What is left of a lot whose time has passed is let go. */
  async function nextSlot(rate: number): Promise<number> {
    if (left === 0 || clock.monotonicMs() - nextMs > lateMs) {
      left = Math.max(1, Math.floor((rate * lotMs) / 1000));
      const inMs = await share.lease(left, rate);
      nextMs = clock.monotonicMs() + inMs;
    }
    const dueMs = nextMs;
    left -= 1;
    nextMs += 1000 / rate;
    return dueMs;
  }

  async function takeSlot(rate: number, signal: AbortSignal | undefined): Promise<void> {
    for (let missed = 0; missed < mostMissed && !signal?.aborted; missed += 1) {
      const dueMs = await nextSlot(rate);
      const waitMs = dueMs - clock.monotonicMs();
      if (waitMs > 0) await clock.sleep(waitMs, signal);
      if (clock.monotonicMs() - dueMs <= lateMs) return;
    }
  }

  function slot(rate: number, signal: AbortSignal | undefined): Promise<void> {
    const mine = line.then(() => takeSlot(rate, signal));
    line = mine.catch(() => undefined);
    return mine;
  }

  return {
    async turn(signal) {
      for (;;) {
        await waitForPause(signal);
        const rate = Math.min(
          ratePerSecond ?? Number.POSITIVE_INFINITY,
          share.rate() ?? Number.POSITIVE_INFINITY,
        );
        if (rate !== Number.POSITIVE_INFINITY) await slot(rate, signal);
        if (!(await own.turn(signal))) return false;
        // A slot from before a pause is not one after it: else all who waited would begin at once.
        if (share.pausedForMs() === 0 || signal?.aborted) return true;
      }
    },
    tooMany(startedMs, retryAfterMs) {
      const pauseMs = own.tooMany(startedMs, retryAfterMs);
      if (pauseMs >= leastPauseMs) void share.pause(pauseMs).catch(() => undefined);
      return pauseMs;
    },
    wentWell: own.wentWell,
  };
}
