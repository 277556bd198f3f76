import type { Clock } from '../../clock.ts';
import type { DueEvents } from './due-events.ts';

const longestWaitMs = 60_000;
const pauseAfterTroubleMs = 1_000;

/** Wakes when the next thing falls due, so that it happens on time even when nobody asks. */
export function startTicker(dueEvents: DueEvents, clock: Clock, advance: () => Promise<void>) {
  const stopping = new AbortController();
  let wake = new AbortController();
  let sleepsUntilMs = 0;

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      sleepsUntilMs = Math.min(dueEvents.nextMs() ?? Number.POSITIVE_INFINITY, clock.nowMs() + longestWaitMs);
      await clock.sleep(
        Math.max(1, sleepsUntilMs - clock.nowMs()),
        AbortSignal.any([stopping.signal, wake.signal]),
      );
      if (stopping.signal.aborted) return;
      // A full disk must not end the service: what could not be carried out stays due.
      await advance().catch(() => clock.sleep(pauseAfterTroubleMs, stopping.signal));
    }
  }

  const working = work();
  return {
    /** Something may be due sooner than was known. */
    wake(): void {
      if ((dueEvents.nextMs() ?? Number.POSITIVE_INFINITY) < sleepsUntilMs) wake.abort();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await working;
    },
  };
}
