import { whenAborted } from './when-aborted.ts';

/** The one source of time. A simulator passes its own. */
export interface Clock {
  /** Wall time in milliseconds since the epoch: for dates people and services see. */
  nowMs(): number;
  /** Never goes backwards, has no meaning across processes: for measuring pauses. */
  monotonicMs(): number;
  /** Ends early, without an error, when the signal aborts. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

/** The same in all threads. By `performance`, which says it too, Node would load a part of itself more. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs,
  sleep: (durationMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        stopListening?.();
        resolve();
      };
      const timer = setTimeout(end, durationMs);
      const stopListening = signal && whenAborted(signal, end);
    }),
};
