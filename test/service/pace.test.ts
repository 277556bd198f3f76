import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createPace } from '../../src/service/pace.ts';
import { fakeClock } from '../support/fake-clock.ts';

/** Many callers, each of them after every turn in line again, and when their turns came. */
function crowd(ratePerSecond: number | undefined, callers = 8) {
  const clock = fakeClock();
  const pace = createPace(ratePerSecond, clock);
  const turns: number[] = [];
  const controller = new AbortController();
  const begin = (callTakesMs = 0) => {
    for (let caller = 0; caller < callers; caller++) {
      void (async () => {
        while (await pace.turn(controller.signal)) {
          turns.push(clock.monotonicMs());
          await clock.sleep(callTakesMs, controller.signal);
        }
      })();
    }
  };
  const between = (fromMs: number, toMs: number) => turns.filter((at) => at >= fromMs && at < toMs).length;
  return { clock, pace, turns, begin, between, end: () => controller.abort() };
}

describe('without a rate', () => {
  test('nobody waits', async () => {
    const { clock, pace } = crowd(undefined);
    for (let call = 0; call < 1_000; call++) expect(await pace.turn()).toBe(true);
    expect(clock.slept).toEqual([]);
  });
});

describe('a rate', () => {
  test('is kept in every second, from the first call on', async () => {
    const { clock, turns, begin, between, end } = crowd(10);
    begin(1);
    await clock.advance(5_000);
    end();
    expect(between(0, 5_000)).toBe(50);
    for (const start of turns) expect(between(start, start + 1_000)).toBeLessThanOrEqual(10);
  });

  test('is not saved up while nobody calls', async () => {
    const { clock, turns, begin, between, end } = crowd(10);
    await clock.advance(60_000);
    begin(1);
    await clock.advance(1_000);
    end();
    expect(between(60_000, 61_000)).toBe(10);
    expect(turns[1]).toBe(60_100);
  });

  test('is reached in spite of late timers, also a high one', async () => {
    let nowMs = 0;
    const sleep = async (durationMs: number) => {
      nowMs += Math.ceil(durationMs) + 15;
    };
    const pace = createPace(500, { nowMs: () => nowMs, monotonicMs: () => nowMs, sleep });
    await Promise.all(Array.from({ length: 251 }, () => pace.turn()));
    expect(nowMs).toBeGreaterThan(440);
    expect(nowMs).toBeLessThan(540);
  });

  test('serves callers in the order in which they came', async () => {
    const { clock, pace } = crowd(10);
    const order: number[] = [];
    const callers = [1, 2, 3, 4].map((caller) => pace.turn().then(() => order.push(caller)));
    await clock.advance(1_000);
    await Promise.all(callers);
    expect(order).toEqual([1, 2, 3, 4]);
  });
});

describe('a timer that comes late', () => {
  test('lets nobody overtake, and its delay is made up for', async () => {
    let nowMs = 0;
    let wake = () => {};
    const sleep = () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      });
    const wakeAt = async (atMs: number) => {
      nowMs = atMs;
      wake();
      await new Promise(setImmediate);
    };
    const pace = createPace(1, { nowMs: () => nowMs, monotonicMs: () => nowMs, sleep });
    const turns: [string, number][] = [];
    const join = (caller: string) => void pace.turn().then(() => turns.push([caller, nowMs]));
    join('first');
    join('second');
    await new Promise(setImmediate);
    nowMs = 1_020;
    join('third');
    await wakeAt(1_030);
    await wakeAt(1_999);
    await wakeAt(2_000);
    expect(turns).toEqual([
      ['first', 0],
      ['second', 1_030],
      ['third', 2_000],
    ]);
  });
});

