import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts';
import type { Endpoint } from '../../src/service/contract/endpoint.ts';
import { endpoints } from '../../src/service/contract/endpoints.ts';
import { callSandbox, type SandboxCaller } from '../support/sandbox-caller.ts';

let sandbox: Sandbox;
let caller: SandboxCaller;
beforeAll(async () => {
  sandbox = await startSandbox();
  caller = await callSandbox(sandbox);
});
afterAll(() => sandbox.close());

/** Values near to right ones get past the first checks; pure noise would never get that far. */
const plausible = fc.oneof(
  fc.constantFrom<unknown>(
    'KE',
    'UG',
    'KES',
    'XOF',
    'USD',
    'MoMo',
    'Bank Account',
    'momo',
    'bank',
    'otp',
    'pending',
    '+254712345678',
    '0123456789',
    'a@example.com',
    '4242424242424242',
    '2026-11-15',
    'r1',
    1,
    0,
    -1,
    0.001,
    1e300,
    999999999999999,
    null,
    true,
    [],
    {},
    '',
  ),
  fc.jsonValue({ maxDepth: 3 }),
);
const names = [
  'amount',
  'currency',
  'country',
  'destination',
  'externalReference',
  'externalAccountId',
  'payoutMethod',
  'debitCurrency',
  'debitCountry',
  'type',
  'payload',
  'accountNumber',
  'method',
  'bankCode',
  'email',
  'cardDetails',
  'phoneNumber',
  'momoOperatorId',
  'value',
  'webhookStatus',
  'publicKey',
  'accountName',
  'code',
  'branchCode',
  'firstName',
  'lastName',
  'number',
  'cvv',
  'expMonth',
  'expYear',
  '__proto__',
  'constructor',
];
const object = fc.dictionary(
  fc.constantFrom(...names),
  fc.oneof(plausible, fc.dictionary(fc.constantFrom(...names), plausible)),
);
const body = fc.oneof(
  object.map((value) => JSON.stringify(value)),
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.constant(''),
  fc.constant('['.repeat(20_000)),
  fc.constant('{"a":'.repeat(8_000)),
);
const query = fc.oneof(
  fc.webQueryParameters(),
  fc
    .dictionary(
      fc.constantFrom(
        'currency',
        'type',
        'externalReference',
        'startDate',
        'endDate',
        'status',
        'limit',
        'transactionId',
        'from',
        'to',
        'bankId',
        'reference',
      ),
      fc.string(),
    )
    .map((value) => new URLSearchParams(value).toString()),
);

function expectProper(status: number, text: string, endpoint: Endpoint): void {
  expect(status, text).toBeLessThan(500);
  const reply = JSON.parse(text) as Record<string, unknown>;
  if (status < 400) return;
  if (endpoint.failureBody === 'empty' && status === 400) expect(reply).toEqual({});
  else if (endpoint.failureBody === 'error-text')
    expect(reply).toMatchObject({ success: false, error: expect.any(String) });
  else
    expect(reply).toMatchObject({
      success: false,
      message: expect.any(String),
      errorCode: expect.any(String),
    });
}

describe('bad input', () => {
  for (const [name, endpoint] of Object.entries(endpoints) as [string, Endpoint][]) {
    test(`to ${name} gets a 4xx in its failure form, never a 500`, async () => {
      await fc.assert(
        fc.asyncProperty(body, query, fc.string({ minLength: 1 }), async (sent, asked, id) => {
          const prefix = endpoint.sandboxOnly ? '/api/sandbox/b2b' : '/api/b2b';
          const path = prefix + endpoint.path.replace(/\{.*?\}/, () => encodeURIComponent(id.toWellFormed()));
          const init =
            endpoint.method === 'GET' || endpoint.method === 'DELETE' ? {} : { body: sent.toWellFormed() };
          const response = await caller.raw(`${path}?${asked}`, { method: endpoint.method, ...init });
          if (path.endsWith('/.') || path.endsWith('/..')) return;
          expectProper(response.status, await response.text(), endpoint);
        }),
        { numRuns: 40 },
      );
    });
  }

  test('that is not HTTP at all does not end the service', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 2000 }), async (bytes) => {
        await new Promise<void>((resolve) => {
          const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1', () => socket.end(bytes));
          socket.on('data', () => undefined);
          socket.on('error', () => resolve());
          socket.on('close', () => resolve());
        });
      }),
      { numRuns: 50 },
    );
    expect((await caller.get('/users')).status).toBe(200);
  });

  test('leaves the books balanced', async () => {
    expect((await caller.control('GET', 'books')).body.findings).toEqual([]);
  });

  test('on the control path is refused too', async () => {
    for (const path of [
      'faults',
      'answers',
      'profile',
      'people',
      'funds',
      'virtual-account-payments',
      'nothing',
    ]) {
      for (const junk of [
        null,
        [],
        { plan: 'no-such-fault=1' },
        { currency: 'XXX', amount: '1' },
        { currency: 'KES', amount: '-99999999999999' },
        7,
      ]) {
        for (const method of ['PUT', 'POST']) {
          const { status, body: reply } = await caller.control(method, path, junk);
          if (path === 'people' && method === 'POST' && Array.isArray(junk)) continue;
          expect([400, 404], `${method} ${path} ${JSON.stringify(junk)}`).toContain(status);
          expect(reply.success).toBe(false);
        }
      }
    }
  });
});
