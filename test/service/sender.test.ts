import { AssertionError } from 'node:assert';
import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Outcome } from '../../src/service/call-outcome.ts';
import { endpoints } from '../../src/service/contract/endpoints.ts';
import type { Exchange } from '../../src/service/exchange.ts';
import { createPace } from '../../src/service/pace.ts';
import { createSender } from '../../src/service/sender.ts';
import { openTransport, type Transport } from '../../src/service/transport.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { rawReply, rawServer, type SeenRequest } from '../support/raw-server.ts';

const apiKey = 'sk_live_VERYSECRETKEY0001';
const publicKey = 'pk_live_0001';
const tokenPath = '/api/b2b/auth/generate-bearer-token';
const {
  createPayout,
  createExternalAccount,
  deleteExternalAccount,
  listExternalAccounts,
  listTransactions,
  readTransaction,
  readUser,
} = endpoints;

const payout = {
  body: {
    amount: 1250.5,
    currency: 'KES',
    country: 'KE',
    destination: 'MoMo',
    externalReference: '3f1c4c1e-5d0b-5f6e-8f7a-0c2d3e4f5a6b',
    externalAccountId: 'ACC1',
  },
} as const;
const account = {
  body: {
    country: 'KE',
    currency: 'KES',
    type: 'momo',
    payload: { firstName: 'Mary', lastName: 'Kamau', phoneNumber: '+254708000001', destination: 'MoMo' },
  },
} as const;
const accepted = { success: true, transactionId: 'TX1' };
const profile = { success: true, firstName: 'Ada' };
const token = { success: true, token: 'SECRET-TOKEN-1', expiresAt: 4_000_000_000 };
const noRows = { success: true, data: [] };

type Answer = (socket: Socket, request: SeenRequest) => void;
const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (socket) =>
    socket.write(rawReply(status, body, headers));
const hangUp: Answer = (socket) => socket.destroy();

/** A service that mints SECRET-TOKEN-1, -2 … and answers calls from a script; the last answer stays. */
async function setup(
  script: Answer[],
  { mint = [] as Answer[], ratePerSecond = undefined as number | undefined } = {},
) {
  const clock = fakeClock({ sleepsPass: true });
  let minted = 0;
  const calls: SeenRequest[] = [];
  const server = await rawServer((request, socket) => {
    if (request.path === tokenPath) {
      minted++;
      const expiresAt = Math.floor(clock.nowMs() / 1000) + 3600;
      const usual = answer(200, { success: true, token: `SECRET-TOKEN-${minted}`, expiresAt });
      (mint[minted - 1] ?? mint.at(-1) ?? usual)(socket, request);
    } else {
      calls.push(request);
      (script[calls.length - 1] ?? script.at(-1))?.(socket, request);
    }
  });
  const transport = openTransport({ origin: server.url, connections: 8, timeoutMs: 5_000 });
  onTestFinished(() => transport.close());
  const sender = senderFor(transport, clock, ratePerSecond);
  return { clock, server, calls, minted: () => minted, ...sender };
}

function senderFor(
  transport: Transport,
  clock: FakeClock,
  ratePerSecond?: number,
  closing = new AbortController().signal,
) {
  return createSender({
    transport,
    pace: createPace(ratePerSecond, clock),
    clock,
    random: () => 0.5,
    basePath: '',
    prefix: '/api/b2b',
    apiKey,
    publicKey,
    version: '1.2.3',
    replyLimitBytes: 100_000,
    readRetry: { attempts: 3, totalMs: 60_000 },
    closing,
  });
}

const unreachable: Exchange = { kind: 'no-reply', phase: 'before-send', cause: 'error' };
const replied = (value: unknown): Exchange => ({
  kind: 'reply',
  status: 200,
  headers: {},
  body: { ended: 'complete', text: JSON.stringify(value) },
});

/** Over a connection that is there for the token and fails for the call: no real one does that on demand. */
function senderOver(
  script: readonly Exchange[],
  clock = fakeClock({ sleepsPass: true }),
  closing?: AbortSignal,
) {
  let exchanges = 0;
  const transport: Transport = {
    exchange: async ({ path }) =>
      path === tokenPath ? replied(token) : (script[exchanges++] ?? unreachable),
    close: async () => {},
  };
  return { ...senderFor(transport, clock, undefined, closing), exchanges: () => exchanges };
}