describe('a 429', () => {
  test('stops every caller until the time the service names, and they do not all come back at once', async () => {
    const { clock, pace, begin, between, end } = crowd(undefined);
    begin(100);
    await clock.advance(2_050);
    expect(between(1_000, 2_000)).toBe(80);
    pace.tooMany(clock.monotonicMs(), 5_000);
    await clock.advance(10_000);
    end();
    expect(between(2_051, 7_050)).toBe(0);
    expect(between(7_050, 8_050)).toBeGreaterThanOrEqual(38);
    expect(between(7_050, 8_050)).toBeLessThanOrEqual(42);
    expect(between(7_050, 7_150)).toBeLessThanOrEqual(5);
  });

  test('without a time pauses a second, then longer each time, until something goes well', async () => {
    const { clock, pace } = crowd(1_000);
    const pauseMs = async () => {
      await clock.advance(100_000);
      expect(await pace.turn()).toBe(true);
      const fromMs = clock.monotonicMs();
      pace.tooMany(fromMs, undefined);
      let turnMs = 0;
      const turn = pace.turn().then(() => {
        turnMs = clock.monotonicMs();
      });
      await clock.advance(100_000);
      await turn;
      return turnMs - fromMs;
    };
    const pauses = [await pauseMs(), await pauseMs(), await pauseMs()];
    expect(pauses).toEqual([1_000, 2_000, 4_000]);
    pace.wentWell(clock.monotonicMs());
    expect(await pauseMs()).toBe(1_000);
  });

  test.each([
    { everyMs: 10, says: 'many calls' },
    { everyMs: 1_000, says: 'a call a second, as at the end of a stage' },
  ])(
    'here and there among answers that went well stops nobody, and the pace stays: $says',
    async ({ everyMs }) => {
      const { clock, pace, begin, between, end } = crowd(100);
      begin(1);
      for (let call = 1; call <= 400; call++) {
        await clock.advance(everyMs);
        if (call % 50 === 3) pace.tooMany(clock.monotonicMs(), undefined);
        else pace.wentWell(clock.monotonicMs());
      }
      const untilMs = clock.monotonicMs();
      end();
      expect(between(untilMs - 4_000, untilMs)).toBeGreaterThan(390);
    },
  );

  test('here and there waits as long as the service says, and takes no more than a tenth of the pace', async () => {
    const { clock, pace, begin, between, end } = crowd(100);
    begin(1);
    for (let call = 1; call <= 100; call++) {
      await clock.advance(10);
      pace.wentWell(clock.monotonicMs());
    }
    pace.tooMany(clock.monotonicMs(), 2_000);
    await clock.advance(4_000);
    end();
    expect(between(1_001, 3_000)).toBe(0);
    expect(between(3_000, 4_000)).toBeGreaterThanOrEqual(90);
  });

  test('that four of the last ten answers are slows down, however many went well before', async () => {
    const { clock, pace, begin, between, end } = crowd(100);
    begin(1);
    for (let call = 1; call <= 200; call++) {
      await clock.advance(10);
      pace.wentWell(clock.monotonicMs());
    }
    for (let call = 1; call <= 4; call++) pace.tooMany(clock.monotonicMs(), undefined);
    await clock.advance(900);
    end();
    expect(between(2_001, 2_900)).toBe(0);
  });

  test.each([
    { oneIn: 5, most: 60 },
    { oneIn: 10, most: 100 },
  ])('that one answer in $oneIn is slows down', async ({ oneIn, most }) => {
    const { clock, pace, begin, between, end } = crowd(100);
    begin(1);
    for (let call = 1; call <= 400; call++) {
      await clock.advance(10);
      if (call % oneIn === 0) pace.tooMany(clock.monotonicMs(), undefined);
      else pace.wentWell(clock.monotonicMs());
    }
    end();
    expect(between(2_000, 4_000)).toBeLessThan(most);
  });

  test('that many calls in flight meet halves the pace once', async () => {
    const { clock, pace, begin, between, end } = crowd(40);
    begin(1);
    await clock.advance(2_000);
    const startedMs = clock.monotonicMs() - 10;
    for (let call = 0; call < 8; call++) pace.tooMany(startedMs, 0);
    await clock.advance(3_000);
    expect(between(3_000, 4_000)).toBe(20);
    pace.tooMany(clock.monotonicMs(), 0);
    await clock.advance(3_000);
    end();
    expect(between(6_000, 7_000)).toBe(10);
  });

  test('never brings the pace above a rate that is slower than the slowest', async () => {
    const { clock, pace, begin, between, end } = crowd(0.5);
    begin(1);
    for (let time = 0; time < 3; time++) {
      pace.tooMany(clock.monotonicMs(), 0);
      await clock.advance(2_000);
    }
    await clock.advance(20_000);
    end();
    expect(between(6_000, 26_000)).toBe(10);
  });

  test('never brings the pace to a halt', async () => {
    const { clock, pace, begin, between, end } = crowd(10);
    begin(1);
    for (let time = 0; time < 20; time++) {
      pace.tooMany(clock.monotonicMs(), 0);
      await clock.advance(10);
    }
    await clock.advance(20_000);
    end();
    expect(between(2_000, 20_000)).toBe(18);
  });

  test('is made up for by successes, a little each, up to the rate that was set and no further', async () => {
    const { clock, pace, begin, between, end } = crowd(20);
    begin(1);
    await clock.advance(2_000);
    pace.tooMany(clock.monotonicMs(), 0);
    await clock.advance(1_000);
    const halved = between(2_000, 3_000);
    expect(halved).toBeLessThanOrEqual(11);
    for (let success = 0; success < 6; success++) pace.wentWell(clock.monotonicMs());
    await clock.advance(2_000);
    expect(between(4_000, 5_000)).toBe(13);
    for (let success = 0; success < 500; success++) pace.wentWell(clock.monotonicMs());
    await clock.advance(2_000);
    end();
    expect(between(6_000, 7_000)).toBe(20);
  });

  test('leaves no limit behind once calls go well at ten times the old pace, where no rate was set', async () => {
    const { clock, pace, begin, between, end } = crowd(undefined);
    begin(100);
    await clock.advance(2_000);
    pace.tooMany(clock.monotonicMs(), 0);
    await clock.advance(2_000);
    expect(between(3_000, 4_000)).toBeLessThanOrEqual(41);
    // A call from before the 429 proves nothing.
    for (let success = 0; success < 5_000; success++) pace.wentWell(1_000);
    await clock.advance(1_000);
    expect(between(4_000, 5_000)).toBeLessThanOrEqual(41);
    for (let success = 0; success < 2_000; success++) pace.wentWell(clock.monotonicMs());
    await clock.advance(2_000);
    end();
    expect(between(6_000, 7_000)).toBe(80);
    expect(await pace.turn()).toBe(true);
  });
});

describe('a caller that gives up', () => {
  test('leaves the line at once, takes no turn and no listener with it', async () => {
    const { clock, pace } = crowd(1);
    expect(await pace.turn()).toBe(true);
    const [head, middle] = [new AbortController(), new AbortController()];
    const waiting = [pace.turn(head.signal), pace.turn(middle.signal), pace.turn()];
    await clock.advance(1);
    middle.abort();
    expect(await waiting[1]).toBe(false);
    head.abort();
    expect(await waiting[0]).toBe(false);
    await clock.advance(999);
    expect(await waiting[2]).toBe(true);
    expect(clock.monotonicMs()).toBe(1_000);
    expect(getEventListeners(head.signal, 'abort')).toHaveLength(0);
    expect(getEventListeners(middle.signal, 'abort')).toHaveLength(0);
    expect(clock.sleepers()).toBe(0);
  });

  test('before it came takes no turn', async () => {
    const { pace, clock } = crowd(1);
    expect(await pace.turn(AbortSignal.abort())).toBe(false);
    expect(await pace.turn()).toBe(true);
    expect(clock.slept).toEqual([]);
  });
});
