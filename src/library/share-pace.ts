import type { Clock } from '../clock.ts';
import type { WorkerDesk } from '../journal/shared/worker-desk.ts';
import type { PaceShare } from '../service/shared-pace.ts';

const pauseAskedEveryMs = 250;

/** One row in Postgres says for all when calls may begin. What others were told to wait is asked about all the time. */
export function sharePace(
  desk: Pick<WorkerDesk, 'pausedForMs' | 'lease' | 'pause'>,
  clock: Pick<Clock, 'monotonicMs'>,
): PaceShare & { keep: (ratePerSecond: number | undefined) => void; end(): void } {
  let wanted: number | undefined;
  let untilMs = Number.NEGATIVE_INFINITY;
  const paused = (forMs: number) => {
    untilMs = Math.max(untilMs, clock.monotonicMs() + forMs);
  };
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  // Never a second time before it was answered: on a busy machine whoever has to be heard would wait behind all of them.
  const look = async () => {
    await desk.pausedForMs().then(paused, () => undefined);
    if (!isOver) timer = setTimeout(() => void look(), pauseAskedEveryMs);
  };
  void look();
  return {
    rate: () => wanted,
    keep: (ratePerSecond) => {
      wanted = ratePerSecond;
    },
    lease: desk.lease,
    async pause(forMs) {
      paused(forMs);
      await desk.pause(forMs);
    },
    pausedForMs: () => Math.max(0, untilMs - clock.monotonicMs()),
    end: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