const tokens = (calls: readonly SeenRequest[]) =>
  calls.map(({ headers }) => headers['authorization']?.replace('Bearer SECRET-TOKEN-', ''));

describe('a request', () => {
  test('carries the token, asks for plain JSON and says who sends it', async () => {
    const { send, calls, server } = await setup([answer(200, accepted)]);
    expect(await send(createPayout, payout)).toEqual({ kind: 'ok', value: accepted });
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      path: tokenPath,
      body: JSON.stringify({ publicKey }),
    });
    expect(server.seen[0]?.headers).toMatchObject({ 'api-key': apiKey, 'user-agent': 'payrun/1.2.3' });
    expect(server.seen[0]?.headers).not.toHaveProperty('authorization');
    expect(calls).toHaveLength(1);
    expect(JSON.parse(calls[0]?.body ?? '')).toEqual(payout.body);
    expect(calls[0]).toMatchObject({ method: 'POST', path: '/api/b2b/fiat/payout' });
    expect(calls[0]?.headers).toMatchObject({
      authorization: 'Bearer SECRET-TOKEN-1',
      accept: 'application/json',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'user-agent': 'payrun/1.2.3',
    });
    expect(calls[0]?.headers).not.toHaveProperty('api-key');
  });

  test('sends the very digits of an amount', async () => {
    const { send, calls } = await setup([answer(200, accepted)]);
    await send(createPayout, { body: { ...payout.body, amount: 9_999_999_999_999.99 } });
    expect(calls[0]?.body).toContain('"amount":9999999999999.99,');
  });

  test('has its path and query encoded, and no body where there is none', async () => {
    const { send, calls } = await setup([answer(200, noRows), answer(404, {})]);
    await send(listTransactions, { query: { externalReference: 'a b&c=ü/?', limit: 10 } });
    await send(readTransaction, { params: { transactionId: '../fiat/payout?x=1#ü%' } });
    expect(calls.map(({ path }) => path)).toEqual([
      '/api/b2b/transactions?externalReference=a%20b%26c%3D%C3%BC%2F%3F&limit=10',
      '/api/b2b/transactions/..%2Ffiat%2Fpayout%3Fx%3D1%23%C3%BC%25',
    ]);
    expect(calls[0]?.headers).not.toHaveProperty('content-type');
    expect(calls[0]?.body).toBe('');
  });

  test('that does not fit the contract is a bug, shown without its values, and nothing is sent', async () => {
    const { send, server } = await setup([answer(200, accepted)]);
    const wrong = [
      { body: { ...payout.body, amount: -20_208_151 } },
      { body: { ...payout.body, narration: 'NOV20208151' } },
      { body: { ...payout.body, payoutMethod: { accountName: 'A', accountNumber: '20208151' } } },
      { body: undefined },
    ];
    for (const request of wrong) {
      const sent = send(createPayout, request as typeof payout);
      await expect(sent).rejects.toThrow(AssertionError);
      await expect(sent).rejects.not.toThrow('20208151');
    }
    await expect(send(readTransaction, { params: { transactionId: '..' } })).rejects.toThrow(
      'must be an identifier',
    );
    await expect(send(readUser, { body: {} } as object)).rejects.toThrow('not part of the request');
    expect(server.seen).toEqual([]);
  });

  test('goes out at the pace that was set', async () => {
    const { send, clock } = await setup([answer(200, accepted)], { ratePerSecond: 2 });
    for (let call = 0; call < 5; call++) await send(createPayout, payout);
    // Five payouts and one token exchange, half a second apart.
    expect(clock.monotonicMs()).toBe(2_500);
  });
});

