import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { PayrunError } from '../../src/errors.ts';
import type { Outcome } from '../../src/service/call-outcome.ts';
import { connectService, type Service, type ServiceOptions } from '../../src/service/client.ts';
import { endpoints } from '../../src/service/contract/endpoints.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { rawReply, rawServer, type SeenRequest } from '../support/raw-server.ts';

const keys = { apiKey: 'sk_live_VERYSECRETKEY0001', publicKey: 'pk_live_0001', version: '1.2.3' };

function connect(options: Partial<ServiceOptions> & { baseUrl: string }): Service {
  const service = connectService({ ...keys, clock: fakeClock({ sleepsPass: true }), ...options });
  onTestFinished(() => service.close());
  return service;
}

/** Mints a token, and answers every other call with one and the same reply. */
function service(reply: unknown, status = 200) {
  return rawServer((request, socket) => {
    const token = { success: true, token: 'SECRET-TOKEN-1', expiresAt: 4_000_000_000 };
    const isMint = request.path.endsWith('/auth/generate-bearer-token');
    socket.write(isMint ? rawReply(200, token) : rawReply(status, reply));
  });
}

const lastOf = (seen: readonly SeenRequest[]) => seen.map(({ method, path }) => `${method} ${path}`).at(-1);

describe('the service', () => {
  test('has a method for each endpoint of the contract, one for a turn, one for a token, one for a stop, and close', () => {
    const client = connect({ baseUrl: 'http://127.0.0.1:1' });
    expect(Object.keys(client).sort()).toEqual(
      [...Object.keys(endpoints), 'takeTurn', 'beReady', 'endSoonAfter', 'close'].sort(),
    );
    expect(Object.keys(client)).toHaveLength(26);
  });

  test('reaches every endpoint at its own path', async () => {
    const server = await service({ success: false, errorCode: 'E-1' }, 400);
    const client = connect({ baseUrl: server.url });
    const amount = { amount: 100, currency: 'KES', externalReference: 'r-1' };
    const email = 'a@example.com';
    const id = { params: { externalAccountId: 'A/1' } };
    const payoutMethod = { accountName: 'A', accountNumber: '0123456789', code: '01' };
    const place = { country: 'KE', currency: 'KES', destination: 'Bank Account' } as const;
    const cardDetails = { cvv: '123', number: '4242424242424242', expMonth: '1', expYear: '30' };
    const calls: [string, () => Promise<Outcome<unknown>>][] = [
      ['GET /api/b2b/users', () => client.readUser()],
      ['GET /api/b2b/transactions?limit=3', () => client.listTransactions({ query: {} })],
      ['GET /api/b2b/transactions/T', () => client.readTransaction({ params: { transactionId: 'T' } })],
      [
        'POST /api/b2b/fiat/deposit/card',
        () => client.chargeByCard({ body: { ...amount, email, cardDetails } }),
      ],
      [
        'POST /api/b2b/fiat/deposit/momo',
        () => client.chargeByMomo({ body: { ...amount, externalAccountId: 'A' } }),
      ],
      [
        'POST /api/b2b/fiat/deposit/bank-transfer',
        () => client.chargeByBankTransfer({ body: { ...amount, email } }),
      ],
      [
        'POST /api/b2b/fiat/deposit/T/authorise',
        () =>
          client.authoriseCharge({ params: { transactionId: 'T' }, body: { type: 'otp', value: '1234' } }),
      ],
      [
        'POST /api/b2b/fiat/payout',
        async () => {
          const turn = await client.takeTurn();
          if (turn.kind !== 'ok') return turn;
          const body = { ...amount, ...place, externalAccountId: 'A' };
          return client.createPayout(
            { body },
            { turn: turn.value, begunAgo: () => ({ monotonicMs: 0, wallMs: 0 }) },
          );
        },
      ],
      [
        'POST /api/b2b/external-accounts',
        () =>
          client.createExternalAccount({
            body: {
              country: 'KE',
              currency: 'KES',
              type: 'bank',
              payload: { ...payoutMethod, destination: 'Bank Account' },
            },
          }),
      ],
      ['GET /api/b2b/external-accounts', () => client.listExternalAccounts()],
      ['GET /api/b2b/external-accounts/A%2F1', () => client.readExternalAccount(id)],
      [
        'PUT /api/b2b/external-accounts/A%2F1',
        () => client.updateExternalAccount({ ...id, body: { ...place, payoutMethod } }),
      ],
      ['DELETE /api/b2b/external-accounts/A%2F1', () => client.deleteExternalAccount(id)],
      [
        'POST /api/b2b/utilities/account/resolve',
        () =>
          client.resolveAccount({
            body: { accountNumber: '0123456789', currency: 'KES', method: 'bank', bankCode: '01' },
          }),
      ],
      [
        'GET /api/b2b/utilities/rates/historical?from=USD&to=KES',
        () => client.listRates({ query: { from: 'USD', to: 'KES' } }),
      ],
      ['GET /api/b2b/utilities/branches?bankId=7', () => client.listBranches({ query: { bankId: 7 } })],
      ['GET /api/b2b/utilities/countries', () => client.listCountries({})],
      [
        'GET /api/b2b/webhooks?status=FAILED&limit=50',
        () => client.listWebhooks({ query: { status: 'FAILED' } }),
      ],
      ['GET /api/b2b/webhook/W', () => client.readWebhook({ params: { id: 'W' } })],
      ['POST /api/b2b/webhooks/W/resend', () => client.resendWebhook({ params: { id: 'W' } })],
      [
        'POST /api/sandbox/b2b/utilities/simulate-webhook',
        () => client.simulateWebhook({ body: { externalReference: 'r-1', webhookStatus: 'failed' } }),
      ],
    ];
    for (const [expected, call] of calls) {
      expect(await call()).toMatchObject({ kind: 'refused', errorCode: 'E-1' });
      expect(lastOf(server.seen)).toBe(expected);
    }
    expect(await client.exchangeToken({ body: { publicKey: 'pk' } })).toMatchObject({ kind: 'ok' });
    expect(lastOf(server.seen)).toBe('POST /api/b2b/auth/generate-bearer-token');
    expect(calls.length + 1).toBe(Object.keys(endpoints).length);
  });

  test('types the value of an ok outcome and the parts of a request', () => {
    expectTypeOf<
      Extract<Awaited<ReturnType<Service['createPayout']>>, { kind: 'ok' }>['value']['transactionId']
    >().toEqualTypeOf<string>();
    expectTypeOf<Parameters<Service['readTransaction']>[0]>().toEqualTypeOf<{
      readonly params: { transactionId: string };
    }>();
    // @ts-expect-error a payout has an amount
    const wrong: Parameters<Service['createPayout']>[0] = { body: { currency: 'KES' } };
    expect(wrong).toBeDefined();
  });

  test('keeps the path of its base URL and takes another prefix', async () => {
    const server = await service({ success: true });
    const client = connect({ baseUrl: `${server.url}/gateway/v1/`, prefix: 'api/sandbox/b2b/' });
    await client.readUser();
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/gateway/v1/api/sandbox/b2b/auth/generate-bearer-token',
      '/gateway/v1/api/sandbox/b2b/users',
    ]);
    await client.simulateWebhook({ body: { externalReference: 'r', webhookStatus: 'successful' } });
    expect(lastOf(server.seen)).toBe('POST /gateway/v1/api/sandbox/b2b/utilities/simulate-webhook');
  });

  test('accepts a long list of external accounts, and elsewhere no more than it was told', async () => {
    const data = Array.from({ length: 200 }, (_, index) => ({ externalAccountId: `A${index}` }));
    const server = await service({ success: true, data });
    const client = connect({ baseUrl: server.url, replyLimitBytes: 1_000 });
    expect(await client.listExternalAccounts()).toMatchObject({ kind: 'ok' });
    expect(await client.listTransactions({ query: {} })).toMatchObject({ reason: 'reply-too-large' });
  });

  test('makes no more calls at once than it has connections', async () => {
    const open: Socket[] = [];
    let most = 0;
    const reply = rawReply(200, { success: true, token: 'SECRET-TOKEN-1', expiresAt: 4_000_000_000 });
    const server = await rawServer((request, socket) => {
      if (request.path.startsWith('/api/b2b/auth')) return void socket.write(reply);
      most = Math.max(most, open.push(socket));
      // Only once all connections are busy, and in another turn of the loop: a fourth would be seen.
      if (open.length === 3) {
        setImmediate(() => {
          for (const waiting of open.splice(0)) waiting.write(reply);
        });
      }
    });
    const client = connect({ baseUrl: server.url, concurrency: 3 });
    await Promise.all(Array.from({ length: 12 }, () => client.readUser()));
    expect(most).toBe(3);
  });

  test('does not go on trying for a token once it is closed', async () => {
    const clock = fakeClock();
    const server = await rawServer((_, socket) => socket.write(rawReply(503, {}, { 'retry-after': '30' })));
    const client = connect({ baseUrl: server.url, clock });
    const call = client.readUser();
    while (clock.sleepers() === 0) await wait(1);
    await client.close();
    expect(await call).toMatchObject({ kind: 'try_later', reason: 'token-unavailable', sent: false });
    expect(clock.sleepers()).toBe(0);
    expect(server.seen).toHaveLength(1);
  });

  test('is closed once, and calls after that come to nothing', async () => {
    const server = await service({ success: true });
    const client = connect({ baseUrl: server.url });
    expect(await client.readUser()).toMatchObject({ kind: 'ok' });
    await client.close();
    await client.close();
    expect(await client.readUser()).toMatchObject({ kind: 'try_later', reason: 'closed', sent: false });
    expect(server.seen).toHaveLength(2);
  });
});

