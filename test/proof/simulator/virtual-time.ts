import type { Clock } from '../../../src/clock.ts';

/** The time of one simulated world: it passes only when nobody has anything left to do. */
export interface VirtualTime {
  /** Since the world began; never goes back. */
  worldMs(): number;
  /** What the machine of payrun believes. The service has a clock of its own, which is right. */
  wallMs(): number;
  trueWallMs(): number;
  jumpWall(byMs: number): void;
  /** Happens once so much time has passed, unless it is called off. */
  after(delayMs: number, happens: () => void): () => void;
  /** The clock of one process. `alive` is asked before anybody is woken: the dead sleep on. */
  clockOf(process: ClockedProcess): Clock;
  /** Lets time pass until the promise is settled; false when it was not within the bound. */
  until(settled: Promise<unknown>, withinMs: number): Promise<boolean>;
  pass(durationMs: number): Promise<void>;
  /** Waits, in real time, until nothing is under way but sleep. */
  idle(): Promise<void>;
}

export interface ClockedProcess {
  /** Where its monotonic clock began: it means nothing to any other process. */
  readonly bornMs: number;
  alive(): boolean;
  /** A moment at which the process may die. */
  moment(what: string): void;
}

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly happens: () => void;
}

export function createVirtualTime(startWallMs: number): VirtualTime {
  let nowMs = 0;
  let wallOffsetMs = 0;
  let order = 0;
  const timers = new Set<Timer>();

  const after = (delayMs: number, happens: () => void) => {
    const timer = { dueMs: nowMs + Math.max(0, delayMs), order: order++, happens };
    timers.add(timer);
    return () => void timers.delete(timer);
  };

  const next = () => {
    let first: Timer | undefined;
    for (const timer of timers) {
      if (!first || timer.dueMs < first.dueMs || (timer.dueMs === first.dueMs && timer.order < first.order))
        first = timer;
    }
    return first;
  };

  /** One at a time, and everything that follows from it before the next: the order never depends on the disk. */
  const step = async (untilMs: number): Promise<boolean> => {
    await idle();
    const timer = next();
    if (!timer || timer.dueMs > untilMs) {
      nowMs = Math.max(nowMs, untilMs);
      return false;
    }
    timers.delete(timer);
    nowMs = Math.max(nowMs, timer.dueMs);
    timer.happens();
    return true;
  };

  return {
    worldMs: () => nowMs,
    wallMs: () => startWallMs + wallOffsetMs + nowMs,
    trueWallMs: () => startWallMs + nowMs,
    jumpWall: (byMs) => {
      wallOffsetMs += byMs;
    },
    after,
    clockOf: (process) => ({
      nowMs: () => startWallMs + wallOffsetMs + nowMs,
      monotonicMs: () => nowMs + process.bornMs,
      sleep: (durationMs, signal) => {
        process.moment('sleep');
        if (signal?.aborted) return Promise.resolve();
        return new Promise<void>((resolve) => {
          const wake = () => {
            callOff();
            signal?.removeEventListener('abort', wake);
            if (process.alive()) resolve();
          };
          const callOff = after(durationMs, wake);
          signal?.addEventListener('abort', wake, { once: true });
        });
      },
    }),
    async until(settled, withinMs) {
      const boundMs = nowMs + withinMs;
      let done = false;
      const mark = () => {
        done = true;
      };
      settled.then(mark, mark);
      for (;;) {
        await idle();
        if (done) return true;
        // Nothing is left that could ever happen: whoever still waits, waits for ever.
        if (!(await step(boundMs))) return done;
      }
    },
    async pass(durationMs) {
      const untilMs = nowMs + durationMs;
      while (await step(untilMs));
    },
    idle,
  };
}

/** Commits are made on setImmediate and files are written by the thread pool: until both are quiet, time stands still. */
async function idle(): Promise<void> {
  do await new Promise<void>((resolve) => setImmediate(resolve));
  while (process.getActiveResourcesInfo().some((name) => underWay.has(name)));
}

const underWay = new Set(['Immediate', 'FSReqPromise', 'FSReqCallback', 'CloseReq', 'FileHandleCloseReq']);
