import { expect, test } from 'vitest';
import { createPace } from '../../src/service/pace.ts';
import { createSharedPace, type PaceShare } from '../../src/service/shared-pace.ts';
import { fakeClock } from '../support/fake-clock.ts';

/** What stands in Postgres, in this process. */
function agreement(clock: { monotonicMs(): number }): PaceShare {
  let nextMs = 0;
  let untilMs = 0;
  return {
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
  const most = Math.max(...begun.map((from) => begun.filter((at) => at >= from && at < from + 1000).length));
  expect(begun).toHaveLength(160);
  expect(most).toBeLessThanOrEqual(44);
  expect(Math.max(...begun) - Math.min(...begun)).toBeLessThan(4_600);
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
