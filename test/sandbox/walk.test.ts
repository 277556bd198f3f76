import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  at,
  exchangeToken,
  failureWith,
  integer,
  newPhone,
  numberAt,
  type PlainService,
  payoutTo,
  send,
  startService,
  textAt,
  until,
} from './plain-http.ts';

let service: PlainService;

beforeAll(async () => {
  service = await startService('--webhook-url', 'http://127.0.0.1:9/unheard');
});

afterAll(async () => {
  await service.stop();
});

/** Every path of the specification but the token exchange. */
const guarded: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/api/b2b/users'],
  ['GET', '/api/b2b/transactions'],
  ['GET', '/api/b2b/transactions/some-id'],
  ['POST', '/api/b2b/fiat/deposit/card'],
  ['POST', '/api/b2b/fiat/deposit/momo'],
  ['POST', '/api/b2b/fiat/deposit/bank-transfer'],
  ['POST', '/api/b2b/fiat/deposit/some-id/authorise'],
  ['POST', '/api/b2b/fiat/payout'],
  ['POST', '/api/b2b/external-accounts'],
  ['GET', '/api/b2b/external-accounts'],
  ['GET', '/api/b2b/external-accounts/some-id'],
  ['PUT', '/api/b2b/external-accounts/some-id'],
  ['DELETE', '/api/b2b/external-accounts/some-id'],
  ['POST', '/api/b2b/utilities/account/resolve'],
  ['GET', '/api/b2b/utilities/rates/historical'],
  ['GET', '/api/b2b/utilities/branches'],
  ['GET', '/api/b2b/webhooks'],
  ['GET', '/api/b2b/webhook/some-id'],
  ['POST', '/api/b2b/webhooks/some-id/resend'],
  ['POST', '/api/sandbox/b2b/utilities/simulate-webhook'],
];

describe('token exchange', () => {
  test('gives a JWT that lasts an hour for the right pair of keys', async () => {
    const answer = await exchangeToken(service);

    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.body).toEqual({ success: true, token: expect.any(String), expiresAt: integer });
    const [header, payload, signature] = textAt(answer.body, 'token').split('.');
    expect(JSON.parse(Buffer.from(header ?? '', 'base64url').toString())).toMatchObject({ alg: 'HS256' });
    expect(JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())).toBeTypeOf('object');
    expect(signature).toMatch(/^[\w-]{43}$/);
    const lifetime = numberAt(answer.body, 'expiresAt') - Date.now() / 1000;
    expect(lifetime).toBeGreaterThan(3590);
    expect(lifetime).toBeLessThanOrEqual(3601);
  });

  test.each([
    ['a wrong API key', { apiKey: 'sk_wrong' }],
    ['no API key', { apiKey: undefined }],
    ['a wrong public key', { publicKey: 'pk_wrong' }],
  ])('refuses %s with 401', async (_, changed) => {
    const answer = await exchangeToken(service, changed);
    expect(answer).toMatchObject({ status: 401, body: failureWith() });
  });

  test.each([
    ['missing', undefined],
    ['a number', 7],
    ['empty', ''],
  ])('refuses a public key that is %s', async (_, publicKey) => {
    const answer = await exchangeToken(service, { publicKey });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body).toEqual(failureWith());
  });

  test.each(guarded)('guards %s %s', async (method, path) => {
    const token = await service.signIn();
    const [head, payload] = token.split('.');
    const forged = createHmac('sha256', 'guess').update(`${head}.${payload}`).digest('base64url');
    const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const bad = [
      undefined,
      'Bearer nonsense',
      `Bearer ${head}.${payload}.${forged}`,
      `Bearer ${unsigned}.${payload}.`,
      `Basic ${token}`,
      token,
    ];
    for (const authorization of bad) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const answer = await send(method, service.url + path, body, headers);
      expect(answer.status, `with ${authorization}`).toBe(401);
      expect(answer.body).toEqual(failureWith());
    }
  });

  test('guards the countries, whose failure body is an error text', async () => {
    const answer = await send('GET', `${service.url}/api/b2b/utilities/countries`);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ success: false, error: expect.stringMatching(/./) });
  });

  test('needs no bearer token, and minds none', async () => {
    const answer = await service.call(
      'POST',
      '/auth/generate-bearer-token',
      { publicKey: service.publicKey },
      { 'api-key': service.apiKey, authorization: 'Bearer stale' },
    );
    expect(answer.status).toBe(200);
  });

  test('makes a token worthless when it expires', async () => {
    const brief = await startService('--token-lifetime', '1s');
    const readUser = async (token: string) =>
      (await send('GET', `${brief.url}/api/b2b/users`, undefined, { authorization: `Bearer ${token}` }))
        .status;
    /** A token of one second, minted late in a second, may be stale when it arrives. */
    const freshToken = async () => {
      let token = '';
      await until(async () => {
        const answer = await exchangeToken(brief);
        expect(numberAt(answer.body, 'expiresAt') * 1000).toBeLessThanOrEqual(Date.now() + 1000);
        token = textAt(answer.body, 'token');
        expect(await readUser(token)).toBe(200);
      });
      return token;
    };
    try {
      const token = await freshToken();
      await until(async () => expect(await readUser(token)).toBe(401));
      expect(await freshToken()).not.toBe(token);
    } finally {
      await brief.stop();
    }
  });
});

