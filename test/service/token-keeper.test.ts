import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/service/call-outcome.ts';
import { createTokenKeeper, type MintedToken } from '../../src/service/token-keeper.ts';
import { fakeClock } from '../support/fake-clock.ts';

const outage: Outcome<MintedToken> = {
  kind: 'unknown',
  reason: 'server-error',
  cause: 'the service failed (500)',
  sent: true,
  httpStatus: 500,
};

/** Mints T1, T2 … that live as long as told, in `tookMs` of virtual time. */
function setup({ livesMs = 3_600_000, tookMs = 0, clock = fakeClock() } = {}) {
  let minted = 0;
  let broken = false;
  const keeper = createTokenKeeper(async () => {
    const token = `T${++minted}`;
    await clock.sleep(tookMs);
    if (broken) return outage;
    return { kind: 'ok', value: { token, expiresAt: Math.floor((clock.nowMs() + livesMs) / 1000) } };
  }, clock);
  const read = async (signal?: AbortSignal) => {
    const outcome = keeper.token(signal);
    await clock.advance(0);
    return outcome;
  };
  return {
    clock,
    keeper,
    read,
    minted: () => minted,
    breakDown: (is: boolean) => {
      broken = is;
    },
  };
}

const ok = (value: string) => ({ kind: 'ok', value });

describe('a token', () => {
  test('is minted once for all who ask at the same time, and kept', async () => {
    const { clock, keeper, read, minted } = setup({ tookMs: 50 });
    const asked = Promise.all(Array.from({ length: 100 }, () => keeper.token()));
    await clock.advance(50);
    expect(await asked).toEqual(Array(100).fill(ok('T1')));
    expect(await read()).toEqual(ok('T1'));
    expect(minted()).toBe(1);
  });

  test('is renewed a minute before it expires, and not earlier', async () => {
    const { clock, read, minted } = setup({ livesMs: 600_000 });
    expect(await read()).toEqual(ok('T1'));
    await clock.advance(539_000);
    expect(await read()).toEqual(ok('T1'));
    await clock.advance(1_000);
    expect(await read()).toEqual(ok('T2'));
    expect(minted()).toBe(2);
  });

  test('that a hundred calls report as refused is replaced by one', async () => {
    const { clock, keeper, read, minted } = setup({ tookMs: 50 });
    const first = keeper.token();
    await clock.advance(50);
    expect(await first).toEqual(ok('T1'));
    const renewed = Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        await clock.sleep(index);
        keeper.discard('T1');
        return keeper.token();
      }),
    );
    await clock.advance(200);
    expect(await renewed).toEqual(Array(100).fill(ok('T2')));
    expect(await read()).toEqual(ok('T2'));
    expect(minted()).toBe(2);
  });
});

describe('a mint that fails', () => {
  test('fails for all who waited, and for nobody after them', async () => {
    const { clock, keeper, read, minted, breakDown } = setup({ tookMs: 50 });
    breakDown(true);
    const asked = Promise.all([keeper.token(), keeper.token(), keeper.token()]);
    await clock.advance(50);
    expect(await asked).toEqual([outage, outage, outage]);
    expect(minted()).toBe(1);

    breakDown(false);
    const again = keeper.token();
    await clock.advance(50);
    expect(await again).toEqual(ok('T2'));
    expect(await read()).toEqual(ok('T2'));
  });

  test('is tried anew by one who asks the moment it has failed', async () => {
    const { clock, keeper, minted, breakDown } = setup();
    breakDown(true);
    const again = keeper.token().then(() => {
      breakDown(false);
      return keeper.token();
    });
    await clock.advance(0);
    await clock.advance(0);
    expect(await again).toEqual(ok('T2'));
    expect(minted()).toBe(2);
  });
});

describe('a clock that disagrees with the service', () => {
  test('still gets a token for the call in hand, and mints now and then instead of every time', async () => {
    const { clock, read, minted } = setup({ livesMs: -7_200_000 });
    expect(await read()).toEqual(ok('T1'));
    expect(await read()).toEqual(ok('T1'));
    await clock.advance(4_000);
    expect(await read()).toEqual(ok('T1'));
    await clock.advance(1_000);
    expect(await read()).toEqual(ok('T2'));
    expect(minted()).toBe(2);
  });

  test('uses a token that is short of the margin for half of what it has left at most', async () => {
    const { clock, read, minted } = setup({ livesMs: 4_000 });
    expect(await read()).toEqual(ok('T1'));
    await clock.advance(1_900);
    expect(await read()).toEqual(ok('T1'));
    await clock.advance(200);
    expect(await read()).toEqual(ok('T2'));
    expect(minted()).toBe(2);
  });

  test('that is set forward renews, and one that is set back waits for the service to say no', async () => {
    const { clock, keeper, read } = setup();
    expect(await read()).toEqual(ok('T1'));
    clock.setWall(clock.nowMs() + 86_400_000);
    expect(await read()).toEqual(ok('T2'));
    clock.setWall(clock.nowMs() - 86_400_000);
    expect(await read()).toEqual(ok('T2'));
    keeper.discard('T2');
    expect(await read()).toEqual(ok('T3'));
  });
});

describe('a caller that gives up', () => {
  test('gets an answer at once, leaves no listener, and does not spoil it for the others', async () => {
    const { clock, keeper, minted } = setup({ tookMs: 50 });
    const controller = new AbortController();
    const patient = new AbortController();
    const [gone, staying] = [keeper.token(controller.signal), keeper.token(patient.signal)];
    controller.abort();
    expect(await gone).toMatchObject({ kind: 'try_later', reason: 'aborted', sent: false });
    await clock.advance(50);
    expect(await staying).toEqual(ok('T1'));
    expect(getEventListeners(patient.signal, 'abort')).toHaveLength(0);
    expect(minted()).toBe(1);
  });

  test('before it began mints nothing', async () => {
    const { keeper, minted } = setup();
    expect(await keeper.token(AbortSignal.abort())).toMatchObject({ reason: 'aborted' });
    expect(minted()).toBe(0);
  });
});