describe('a payout', () => {
  test.each<[string, Answer, object]>([
    ['500', answer(500, { success: false, errorCode: 'E-1' }), { kind: 'unknown', reason: 'server-error' }],
    [
      '503',
      answer(503, {}, { 'retry-after': '1' }),
      { kind: 'unknown', reason: 'server-error', retryAfterMs: 1_000 },
    ],
    [
      '429',
      answer(429, {}, { 'retry-after': '2' }),
      { kind: 'try_later', reason: 'too-many-requests', retryAfterMs: 2_000 },
    ],
    ['a lost connection', hangUp, { kind: 'unknown', reason: 'connection-lost' }],
    ['a refusal', answer(400, { success: false, errorCode: 'E-1' }), { kind: 'refused', errorCode: 'E-1' }],
    [
      'a used reference',
      answer(409, { success: false, errorCode: 'E-API-D.S-28' }),
      { kind: 'unknown', reason: 'reference-used' },
    ],
    ['a page', answer(200, '<html>'), { kind: 'unknown', reason: 'reply-not-json' }],
  ])('that meets %s is sent once and its outcome told', async (_name, script, expected) => {
    const { send, calls } = await setup([script]);
    expect(await send(createPayout, payout)).toMatchObject({ ...expected, sent: true });
    expect(calls).toHaveLength(1);
  });

  test('that meets 401 is not sent again, and the next call has another token', async () => {
    const { send, calls, minted } = await setup([answer(401, {}), answer(200, accepted)]);
    expect(await send(createPayout, payout)).toMatchObject({
      kind: 'try_later',
      reason: 'unauthorised',
      sent: true,
    });
    expect(calls).toHaveLength(1);
    while (minted() < 2) await wait(1);
    expect(await send(createPayout, payout)).toMatchObject({ kind: 'ok' });
    expect(tokens(calls)).toEqual(['1', '2']);
    expect(minted()).toBe(2);
  });

  test('among a hundred that meet 401 under one token brings about one new token', async () => {
    const { send, calls, minted } = await setup([
      ...Array<Answer>(100).fill(answer(401, {})),
      answer(200, accepted),
    ]);
    await Promise.all(Array.from({ length: 100 }, () => send(createPayout, payout)));
    expect(await send(createPayout, payout)).toMatchObject({ kind: 'ok' });
    expect(new Set(tokens(calls.slice(0, 100)))).toContain('1');
    expect(tokens(calls.slice(100))).toEqual(['2']);
    expect(minted()).toBe(2);
  });

  test('that finds no connection is told as not sent, and is not tried again', async () => {
    const { send, exchanges } = senderOver([unreachable]);
    expect(await send(createPayout, payout)).toMatchObject({
      kind: 'try_later',
      reason: 'connection-failed',
      sent: false,
    });
    expect(exchanges()).toBe(1);
  });
});

describe('a token', () => {
  test('that was asked for before is there for the first call', async () => {
    const { send, beReady, minted, calls } = await setup([answer(200, profile)]);
    void beReady();
    await expect.poll(minted).toBe(1);
    await Promise.all([send(readUser, {}), send(readUser, {})]);
    expect(minted()).toBe(1);
    expect(tokens(calls)).toEqual(['1', '1']);
  });

  test('that was asked for before in vain is asked for by the first call itself', async () => {
    const answers = [replied({ success: false, message: 'no' }), replied(token), replied(profile)];
    const paths: string[] = [];
    const transport: Transport = {
      exchange: async ({ path }) => {
        paths.push(path);
        return answers[paths.length - 1] ?? unreachable;
      },
      close: async () => {},
    };
    const { send, beReady } = senderFor(transport, fakeClock({ sleepsPass: true }));
    void beReady();
    await new Promise(setImmediate);
    expect(await send(readUser, {})).toMatchObject({ kind: 'ok' });
    expect(paths).toEqual([tokenPath, tokenPath, expect.stringContaining('/users')]);
  });
});

describe('without a token', () => {
  test('a payout is never refused or unknown, because nothing of it left', async () => {
    const failures: [Answer, object][] = [
      [answer(401, {}), { reason: 'token-refused', httpStatus: 401 }],
      [answer(403, {}), { reason: 'token-refused', httpStatus: 403 }],
      [
        answer(200, { success: false, errorCode: 'E-B2B-S-118', message: 'User does not exist' }),
        { reason: 'token-refused', errorCode: 'E-B2B-S-118' },
      ],
      [answer(500, {}), { reason: 'token-unavailable', httpStatus: 500 }],
      [answer(429, {}, { 'retry-after': '90' }), { reason: 'token-unavailable', retryAfterMs: 90_000 }],
      [answer(200, { success: true, token: 'a\nb', expiresAt: 1 }), { reason: 'token-unavailable' }],
      [answer(200, { success: true, token: '' }), { reason: 'token-unavailable' }],
      [hangUp, { reason: 'token-unavailable' }],
    ];
    for (const [mint, expected] of failures) {
      const { send, calls } = await setup([answer(200, accepted)], { mint: [mint] });
      expect(await send(createPayout, payout)).toMatchObject({ kind: 'try_later', sent: false, ...expected });
      expect(calls).toEqual([]);
    }
  });

  test('the token exchange is tried again as a read is, but not by every call that waits for it', async () => {
    const { send, minted } = await setup([answer(200, profile)], { mint: [answer(500, {})] });
    const outcomes = await Promise.all([send(readUser, {}), send(readUser, {}), send(createPayout, payout)]);
    expect(outcomes.map((outcome) => outcome.kind !== 'ok' && outcome.reason)).toEqual(
      Array(3).fill('token-unavailable'),
    );
    expect(minted()).toBe(3);
  });

  test('that could be minted at the second try the call goes on', async () => {
    const expiresAt = 4_000_000_000;
    const mint = [answer(503, {}), answer(200, { success: true, token: 'SECRET-TOKEN-2', expiresAt })];
    const { send, calls } = await setup([answer(200, accepted)], { mint });
    expect(await send(createPayout, payout)).toMatchObject({ kind: 'ok' });
    expect(tokens(calls)).toEqual(['2']);
  });
});

