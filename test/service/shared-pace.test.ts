import { expect, test } from 'vitest';
import { createPace, type Pace } from '../../src/service/pace.ts';
import { createSharedPace, type PaceShare } from '../../src/service/shared-pace.ts';
import { fakeClock } from '../support/fake-clock.ts';

/** What stands in Postgres, in this process. */
function agreement(clock: { monotonicMs(): number }, rate?: number): PaceShare {
  let nextMs = 0;
  let untilMs = 0;
  return {
    rate: () => rate,
    async lease(calls, ratePerSecond) {
      const fromMs = Math.max(nextMs, clock.monotonicMs());
      nextMs = fromMs + (calls * 1000) / ratePerSecond;
      return fromMs - clock.monotonicMs();
    },
    async pause(forMs) {
      untilMs = Math.max(untilMs, clock.monotonicMs() + forMs);
    },
    pausedForMs: () => Math.max(0, untilMs - clock.monotonicMs()),
  };
}

test('processes that share a pace together keep the rate, whoever asks how much', async () => {
  const clock = fakeClock();
  const share = agreement(clock);
  const begun: number[] = [];
  const caller = async () => {
    const pace = createSharedPace(createPace(40, clock), 40, share, clock);
    for (let call = 0; call < 40; call += 1) {
      await pace.turn();
      begun.push(clock.monotonicMs());
    }
  };
  const all = Promise.all([caller(), caller(), caller(), caller()]);
  await clock.advance(6_000);
  await all;
  expect(begun).toHaveLength(160);
  expect(mostInASecond(begun)).toBeLessThanOrEqual(44);
  expect(Math.max(...begun) - Math.min(...begun)).toBeLessThan(4_600);
});

test.each([
  [undefined, 20],
  [40, 20],
  [20, 40],
])('of a rate of its own (%s) and one of the batch (%s) the lower is kept', async (own, ofBatch) => {
  const clock = fakeClock();
  const share = agreement(clock, ofBatch);
  const begun: number[] = [];
  const caller = async () => {
    const pace = createSharedPace(createPace(own, clock), own, share, clock);
    for (let call = 0; call < 40; call += 1) {
      await pace.turn();
      begun.push(clock.monotonicMs());
    }
  };
  const all = Promise.all([caller(), caller()]);
  await clock.advance(10_000);
  await all;
  expect(mostInASecond(begun)).toBeLessThanOrEqual(22);
});

test('a pause that one is asked for, all of them wait', async () => {
  const clock = fakeClock();
  const share = agreement(clock);
  const [one, other] = [1, 2].map(() =>
    createSharedPace(createPace(undefined, clock), undefined, share, clock),
  );
  const startedMs = clock.monotonicMs();
  one?.tooMany(startedMs, 3_000);
  const begun: number[] = [];
  void other?.turn().then(() => begun.push(clock.monotonicMs()));
  await clock.advance(2_999);
  expect(begun).toEqual([]);
  await clock.advance(2);
  expect(begun).toHaveLength(1);
});

test('who waited for a pause to end takes a slot after it: they do not all begin at once', async () => {
  const clock = fakeClock();
  const share = agreement(clock);
  const begun: number[] = [];
  const paces = [1, 2, 3].map(() => createSharedPace(createPace(40, clock), 40, share, clock));
  const caller = async (pace: Pace | undefined) => {
    for (let call = 0; call < 4; call += 1) {
      await pace?.turn();
      begun.push(clock.monotonicMs());
    }
  };
  const all = Promise.all(Array.from({ length: 30 }, (_, index) => caller(paces[index % 3])));
  await clock.advance(400);
  await share.pause(3_000);
  const before = begun.length;
  await clock.advance(2_999);
  expect(begun).toHaveLength(before);
  await clock.advance(8_000);
  await all;
  const later = begun.slice(before);
  expect(mostInASecond(later)).toBeLessThanOrEqual(44);
});

test('a process that stood still lets go of the slots that passed meanwhile', async () => {
  const clock = fakeClock();
  const share = agreement(clock);
  let lateMs = 0;
  // Its timers come late, all at once, as after a stand-still.
  const still = {
    monotonicMs: clock.monotonicMs,
    sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms + lateMs, signal),
  };
  const begun: number[] = [];
  const caller = async (pace: Pace) => {
    for (let call = 0; call < 60; call += 1) {
      await pace.turn();
      begun.push(clock.monotonicMs());
    }
  };
  const free = createPace(undefined, clock);
  const all = Promise.all([
    caller(createSharedPace(free, 40, share, still)),
    caller(createSharedPace(free, 40, share, clock)),
  ]);
  for (let time = 0; time < 30; time += 1) {
    await clock.advance(150);
    lateMs = time % 3 === 0 ? 240 : 0;
  }
  lateMs = 0;
  await clock.advance(10_000);
  await all;
  expect(mostInASecond(begun)).toBeLessThanOrEqual(42);
});

function mostInASecond(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length));
}
