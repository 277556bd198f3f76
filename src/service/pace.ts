import type { Clock } from '../clock.ts';
import { unlessAborted } from './unless-aborted.ts';

/** How fast calls may begin. Free of charge until a rate is set or the service says 429. */
export interface Pace {
  /** Waits for this caller's turn, first come, first served; false when the signal aborted meanwhile. */
  turn(signal?: AbortSignal): Promise<boolean>;
  /** A 429 for a call that began at startedMs (monotonic). How long nobody calls now. */
  tooMany(startedMs: number, retryAfterMs: number | undefined): number;
  /** The service did what a call that began at startedMs asked. */
  wentWell(startedMs: number): void;
}

const firstBackoffMs = 1_000;
const longestBackoffMs = 60_000;
const longestPauseMs = 120_000;
/** A 429 here and there is not about the pace: it is where so many of the last answers are. */
const lastAnswers = 10;
const mostStrays = 0.4;
/** What one takes back of the pace: as much as so many successes have added, and no more than a tenth. */
const strayTakesBack = 25;
const mostTakenBack = 0.1;
const slowestPerSecond = 1;
/** Of the pace at which the first 429 came, which may have been a burst: from there on there is no limit any more. */
const freeAtTimes = 10;
/** Added for each success, far below what the service was known to serve: the pace doubles in a second or two. */
const recoveryPerSecond = 0.5;
/** Added for each success at about that pace: a fortieth more each second, for a while, then faster again. */
const probePerSecond = 0.025;
const probeForMs = 15_000;
/** Of the pace, and no more: where calls are few, it would be far above before anybody had said 429. */
const mostOfPace = 0.005;
/** Of what was served when a 429 came: a little less than that has room. */
const safeShare = 0.97;
/** Of what was served last: some of it may have been in hand. */
const lastShare = 0.9;
/** How far a late timer may be made up for. */
const catchUpMs = 50;

export function createPace(ratePerSecond: number | undefined, clock: Clock): Pace {
  let limitPerSecond = ratePerSecond;
  /** Where nobody set a rate, the limit that a 429 brought ends here. */
  let freeAtPerSecond = Number.POSITIVE_INFINITY;
  let nextMs = Number.NEGATIVE_INFINITY;
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  let slowedMs = Number.NEGATIVE_INFINITY;
  /** What the service was known to serve when it last said 429; 0 where that is not known. */
  let safePerSecond = 0;
  let backoffMs = firstBackoffMs;
  let waiting = 0;
  let lastInLine: Promise<unknown> = Promise.resolve();
  const observed = observeRate();
  const served = observeServed();
  const strays = observeStrays();

  /** When a caller who asked at askedMs may go. One who waited is not made to pay for a timer that came late. */
  const dueMs = (askedMs: number, nowMs: number) =>
    Math.max(pausedUntilMs, limitPerSecond === undefined ? 0 : Math.max(nextMs, askedMs, nowMs - catchUpMs));

  const go = (dueAtMs: number, nowMs: number) => {
    if (limitPerSecond !== undefined) nextMs = dueAtMs + 1000 / limitPerSecond;
    observed.count(nowMs);
  };

  /** What a success adds to a pace. */
  const addedTo = (perSecond: number, nowMs: number) => {
    if (safePerSecond === 0 || perSecond < safePerSecond) return recoveryPerSecond;
    const most = nowMs - slowedMs < probeForMs ? probePerSecond : recoveryPerSecond;
    return Math.min(most, mostOfPace * perSecond);
  };

  const takenBack = (perSecond: number, nowMs: number) =>
    Math.min(strayTakesBack * addedTo(perSecond, nowMs), mostTakenBack * perSecond);

  const setPace = (perSecond: number) => {
    limitPerSecond = Math.min(
      Math.max(perSecond, slowestPerSecond),
      ratePerSecond ?? Number.POSITIVE_INFINITY,
    );
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
      // Calls that were under way when the pace was lowered say nothing about the new pace.
      const isOld = startedMs <= slowedMs;
      if (!isOld) strays.count(1);
      const stays = isOld || strays.isOne();
      const pauseMs = retryAfterMs ?? (stays ? 0 : pauseOf(backoffMs, safePerSecond));
      // A longer pause would only freeze a run that had better be stopped and begun again later.
      const boundedMs = Math.min(pauseMs, longestPauseMs);
      pausedUntilMs = Math.max(pausedUntilMs, nowMs + boundedMs);
      if (stays) {
        if (!isOld && limitPerSecond !== undefined)
          setPace(limitPerSecond - takenBack(limitPerSecond, nowMs));
        return boundedMs;
      }
      backoffMs = Math.min(backoffMs * 2, longestBackoffMs);
      const fromPerSecond = Math.min(limitPerSecond ?? Number.POSITIVE_INFINITY, observed.perSecond(nowMs));
      if (limitPerSecond === undefined) freeAtPerSecond = fromPerSecond * freeAtTimes;
      safePerSecond = safeShare * served.perSecond(slowedMs, nowMs);
      slowedMs = nowMs;
      strays.forget();
      setPace(Math.max(fromPerSecond / 2, Math.min(fromPerSecond, safePerSecond)));
      return boundedMs;
    },
    wentWell(startedMs) {
      const nowMs = clock.monotonicMs();
      served.count(nowMs);
      if (startedMs <= slowedMs) return;
      strays.count(0);
      if (limitPerSecond === undefined) return;
      backoffMs = firstBackoffMs;
      setPace(limitPerSecond + addedTo(limitPerSecond, nowMs));
      if (ratePerSecond === undefined && limitPerSecond >= freeAtPerSecond) limitPerSecond = undefined;
    },
  };
}

/** Where it is known what the service serves, the pace does the rest. */
function pauseOf(backoffMs: number, safePerSecond: number): number {
  return safePerSecond > 0 ? backoffMs / 2 : backoffMs;
}

/** How much was served, altogether and in the last second or two. */
function observeServed() {
  let sinceMs = Number.NEGATIVE_INFINITY;
  let now = 0;
  let before = 0;
  let all = 0;
  let firstMs = Number.POSITIVE_INFINITY;
  const turn = (nowMs: number) => {
    if (nowMs - sinceMs < 1000) return;
    before = nowMs - sinceMs < 2000 ? now : 0;
    now = 0;
    sinceMs = nowMs;
  };
  return {
    count(nowMs: number) {
      turn(nowMs);
      now += 1;
      all += 1;
      firstMs = Math.min(firstMs, nowMs);
    },
    /**
     * What the service can serve, now that it has no room left: what it has served since it had none before, the pause in
     * between included, or, after a while without a pause, nearly what it served last. 0 where it is too early to tell.
     */
    perSecond(lastFullMs: number, nowMs: number): number {
      turn(nowMs);
      const sinceFullMs = nowMs - Math.max(lastFullMs, firstMs);
      const average = sinceFullMs < 1000 ? 0 : all / sinceFullMs;
      const last = sinceFullMs < 4000 ? 0 : (lastShare * (now + before)) / (1000 + nowMs - sinceMs);
      all = 0;
      return 1000 * Math.max(average, last);
    },
  };
}

/** Which of the last answers were 429: by their number, for where calls are few, those of the last seconds say nothing. */
function observeStrays() {
  let last: (0 | 1)[] = [];
  return {
    count(isTooMany: 0 | 1) {
      last.push(isTooMany);
      if (last.length > lastAnswers) last.shift();
    },
    /** Whether the last one is. */
    isOne(): boolean {
      const tooMany = last.reduce<number>((sum, each) => sum + each, 0);
      return tooMany < mostStrays * last.length;
    },
    forget(): void {
      last = [];
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
