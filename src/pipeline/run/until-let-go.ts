/** So long a worker that only waits may not know that its chunk is to be let go. */
const lookEveryMs = 1_000;

/**
 * Aborted with the signal, or once a chunk is to be let go. Who waits out a quiet period is told as well: it would sleep on,
 * and whoever wants the batch waits for all of them.
 */
export function untilLetGo(signal: AbortSignal, isDue: () => boolean, catchUp: () => Promise<void>) {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const look = async () => {
    await catchUp();
    if (isDue()) over.abort();
  };
  // A journal that is gone ends this worker where it next writes.
  const timer = setInterval(() => void look().catch(() => undefined), lookEveryMs);
  return {
    signal: either,
    /** Known as soon as it can be: who goes on working asks. */
    isDue: () => either.aborted || isDue(),
    close: () => clearInterval(timer),
  };
}