describe('a payout', () => {
  test('waits for nothing in a turn that was taken before: neither for the pace nor for a token', async () => {
    const { send, takeTurn, clock, minted } = await setup([answer(200, accepted)], { ratePerSecond: 1 });
    const turn = await takeTurn();
    if (turn.kind !== 'ok') throw new Error(turn.cause);
    await takeTurn();
    const slept = clock.slept.length;

    const sent = await send(createPayout, payout, {
      turn: turn.value,
      begunAgo: () => ({ monotonicMs: 0, wallMs: 0 }),
    });

    expect(sent).toEqual({ kind: 'ok', value: accepted });
    expect(clock.slept).toHaveLength(slept);
    expect(minted()).toBe(1);
  });

  test('that may not leave any more does not: no byte of it is sent', async () => {
    const { send, takeTurn, calls } = await setup([answer(200, accepted)]);
    const turn = await takeTurn();
    if (turn.kind !== 'ok') throw new Error(turn.cause);

    const late = await send(createPayout, payout, {
      turn: turn.value,
      begunAgo: () => ({ monotonicMs: 6_000, wallMs: 6_000 }),
    });

    expect(late).toMatchObject({ kind: 'try_later', reason: 'too-late', sent: false });
    expect(calls).toEqual([]);
    expect(await send(createPayout, payout)).toMatchObject({ kind: 'ok' });
    expect(calls).toHaveLength(1);
  });

  test('whose turn is not waited for has none: nothing left', async () => {
    const { takeTurn } = await setup([answer(200, accepted)], { ratePerSecond: 0.001 });
    await takeTurn();
    const stop = new AbortController();
    const waiting = takeTurn(stop.signal);
    stop.abort();
    expect(await waiting).toMatchObject({ kind: 'try_later', reason: 'aborted', sent: false });
  });

  test('has no turn where there is no token', async () => {
    const { takeTurn } = await setup([answer(200, accepted)], { mint: [answer(500, {})] });
    expect(await takeTurn()).toMatchObject({ kind: 'try_later', reason: 'token-unavailable', sent: false });
  });
});