describe('a base URL', () => {
  const refusalOf = (baseUrl: string, options: Partial<ServiceOptions> = {}) => {
    try {
      connect({ baseUrl, ...options });
    } catch (error) {
      expect(error).toBeInstanceOf(PayrunError);
      return error as PayrunError;
    }
    return undefined;
  };

  test.each([
    'http://127.0.0.1:8080',
    'http://127.9.9.9',
    'http://localhost:8080/base',
    'http://[::1]:8080',
    'https://api.example.com',
    'https://api.example.com/with/path/',
    'https://10.0.0.1',
  ])('%s is accepted', (baseUrl) => {
    expect(refusalOf(baseUrl)).toBeUndefined();
  });

  test.each([
    'http://api.example.com',
    'http://10.0.0.1',
    'http://128.0.0.1',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'http://[::2]',
    'http://0.0.0.0',
  ])('%s is refused as insecure, and the message says what to do', (baseUrl) => {
    const refusal = refusalOf(baseUrl);
    expect(refusal).toMatchObject({ code: 'insecure-url', exit: 78 });
    expect(refusal?.message).toContain(`use https://${new URL(baseUrl).host}`);
  });

  test.each([
    'https://user:hunter2@api.example.com',
    'https://user@api.example.com',
    'https://api.example.com/?key=hunter2',
    'https://api.example.com/#hunter2',
    'https://api.example.com\nhunter2',
    'https://api.example.com/ hunter2',
    'https://api.example\u200b.com',
    'ftp://api.example.com',
    'api.example.com',
    '',
  ])('%s is refused without being repeated', (baseUrl) => {
    const refusal = refusalOf(baseUrl);
    expect(refusal).toMatchObject({ code: 'invalid-url', exit: 78 });
    expect(refusal?.message).not.toContain('hunter2');
  });

  test('with a prefix that leads elsewhere, or a key that no header can carry, is refused too', () => {
    const baseUrl = 'https://api.example.com';
    for (const prefix of ['/api/../admin', '..', '/api?x', '/api b2b', 'https://elsewhere']) {
      expect(refusalOf(baseUrl, { prefix })).toMatchObject({ code: 'invalid-prefix', exit: 78 });
    }
    for (const apiKey of ['', 'sk_live_1\n', 'sk live', 'sk_lïve']) {
      const refusal = refusalOf(baseUrl, { apiKey });
      expect(refusal).toMatchObject({ code: 'invalid-key', exit: 78 });
      if (apiKey) expect(refusal?.message).not.toContain(apiKey.trim());
    }
    expect(refusalOf(baseUrl, { publicKey: ' ' })).toMatchObject({ code: 'invalid-key', exit: 78 });
  });
});
