import { setTimeout as wait } from 'node:timers/promises';

/** The one source of time. A simulator passes its own. */
export interface Clock {
  /** Wall time in milliseconds since the epoch: for dates people and services see. */
  nowMs(): number;
  /** Never goes backwards, has no meaning across processes: for measuring pauses. */
  monotonicMs(): number;
  /** Ends early, without an error, when the signal aborts. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (durationMs, signal) => {
    try {
      await wait(durationMs, undefined, signal ? { signal } : {});
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  },
};