describe('a read', () => {
  test('is tried again after trouble that may pass, in longer and longer pauses, within its bounds', async () => {
    const { send, calls, clock } = await setup([answer(500, {}), hangUp, answer(200, profile)]);
    expect(await send(readUser, {})).toEqual({ kind: 'ok', value: profile });
    expect(calls).toHaveLength(3);
    expect(clock.slept).toEqual([125, 250]);

    const worse = await setup([answer(502, '<html>')]);
    expect(await worse.send(readUser, {})).toMatchObject({ kind: 'unknown', reason: 'server-error' });
    expect(worse.calls).toHaveLength(3);
  });

  test('waits as long as the service asks, if that is within its bounds', async () => {
    const { send, calls, clock } = await setup([
      answer(503, {}, { 'retry-after': '20' }),
      answer(200, profile),
    ]);
    expect(await send(readUser, {})).toMatchObject({ kind: 'ok' });
    expect(clock.monotonicMs()).toBe(20_000);
    expect(calls).toHaveLength(2);

    const long = await setup([answer(503, {}, { 'retry-after': '61' })]);
    expect(await long.send(readUser, {})).toMatchObject({ reason: 'server-error', retryAfterMs: 61_000 });
    expect(long.calls).toHaveLength(1);
  });

  test.each<[string, Answer, string]>([
    ['a refusal', answer(400, { success: false, errorCode: 'E-1' }), 'refused'],
    ['a 400 that says nothing', answer(400, {}), 'no-error-code'],
    ['a reply of another form', answer(200, { success: true, firstName: 7 }), 'reply-not-understood'],
    ['a reply too large', answer(200, 'x'.repeat(100_001)), 'reply-too-large'],
    ['a redirect', answer(302, {}), 'redirected'],
  ])('is not tried again after %s', async (_name, script, reason) => {
    const { send, calls } = await setup([script]);
    expect(await send(readUser, {})).toMatchObject({ reason });
    expect(calls).toHaveLength(1);
  });

  test('that meets 401 goes once more with a new token, and only once', async () => {
    const once = await setup([answer(401, {}), answer(200, profile)]);
    expect(await once.send(readUser, {})).toMatchObject({ kind: 'ok' });
    expect(tokens(once.calls)).toEqual(['1', '2']);

    // The token's try is beside those that trouble is given.
    const late = await setup([answer(401, {}), answer(500, {}), answer(500, {}), answer(200, profile)]);
    expect(await late.send(readUser, {})).toMatchObject({ kind: 'ok' });

    const forEver = await setup([answer(401, {})]);
    expect(await forEver.send(readUser, {})).toMatchObject({ kind: 'try_later', reason: 'unauthorised' });
    expect(tokens(forEver.calls)).toEqual(['1', '2']);
  });

  test('that is a POST is a read all the same', async () => {
    const { send, calls } = await setup([
      answer(500, {}),
      answer(200, { success: true, data: { accountName: 'A' } }),
    ]);
    const request = { body: { accountNumber: '254708000001', currency: 'KES', method: 'momo' } } as const;
    expect(await send(endpoints.resolveAccount, request)).toMatchObject({ kind: 'ok' });
    expect(calls).toHaveLength(2);
  });

  test('ends with what it knows when its signal aborts in a pause', async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const { send, exchanges } = senderOver([unreachable], clock);
    const outcome = send(readUser, {}, controller);
    await clock.advance(10);
    controller.abort();
    expect(await outcome).toMatchObject({ kind: 'try_later', reason: 'connection-failed' });
    expect([exchanges(), clock.sleepers()]).toEqual([1, 0]);
  });

  test('is not tried again once whoever wants it gives up, in a pause or before; what is under way ends', async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const giveUp = controller.signal;
    const { send, exchanges } = senderOver([unreachable], clock);
    const outcome = send(readUser, {}, { giveUp });
    await clock.advance(10);
    controller.abort();
    await clock.advance(60_000);
    expect(await outcome).toMatchObject({ kind: 'try_later', reason: 'connection-failed' });
    expect([exchanges(), clock.sleepers()]).toEqual([1, 0]);
    const again = send(readUser, {}, { giveUp });
    await clock.advance(60_000);
    expect(await again).toMatchObject({ reason: 'connection-failed' });
    expect(exchanges()).toBe(2);
  });

  test('is not tried again once the connection is closed: nobody waits for a pause any more', async () => {
    const clock = fakeClock();
    const closing = new AbortController();
    const { send, exchanges } = senderOver([unreachable], clock, closing.signal);
    const outcome = send(readUser, {});
    await clock.advance(10);
    closing.abort();
    await clock.advance(0);
    expect(await outcome).toMatchObject({ kind: 'try_later', reason: 'connection-failed' });
    expect([exchanges(), clock.sleepers()]).toEqual([1, 0]);
  });

  test('ends when its signal aborts, and leaves no listener', async () => {
    const controller = new AbortController();
    const { send, calls } = await setup([
      (socket) => {
        socket.write(rawReply(500, {}));
        controller.abort();
      },
    ]);
    expect(await send(readUser, {}, controller)).toMatchObject({ kind: 'unknown' });
    expect(await send(readUser, {}, controller)).toMatchObject({
      kind: 'try_later',
      reason: 'aborted',
      sent: false,
    });
    expect(calls).toHaveLength(1);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });
});