describe('user profile', () => {
  test('has every field of the specification at the top level', async () => {
    const answer = await service.get('/users');

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      success: true,
      firstName: expect.stringMatching(/./),
      lastName: expect.stringMatching(/./),
      email: expect.stringMatching(/^\S+@\S+$/),
      publicKey: service.publicKey,
      webhookUrl: 'http://127.0.0.1:9/unheard',
      sandboxWebhookUrl: 'http://127.0.0.1:9/unheard',
      KESWallet: { balance: expect.any(Number) },
    });
  });

  test('has a wallet for every currency of the reference data', async () => {
    const { body } = await service.get('/users');
    for (const code of 'KES UGX TZS NGN GHS RWF ZMW XOF XAF MWK BWP ZAR USD'.split(' ')) {
      expect(at(body, `${code}Wallet`, 'balance'), code).toBeTypeOf('number');
    }
  });

  test('answers that the user does not exist when that is ordered', async () => {
    await service.control('POST', 'answers', { endpoint: 'readUser', errorCode: 'E-B2B-S-118' });
    const answer = await service.get('/users');
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body).toEqual(failureWith('E-B2B-S-118', 'User does not exist'));
    expect((await service.get('/users')).status).toBe(200);
  });
});

describe('the door', () => {
  test('answers below both prefixes, with one and the same account behind them', async () => {
    const other = await exchangeToken(service, { prefix: '/api/sandbox/b2b' });
    const headers = { authorization: `Bearer ${textAt(other.body, 'token')}` };
    const reference = 'both-prefixes';
    const payout = payoutTo(newPhone(), { externalReference: reference });

    expect((await service.post('/api/sandbox/b2b/fiat/payout', payout)).status).toBe(200);
    for (const prefix of ['/api/b2b', '/api/sandbox/b2b']) {
      const read = await send('GET', `${service.url}${prefix}/transactions/${reference}`, undefined, headers);
      expect(read).toMatchObject({ status: 200, body: { data: { externalReference: reference } } });
    }
  });

  test('describes itself at /openapi.json, to anybody, with every path of the specification', async () => {
    const answer = await send('GET', `${service.url}/openapi.json`);
    expect(answer).toMatchObject({ status: 200, body: { info: { version: '1.0.0' } } });
    expect(answer.body).toMatchObject({ openapi: expect.stringMatching(/^3\./) });
    const described = Object.keys(at(answer.body, 'paths') as object).map((path) =>
      path.replace(/\{\w+\}/g, 'some-id'),
    );
    for (const [, path] of guarded) expect(described).toContain(path);
  });

  test.each([
    ['an unknown path', 'GET', '/api/b2b/salaries', 404],
    ['a path outside of the service', 'GET', '/api/b2c/users', 404],
    ['a wrong method', 'DELETE', '/api/b2b/users', 405],
    ['a wrong method on the payout', 'GET', '/api/b2b/fiat/payout', 405],
    ['a duplicated query parameter', 'GET', '/api/b2b/webhooks?limit=1&limit=2', 400],
    ['an unknown query parameter', 'GET', '/api/b2b/webhooks?colour=blue', 400],
  ])('refuses %s in the failure envelope', async (_, method, path, status) => {
    const answer = await service.call(method, path);
    expect(answer).toMatchObject({ status, body: failureWith() });
  });

  test.each([
    ['cut short', '{"amount": 100,'],
    ['no JSON', 'amount=100'],
    ['empty', ''],
    ['a list', '[]'],
    ['null', 'null'],
  ])('refuses a body that is %s', async (_, text) => {
    const answer = await service.post('/fiat/payout', text);
    expect(answer).toMatchObject({ status: 400, body: failureWith('VALIDATION_ERROR') });
  });

  test('refuses an unknown field of a body, in the outer object and in an inner one', async () => {
    const outer = payoutTo(newPhone(), { narration: 'November' });
    const inner = payoutTo(newPhone());
    inner.payoutMethod = { ...inner.payoutMethod, iban: 'GB00' };
    for (const body of [outer, inner]) {
      const answer = await service.post('/fiat/payout', body);
      expect(answer).toMatchObject({ status: 400, body: failureWith('VALIDATION_ERROR') });
    }
  });

  test('refuses a body that is too large with 413, and goes on', async () => {
    const answer = await service.post('/fiat/payout', `{"amount":"${'9'.repeat(200_000)}"}`);
    expect(answer).toMatchObject({ status: 413, body: failureWith() });
    expect((await service.get('/users')).status).toBe(200);
  });

  test('opens the control path only to the API key', async () => {
    const url = `${service.url}/_sandbox/books`;
    const token = await service.signIn();
    for (const headers of [{}, { 'api-key': 'sk_wrong' }, { authorization: `Bearer ${token}` }]) {
      const answer = await send('GET', url, undefined, headers as Record<string, string>);
      expect(answer.status).toBe(401);
      expect(at(answer.body, 'accounts')).toBeUndefined();
    }
    expect(await service.control('GET', 'books')).toMatchObject({ status: 200, body: { balanced: true } });
    expect((await service.control('GET', 'nothing')).status).toBe(404);
    expect((await service.control('PUT', 'faults', { plan: 'gremlins=1' })).status).toBe(400);
  });
});
