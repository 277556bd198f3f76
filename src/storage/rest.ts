import type { Clock } from '../clock.ts';

/** So many times as long as the disk was busy it is left alone: at most a fifth of the time goes to waiting for it. */
const times = 4;
/** Whoever waits is not to feel it beside an answer of the service. */
const mostMs = 10;
/** No timer is that exact. */
const leastMs = 1;

export type Rest = ReturnType<typeof createRest>;

/** How long a commit is put off after one that kept others waiting. Whoever has something to write meanwhile shares it. */
export function createRest(clock: Pick<Clock, 'monotonicMs' | 'sleep'>) {
  let untilMs = Number.NEGATIVE_INFINITY;
  return {
    /** The disk is busy from now on, until what is given back is called. */
    busy(): () => void {
      const sinceMs = clock.monotonicMs();
      return () => {
        const nowMs = clock.monotonicMs();
        untilMs = nowMs + Math.min(mostMs, times * (nowMs - sinceMs));
      };
    },

    /** At once where there is nothing to wait for. */
    over(go: () => void): void {
      const leftMs = untilMs - clock.monotonicMs();
      if (leftMs < leastMs) go();
      else void clock.sleep(Math.min(mostMs, leftMs)).then(go);
    },
  };
}