describe('a list', () => {
  const item = { externalAccountId: 'a1' };

  /** It comes whole where it may and is short; as soon as it was asked for somebody may act. */
  function listOf(bytes: number, { status = 200, ratePerSecond = undefined as number | undefined } = {}) {
    const clock = fakeClock({ sleepsPass: true });
    const asked: { whole: boolean; atMs: number }[] = [];
    let onAsked = () => {};
    const taken: unknown[] = [];
    const transport: Transport = {
      async exchange({ path, skim, wholeBytes = 0 }) {
        if (path === tokenPath) return replied(token);
        asked.push({ whole: wholeBytes > 0, atMs: clock.monotonicMs() });
        onAsked();
        if (wholeBytes > 0 && bytes > wholeBytes)
          return { kind: 'reply', status, headers: {}, body: { ended: 'too-large' } };
        const left = [skim?.(Buffer.from(JSON.stringify({ success: true, data: [item] }))), skim?.()];
        const text = left.map((piece) => piece?.toString()).join('');
        return { kind: 'reply', status, headers: {}, body: { ended: 'complete', text } };
      },
      close: async () => {},
    };
    const { send } = senderFor(transport, clock, ratePerSecond);
    const into = {
      begin: () => void taken.splice(0),
      take: (items: readonly unknown[]) => taken.push(...items),
    };
    const read = (giveUp?: AbortSignal) => send(listExternalAccounts, {}, { into, giveUp });
    return { read, asked, taken, when: (act: () => void) => (onAsked = act) };
  }

  test('that is short comes whole each time', async () => {
    const { read, asked, taken } = listOf(1 << 20);
    expect([await read(), await read()]).toMatchObject([{ kind: 'ok' }, { kind: 'ok' }]);
    expect(taken).toEqual([item]);
    expect(asked.map(({ whole }) => whole)).toEqual([true, true]);
  });

  test('that is too long for that is asked for once more, in a turn of its own, and later ones in pieces', async () => {
    const { read, asked, taken } = listOf((1 << 20) + 1, { ratePerSecond: 2 });
    expect([await read(), await read()]).toMatchObject([{ kind: 'ok' }, { kind: 'ok' }]);
    expect(taken).toEqual([item]);
    expect(asked.map(({ whole }) => whole)).toEqual([true, false, false]);
    const [first = 0, second = 0] = asked.map(({ atMs }) => atMs);
    expect(second - first).toBeGreaterThanOrEqual(500);
  });

  test('that is too long for that is not asked for again by one who is to stop', async () => {
    const { read, asked, when } = listOf((1 << 20) + 1);
    const stop = new AbortController();
    when(() => stop.abort());
    expect(await read(stop.signal)).toMatchObject({ kind: 'try_later', reason: 'aborted' });
    expect(asked).toHaveLength(1);
  });

  test('that is refused is not asked for again, however long the refusal', async () => {
    const { read, asked } = listOf((1 << 20) + 1, { status: 404 });
    expect((await read()).kind).not.toBe('ok');
    expect(asked).toHaveLength(1);
  });
});

describe('a write', () => {
  test('is not tried again when it may have been done', async () => {
    for (const script of [answer(500, {}), hangUp, answer(200, '<html>')]) {
      const { send, calls } = await setup([script]);
      expect(await send(createExternalAccount, account)).toMatchObject({ sent: true });
      expect(calls).toHaveLength(1);
    }
  });

  test('that is told to slow down was not done, and goes again', async () => {
    const made = { success: true, data: { id: 'ACC1' } };
    const { send, calls } = await setup([answer(429, {}), answer(200, made)]);
    expect(await send(createExternalAccount, account)).toMatchObject({ kind: 'ok' });
    expect(calls).toHaveLength(2);
  });

  test('that meets 401 goes once more with a new token', async () => {
    const { send, calls } = await setup([answer(401, {}), answer(200, { success: true })]);
    expect(await send(deleteExternalAccount, { params: { externalAccountId: 'A' } })).toMatchObject({
      kind: 'ok',
    });
    expect(tokens(calls)).toEqual(['1', '2']);
  });

  test('that did not leave is tried again', async () => {
    const made = { success: true, data: { id: 'ACC1' } };
    const { send, exchanges } = senderOver([unreachable, unreachable, replied(made)]);
    expect(await send(createExternalAccount, account)).toEqual({ kind: 'ok', value: made });
    expect(exchanges()).toBe(3);
  });
});

describe('after a 429', () => {
  test('every call waits until the time the service named', async () => {
    const { send, clock, calls } = await setup([
      answer(429, {}, { 'retry-after': '30' }),
      answer(200, accepted),
    ]);
    expect(await send(createPayout, payout)).toMatchObject({ reason: 'too-many-requests' });
    expect(clock.monotonicMs()).toBe(0);
    expect(await send(createPayout, payout)).toMatchObject({ kind: 'ok' });
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(30_000);
    expect(calls).toHaveLength(2);
  });
});

