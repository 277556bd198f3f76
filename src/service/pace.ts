import type { Clock } from '../clock.ts';
import { unlessAborted } from './unless-aborted.ts';

/** How fast calls may begin. Free of charge until a rate is set or the service says 429. */
export interface Pace {
  /** Waits for this caller's turn, first come, first served; false when the signal aborted meanwhile. */
  turn(signal?: AbortSignal): Promise<boolean>;
  /** A 429 for a call that began at startedMs (monotonic). */
  tooMany(startedMs: number, retryAfterMs: number | undefined): void;
  /** The service did what a call that began at startedMs asked. */
  wentWell(startedMs: number): void;
}

const firstBackoffMs = 1_000;
const longestBackoffMs = 60_000;
const longestPauseMs = 120_000;
/** A 429 here and there among many answers is not about the pace: a breath is taken, and the pace stays. */
const mostStrays = 0.05;
const leastAnswers = 40;
const breathMs = 30;
const slowestPerSecond = 1;
/** Added for each success: the pace doubles in about seven seconds, whatever it is. */
const recoveryPerSecond = 0.5;
/** How far a late timer may be made up for. */
const catchUpMs = 50;

export function createPace(ratePerSecond: number | undefined, clock: Clock): Pace {
  let limitPerSecond = ratePerSecond;
  /** Where nobody set a rate, the limit that a 429 brought ends here. */
  let freeAtPerSecond = Number.POSITIVE_INFINITY;
  let nextMs = Number.NEGATIVE_INFINITY;
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  let slowedMs = Number.NEGATIVE_INFINITY;
  let backoffMs = firstBackoffMs;
  let waiting = 0;
  let lastInLine: Promise<unknown> = Promise.resolve();
  const observed = observeRate();
  const answers = observeAnswers();

  /** When a caller who asked at askedMs may go. One who waited is not made to pay for a timer that came late. */
  const dueMs = (askedMs: number, nowMs: number) =>
    Math.max(pausedUntilMs, limitPerSecond === undefined ? 0 : Math.max(nextMs, askedMs, nowMs - catchUpMs));

  const go = (dueAtMs: number, nowMs: number) => {
    if (limitPerSecond !== undefined) nextMs = dueAtMs + 1000 / limitPerSecond;
    observed.count(nowMs);
  };

  const waitInLine = async (askedMs: number, signal: AbortSignal | undefined) => {
    while (!signal?.aborted) {
      const nowMs = clock.monotonicMs();
      const dueAtMs = dueMs(askedMs, nowMs);
      if (dueAtMs <= nowMs) {
        go(dueAtMs, nowMs);
        return true;
      }
      await clock.sleep(dueAtMs - nowMs, signal);
    }
    return false;
  };

  return {
    turn(signal) {
      if (signal?.aborted) return Promise.resolve(false);
      const askedMs = clock.monotonicMs();
      const dueAtMs = dueMs(askedMs, askedMs);
      if (waiting === 0 && dueAtMs <= askedMs) {
        go(dueAtMs, askedMs);
        return Promise.resolve(true);
      }
      waiting++;
      const mine = lastInLine.then(() => waitInLine(askedMs, signal)).finally(() => waiting--);
      lastInLine = mine;
      return unlessAborted(mine, signal, false);
    },
    tooMany(startedMs, retryAfterMs) {
      const nowMs = clock.monotonicMs();
      const isStray = answers.areStrays(nowMs);
      answers.count(nowMs, 1);
      const pauseMs = retryAfterMs ?? (isStray ? breathMs : backoffMs);
      // A longer pause would only freeze a run that had better be stopped and begun again later.
      pausedUntilMs = Math.max(pausedUntilMs, nowMs + Math.min(pauseMs, longestPauseMs));
      // Calls that were under way when the pace was halved say nothing about the new pace.
      if (isStray || startedMs < slowedMs) return;
      slowedMs = nowMs;
      backoffMs = Math.min(backoffMs * 2, longestBackoffMs);
      const fromPerSecond = Math.min(limitPerSecond ?? Number.POSITIVE_INFINITY, observed.perSecond(nowMs));
      if (limitPerSecond === undefined) freeAtPerSecond = fromPerSecond * 2;
      limitPerSecond = Math.max(fromPerSecond / 2, slowestPerSecond);
    },
    wentWell(startedMs) {
      answers.count(clock.monotonicMs(), 0);
      if (limitPerSecond === undefined || startedMs < slowedMs) return;
      backoffMs = firstBackoffMs;
      limitPerSecond = Math.min(
        limitPerSecond + recoveryPerSecond,
        ratePerSecond ?? Number.POSITIVE_INFINITY,
      );
      if (ratePerSecond === undefined && limitPerSecond >= freeAtPerSecond) limitPerSecond = undefined;
    },
  };
}

/** How many of the answers of the last second or two were 429. */
function observeAnswers() {
  let sinceMs = Number.NEGATIVE_INFINITY;
  let now = { all: 0, tooMany: 0 };
  let before = now;
  const turn = (nowMs: number) => {
    if (nowMs - sinceMs < 1000) return;
    before = nowMs - sinceMs < 2000 ? now : { all: 0, tooMany: 0 };
    now = { all: 0, tooMany: 0 };
    sinceMs = nowMs;
  };
  return {
    count(nowMs: number, tooMany: 0 | 1) {
      turn(nowMs);
      now.all += 1;
      now.tooMany += tooMany;
    },
    areStrays(nowMs: number): boolean {
      turn(nowMs);
      const all = now.all + before.all;
      return all >= leastAnswers && now.tooMany + before.tooMany < mostStrays * all;
    },
  };
}

/** Calls begun per second, over the last full second or what there is of the present one. */
function observeRate() {
  let sinceMs = Number.NEGATIVE_INFINITY;
  let calls = 0;
  let previousPerSecond = 0;
  return {
    count(nowMs: number) {
      if (nowMs - sinceMs >= 1000) {
        previousPerSecond = calls / ((nowMs - sinceMs) / 1000);
        sinceMs = nowMs;
        calls = 0;
      }
      calls++;
    },
    perSecond(nowMs: number) {
      return Math.max(previousPerSecond, calls / Math.max((nowMs - sinceMs) / 1000, 1));
    },
  };
}