describe('successes after a 429', () => {
  test('bring the pace back, little by little', async () => {
    const { send, clock } = await setup([answer(429, {}, { 'retry-after': '0' }), answer(200, accepted)]);
    for (let call = 0; call < 10; call++) await send(createPayout, payout);
    const last = clock.slept.at(-1) ?? 0;
    expect(clock.slept[0]).toBeGreaterThan(last);
    expect(last).toBeLessThan((clock.slept[0] ?? 0) * 0.75);
  });
});

describe('secrets', () => {
  test('are in no outcome, even when the service echoes them in every way it can', async () => {
    const echo =
      (status: number): Answer =>
      (socket, { headers }) => {
        const said = `${headers['authorization'] ?? ''} ${headers['api-key'] ?? ''}`;
        const body = { success: false, errorCode: said, message: `${'x'.repeat(280)} ${said}`, error: said };
        socket.write(rawReply(status, body, { location: said, 'retry-after': said, 'x-token': said }));
      };
    const broken: Answer[] = [...[200, 302, 400, 401, 403, 408, 429, 500, 503].map(echo), hangUp];
    broken.push((socket, { headers }) => socket.end(rawReply(200, JSON.stringify(headers))));
    broken.push((socket, { headers }) =>
      socket.end(`HTTP/1.1 200 ${JSON.stringify(headers)}\r\ncontent-length: 9\r\n\r\n`),
    );
    broken.push((socket, { headers }) => socket.end(`HTTP/1.1 ${JSON.stringify(headers)}\r\n`));
    const outcomes: Outcome<unknown>[] = [];
    for (const script of broken) {
      const service = await setup([script]);
      outcomes.push(await service.send(createPayout, payout), await service.send(readUser, {}));
      const keyless = await setup([answer(200, accepted)], { mint: [script] });
      outcomes.push(await keyless.send(createPayout, payout));
    }
    expect(outcomes).toHaveLength(39);
    for (const outcome of outcomes) {
      expect(outcome.kind).not.toBe('ok');
      const text = JSON.stringify(outcome) + JSON.stringify(Object.values(outcome).map(String));
      expect(text).not.toContain('SECRETKEY');
      expect(text).not.toContain('SECRET-TOKEN');
      expect(text).not.toContain('Bearer S');
    }
  });

  test('what a person gave for one call is concealed in its outcome, failures too, and our own secrets with it', async () => {
    const echo = `4242 4242 4242 4242, 4242424242424242, cvv 123, ${apiKey}`;
    const { send } = await setup([
      answer(200, { ...profile, lastName: echo }),
      answer(400, { success: false, errorCode: 'E 4242424242424242', message: echo }),
    ]);
    for (const kind of ['ok', 'refused']) {
      const outcome = await send(readUser, {}, { secrets: ['4242424242424242', '123'] });
      expect(outcome).toMatchObject({ kind });
      expect(JSON.stringify(outcome)).not.toMatch(/4242|\b123\b|SECRETKEY/);
    }
  });

  test('that were replaced are secrets still', async () => {
    const { send, minted } = await setup([
      answer(401, {}),
      answer(200, { ...profile, lastName: 'SECRET-TOKEN-1' }),
    ]);
    const outcome = await send(readUser, {});
    expect(minted()).toBe(2);
    expect(outcome).toMatchObject({ kind: 'ok', value: { lastName: '[concealed]' } });
  });

  test('are not in what the failed exchange for another one says', async () => {
    const expiresAt = 4_000_000_000;
    const { send } = await setup([answer(401, {})], {
      mint: [
        answer(200, { success: true, token: 'SECRET-TOKEN-1', expiresAt }),
        answer(400, { success: false, errorCode: 'E-1', message: `SECRET-TOKEN-1 for ${apiKey}` }),
      ],
    });
    const outcome = await send(readUser, {});
    expect(outcome).toMatchObject({ reason: 'token-refused', message: '[concealed] for [concealed]' });
  });

  test('are taken as they come where the service gives the same token once more', async () => {
    const expiresAt = 4_000_000_000;
    const { send, calls } = await setup([answer(401, {}), answer(200, profile)], {
      mint: [answer(200, { success: true, token: 'SECRET-TOKEN-7', expiresAt })],
    });
    expect((await send(readUser, {})).kind).toBe('ok');
    expect(tokens(calls)).toEqual(['7', '7']);
  });
});
