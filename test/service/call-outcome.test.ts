import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callOutcome, type Outcome } from '../../src/service/call-outcome.ts';
import { concealSecrets } from '../../src/service/conceal-secrets.ts';
import type { Endpoint } from '../../src/service/contract/endpoint.ts';
import { endpoints } from '../../src/service/contract/endpoints.ts';
import type { Exchange, NoReply, Reply } from '../../src/service/exchange.ts';

const nowMs = Date.UTC(2026, 10, 12, 8);
const secrets = ['sk_live_0123456789', 'eyJhbGciOiJIUzI1NiJ9.payload.signature'];
const context = { nowMs, conceal: concealSecrets(secrets) };
const { createPayout, listTransactions, listCountries, simulateWebhook, chargeByMomo, readUser } = endpoints;

const accepted = { success: true, message: 'Accepted', transactionId: 'TX1' };
const refusal = { success: false, message: 'Insufficient balance.', errorCode: 'E-API-P.S-41' };
const usedReference = {
  success: false,
  message: 'External reference already used.',
  errorCode: 'E-API-D.S-28',
};

function reply(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'reply', status, headers, body: { ended: 'complete', text } };
}

function broken(
  status: number,
  ended: 'cut-off' | 'too-large' | 'timed-out' | 'aborted' | 'not-text',
): Reply {
  return { kind: 'reply', status, headers: {}, body: { ended } };
}

function noReply(phase: NoReply['phase'], cause: NoReply['cause'], code?: string): NoReply {
  return { kind: 'no-reply', phase, cause, error: Object.assign(new Error('secret detail'), { code }) };
}

const brief = (outcome: Outcome<unknown>) =>
  outcome.kind === 'ok' ? 'ok' : `${outcome.kind} ${outcome.reason} ${outcome.sent ? 'sent' : 'not sent'}`;

describe('a payout', () => {
  const cases: [string, Exchange, string][] = [
    [
      'a refused connection',
      noReply('before-send', 'error', 'ECONNREFUSED'),
      'try_later connection-refused not sent',
    ],
    ['an unknown host', noReply('before-send', 'error', 'ENOTFOUND'), 'try_later host-not-found not sent'],
    [
      'a name server that is down',
      noReply('before-send', 'error', 'EAI_AGAIN'),
      'try_later host-not-found not sent',
    ],
    [
      'a bad certificate',
      noReply('before-send', 'error', 'CERT_HAS_EXPIRED'),
      'try_later tls-failed not sent',
    ],
    [
      'a self-signed one',
      noReply('before-send', 'error', 'DEPTH_ZERO_SELF_SIGNED_CERT'),
      'try_later tls-failed not sent',
    ],
    [
      'a wrong name in it',
      noReply('before-send', 'error', 'ERR_TLS_CERT_ALTNAME_INVALID'),
      'try_later tls-failed not sent',
    ],
    [
      'no TLS at all',
      noReply('before-send', 'error', 'ERR_SSL_WRONG_VERSION_NUMBER'),
      'try_later tls-failed not sent',
    ],
    [
      'a reset while connecting',
      noReply('before-send', 'error', 'ECONNRESET'),
      'try_later connection-failed not sent',
    ],
    ['an error without a code', noReply('before-send', 'error'), 'try_later connection-failed not sent'],
    [
      'a time-out while connecting',
      noReply('before-send', 'timed-out'),
      'try_later not-sent-in-time not sent',
    ],
    ['an abort before sending', noReply('before-send', 'aborted'), 'try_later aborted not sent'],
    ['a closed client', noReply('before-send', 'closed'), 'try_later closed not sent'],
    ['a time-out', noReply('after-send', 'timed-out'), 'unknown timed-out sent'],
    ['a reset', noReply('after-send', 'error', 'ECONNRESET'), 'unknown connection-lost sent'],
    [
      'a refusal said of a sent request',
      noReply('after-send', 'error', 'ECONNREFUSED'),
      'unknown connection-lost sent',
    ],
    ['an abort after sending', noReply('after-send', 'aborted'), 'unknown aborted sent'],

    ['401', reply(401, refusal), 'try_later unauthorised sent'],
    ['401 with a success in it', reply(401, accepted), 'try_later unauthorised sent'],
    ['401 without a readable body', broken(401, 'cut-off'), 'try_later unauthorised sent'],
    ['429', reply(429, 'slow down'), 'try_later too-many-requests sent'],
    ['302', reply(302, accepted), 'unknown redirected sent'],
    ['304', reply(304, ''), 'unknown redirected sent'],
    ['408', reply(408, refusal), 'unknown request-timeout sent'],
    ['500 with a refusal in it', reply(500, refusal), 'unknown server-error sent'],
    ['503 with a used reference in it', reply(503, usedReference), 'unknown server-error sent'],
    ['502 with a success in it', reply(502, accepted), 'unknown server-error sent'],
    ['a status beyond all', reply(700, accepted), 'unknown unexpected-status sent'],

    ['200 with a transaction id', reply(200, accepted), 'ok'],
    ['202 with a transaction id', reply(202, accepted), 'ok'],
    ['200 without one', reply(200, { success: true }), 'unknown reply-not-understood sent'],
    [
      '200 with an empty one',
      reply(200, { ...accepted, transactionId: '' }),
      'unknown reply-not-understood sent',
    ],
    [
      '200 with a blank one',
      reply(200, { ...accepted, transactionId: ' ' }),
      'unknown reply-not-understood sent',
    ],
    [
      '200 with a number for one',
      reply(200, { ...accepted, transactionId: 7 }),
      'unknown reply-not-understood sent',
    ],
    [
      '200 that does not say success',
      reply(200, { transactionId: 'TX1' }),
      'unknown reply-not-understood sent',
    ],
    [
      '200 with success as text',
      reply(200, { ...accepted, success: 'true' }),
      'unknown reply-not-understood sent',
    ],
    [
      '200 with an inherited success',
      reply(200, '{"__proto__":{"success":true,"transactionId":"X"}}'),
      'unknown reply-not-understood sent',
    ],
    ['204 without a body', reply(204, ''), 'unknown reply-not-json sent'],
    ['200 with a web page', reply(200, '<html>Welcome</html>'), 'unknown reply-not-json sent'],
    ['200 with null', reply(200, 'null'), 'unknown reply-not-understood sent'],
    [
      '200 nested too deep',
      reply(200, `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
      'unknown reply-not-json sent',
    ],
    [
      '200 with depth beside the id',
      reply(200, `{"success":true,"transactionId":"TX1","x":${'['.repeat(65)}${']'.repeat(65)}}`),
      'unknown reply-not-json sent',
    ],
    ['200 with brackets in a text', reply(200, { ...accepted, message: `\\"${'['.repeat(100)}` }), 'ok'],
    ['200 compressed', reply(200, accepted, { 'content-encoding': 'gzip' }), 'unknown reply-not-json sent'],
    ['200 said to be as it is', reply(200, accepted, { 'content-encoding': 'Identity' }), 'ok'],
    ['200 cut off', broken(200, 'cut-off'), 'unknown reply-cut-off sent'],
    ['200 that never ends', broken(200, 'timed-out'), 'unknown timed-out sent'],
    ['200 broken off by us', broken(200, 'aborted'), 'unknown aborted sent'],
    ['200 too large', broken(200, 'too-large'), 'unknown reply-too-large sent'],
    ['200 in no encoding', broken(200, 'not-text'), 'unknown reply-not-json sent'],

    ['400 with a refusal', reply(400, refusal), 'refused refused sent'],
    ['200 with a refusal', reply(200, refusal), 'refused refused sent'],
    ['403 with a refusal', reply(403, refusal), 'refused refused sent'],
    [
      'a refusal without words',
      reply(400, { success: false, errorCode: 'E-1', message: null }),
      'refused refused sent',
    ],
    [
      'a refusal with a transaction id',
      reply(200, { ...accepted, ...refusal }),
      'unknown reply-not-understood sent',
    ],
    ...[
      'Duplicate external reference',
      'Duplicated externalReference: 8f3a-11',
      'This external reference has already been used',
      'externalReference already exists',
      'External Reference is already in use',
      'external_reference must be unique',
      'External reference "8f3a-11" is not unique.',
      'A payout with this external reference already exists.',
      'Payout failed: transaction already exists for external reference 8f3a-11',
    ].map((message): [string, Exchange, string] => [
      `409 without a code: ${message}`,
      reply(409, { success: false, message }),
      'unknown reference-used sent',
    ]),
    ...[
      'No funds were used. Reference: 8f3a',
      'No funds were used. External reference: 8f3a',
      'Your limit was used up. External reference 8f3a',
      'No funds were used for external reference 8f3a',
      'External reference does not exist',
      'External reference 8f3a is not used by any wallet that exists',
      'Reference already used',
      'Account number already in use, reference 8f3a',
    ].map((message): [string, Exchange, string] => [
      `409 without a code: ${message}`,
      reply(409, { success: false, message }),
      'unknown no-error-code sent',
    ]),
    ['400 cut off', broken(400, 'cut-off'), 'unknown reply-cut-off sent'],
    ['400 with nothing', reply(400, {}), 'unknown no-error-code sent'],
    ['400 without a code', reply(400, { success: false, message: 'No.' }), 'unknown no-error-code sent'],
    ['200 without a code', reply(200, { success: false, message: 'No.' }), 'unknown no-error-code sent'],
    [
      '400 with a code of blanks',
      reply(400, { success: false, errorCode: ' \u0000 ' }),
      'unknown no-error-code sent',
    ],
    ['400 with a code and no success', reply(400, { errorCode: 'E-1' }), 'unknown no-error-code sent'],
    ['400 with a success', reply(400, accepted), 'unknown no-error-code sent'],
    ['404 with a web page', reply(404, '<h1>Not found</h1>'), 'unknown reply-not-json sent'],

    ['409 for a used reference', reply(409, usedReference), 'unknown reference-used sent'],
    ['200 for a used reference', reply(200, usedReference), 'unknown reference-used sent'],
    [
      'its code in other letters',
      reply(409, { success: false, errorCode: ' e-api-d.s-28' }),
      'unknown reference-used sent',
    ],
    [
      'its code without a word of success',
      reply(409, { errorCode: 'E-API-D.S-28' }),
      'unknown reference-used sent',
    ],
    [
      'its words under another code: the code decides',
      reply(400, { ...usedReference, errorCode: 'E-API-P.S-28' }),
      'refused refused sent',
    ],
    [
      'a refusal that speaks of a reference and of use',
      reply(400, { ...refusal, message: 'no funds were used. Reference: 8f3a' }),
      'refused refused sent',
    ],
    [
      'its code with a transaction id',
      reply(409, { ...usedReference, transactionId: 'TX1' }),
      'unknown reply-not-understood sent',
    ],
    [
      'a refusal of the reference for another reason',
      reply(400, { ...refusal, message: 'The reference is too long.' }),
      'refused refused sent',
    ],
    [
      'a refusal of something else that exists',
      reply(400, { ...refusal, message: 'This account does not exist.' }),
      'refused refused sent',
    ],

    ['the last status of success', reply(299, accepted), 'ok'],
    ['the first that points elsewhere', reply(300, accepted), 'unknown redirected sent'],
    ['the last that points elsewhere', reply(399, accepted), 'unknown redirected sent'],
    ['the last that refuses', reply(499, refusal), 'refused refused sent'],
    ['the last that fails', reply(599, refusal), 'unknown server-error sent'],
    ['a status beyond all', reply(600, accepted), 'unknown unexpected-status sent'],
  ];
  test.each(cases)('that meets %s is classified', (_name, exchange, expected) => {
    expect(brief(callOutcome(createPayout, exchange, context))).toBe(expected);
  });
});

describe('other calls', () => {
  test('are ok when their reply fits, and carry it', () => {
    const outcome = callOutcome(listTransactions, reply(200, { success: true, data: [], more: 1 }), context);
    expect(outcome).toEqual({ kind: 'ok', value: { success: true, data: [], more: 1 } });
  });

  test('say where a reply does not fit, without its values', () => {
    const outcome = callOutcome(
      listTransactions,
      reply(200, { success: true, data: [{ transactionId: 8151 }] }),
      context,
    );
    expect(outcome).toMatchObject({ kind: 'unknown', reason: 'reply-not-understood' });
    expect(JSON.stringify(outcome)).toContain('data.0.transactionId');
    expect(JSON.stringify(outcome)).not.toContain('8151');
  });

  test('are refused for a used reference, which only for a payout is unknown', () => {
    expect(brief(callOutcome(chargeByMomo, reply(409, usedReference), context))).toBe('refused refused sent');
  });

  test('are refused though a transaction is named, which only for a payout contradicts itself', () => {
    const named = reply(400, { ...refusal, transactionId: 'TX1' });
    expect(brief(callOutcome(chargeByMomo, named, context))).toBe('refused refused sent');
    expect(brief(callOutcome(createPayout, named, context))).toBe('unknown reply-not-understood sent');
  });

  test('with an empty object for a failure are unknown', () => {
    expect(brief(callOutcome(listTransactions, reply(400, {}), context))).toBe('unknown no-error-code sent');
  });

  test('show the error text of the countries list', () => {
    expect(
      callOutcome(listCountries, reply(400, { success: false, error: 'No such thing' }), context),
    ).toMatchObject({
      kind: 'unknown',
      reason: 'no-error-code',
      message: 'No such thing',
    });
  });

  test('whose schema asks for nothing are still not ok when the service says failure', () => {
    expect(callOutcome(simulateWebhook, reply(200, {}), context).kind).toBe('ok');
    expect(brief(callOutcome(simulateWebhook, reply(200, refusal), context))).toBe('refused refused sent');
  });
});

describe('what an outcome carries', () => {
  test('is the status, code and words of a refusal', () => {
    expect(callOutcome(createPayout, reply(400, refusal), context)).toEqual({
      kind: 'refused',
      reason: 'refused',
      cause: 'the service refused: Insufficient balance. (E-API-P.S-41)',
      sent: true,
      httpStatus: 400,
      errorCode: 'E-API-P.S-41',
      message: 'Insufficient balance.',
    });
  });

  test('is the words of the service whatever the call came to', () => {
    const said = { message: 'No funds.', errorCode: 'E-7' };
    for (const status of [200, 307, 400, 401, 408, 409, 429, 500, 503, 700]) {
      for (const success of [true, false, 'no']) {
        const outcome = callOutcome(createPayout, reply(status, { success, ...said }), context);
        expect(outcome).toMatchObject({ httpStatus: status, ...said });
      }
    }
  });

  const causes: [Exchange, string][] = [
    [reply(401, {}), 'the service did not accept the credentials (401)'],
    [reply(429, {}), 'the service asks for fewer calls (429)'],
    [reply(307, {}), 'the service pointed elsewhere (307), which is not followed'],
    [reply(408, {}), 'the service says that the request took too long (408)'],
    [reply(502, {}), 'the service failed (502)'],
    [reply(799, {}), 'the service answered with the status 799'],
    [reply(400, {}), 'the service reports a failure without an error code (400)'],
    [reply(200, []), "the reply is not what the service's contract says (as a whole)"],
    [reply(200, 'hello'), 'the reply is not readable JSON'],
    [reply(200, {}, { 'content-encoding': 'gzip' }), 'the reply is compressed, which was not asked for'],
    [reply(400, { success: false, errorCode: 'E-1' }), 'the service refused: without a word (E-1)'],
    [
      reply(400, { ...refusal, transactionId: 'TX1' }),
      'the service refused and yet named a transaction: Insufficient balance (E-API-P.S-41)',
    ],
    [reply(502, { errorCode: 'E-1' }), 'the service failed (502): E-1'],
    [
      reply(400, { success: false, message: 'Come back.' }),
      'the service reports a failure without an error code (400): Come back',
    ],
    [
      reply(409, usedReference),
      'the service says that the reference was used already: External reference already used (E-API-D.S-28)',
    ],
    [broken(200, 'cut-off'), 'the connection was lost in the middle of the reply'],
    [broken(200, 'timed-out'), 'the reply did not arrive in full in time'],
    [broken(200, 'aborted'), 'the call was broken off in the middle of the reply'],
    [broken(200, 'too-large'), 'the reply is larger than payrun accepts'],
    [broken(200, 'not-text'), 'the reply is not text in UTF-8'],
    [noReply('before-send', 'timed-out'), 'no connection to the service came about in time'],
    [noReply('before-send', 'closed'), 'the connection to the service was closed already'],
    [noReply('before-send', 'aborted'), 'the call was broken off before anything was sent'],
    [noReply('after-send', 'timed-out'), 'the service did not answer in time'],
    [noReply('after-send', 'aborted'), 'the call was broken off after it was sent'],
    [noReply('after-send', 'error'), 'the connection was lost before the service answered'],
    [noReply('after-send', 'closed'), 'the connection was lost before the service answered'],
  ];
  test.each(causes.map(([exchange, cause]) => ({ exchange, cause })))(
    'is a part of a sentence for a person: $cause',
    ({ exchange, cause }) => {
      expect(callOutcome(createPayout, exchange, context)).toMatchObject({ cause });
    },
  );

  test('is the pause that a 429 or 503 asks for, in seconds or as a date, at most an hour', () => {
    const pauseOf = (status: number, header: string) => {
      const outcome = callOutcome(readUser, reply(status, {}, { 'retry-after': header }), context);
      return outcome.kind === 'ok' ? undefined : outcome.retryAfterMs;
    };
    expect(pauseOf(429, '7')).toBe(7_000);
    expect(pauseOf(503, '0')).toBe(0);
    expect(pauseOf(429, new Date(nowMs + 90_000).toUTCString())).toBe(90_000);
    expect(pauseOf(429, new Date(nowMs - 90_000).toUTCString())).toBe(0);
    expect(pauseOf(429, '86400')).toBe(3_600_000);
    expect(pauseOf(429, new Date(nowMs + 86_400_000).toUTCString())).toBe(3_600_000);
    for (const nonsense of ['', 'soon', '-5', '1e9', '2026-11-12', 'Sun Nov 16 08:49:37 2026']) {
      expect(pauseOf(429, nonsense)).toBeUndefined();
    }
    expect(pauseOf(500, '7')).toBeUndefined();
  });

  test('is plain text of bounded length, whatever the service wrote', () => {
    const message = `Dear\r\n\u001b[31mofficer\u0007 \u202egnol\u2028 ${'🙂'.repeat(5_000)}`;
    const outcome = callOutcome(
      createPayout,
      reply(400, { success: false, errorCode: 'E\u0000-1', message }),
      context,
    );
    expect(outcome).toMatchObject({ errorCode: 'E -1' });
    const shown = outcome.kind === 'ok' ? '' : (outcome.message ?? '');
    expect(shown).toMatch(/^Dear \[31mofficer gnol 🙂+…$/u);
    expect([...shown]).toHaveLength(300);
    expect([...(outcome.kind === 'ok' ? '' : outcome.cause)].length).toBeLessThan(500);
  });

  test('is never one of our secrets, not even its beginning at the cut', () => {
    for (const secret of secrets) {
      for (const before of [0, 280, 290, 299]) {
        const message = `${'x'.repeat(before)}${secret} is not valid`;
        const outcome = callOutcome(
          createPayout,
          reply(401, { success: false, errorCode: secret, message }),
          context,
        );
        expect(JSON.stringify(outcome)).not.toContain(secret.slice(0, 6));
      }
    }
  });
});

describe('a secret in a reply', () => {
  const [key = '', token = ''] = secrets;
  test.each([token, `TX-${key}`, Buffer.from(token).toString('base64')])(
    'where the transaction of a payout should stand is no transaction: %s',
    (transactionId) => {
      const outcome = callOutcome(createPayout, reply(200, { ...accepted, transactionId }), context);
      expect(brief(outcome)).toBe('unknown reply-not-understood sent');
      expect(JSON.stringify(outcome)).not.toContain(transactionId);
    },
  );

  test('where a transaction of a list has its id makes the list one that proves nothing', () => {
    const data = [{ transactionId: 'TX1' }, { transactionId: token }];
    const outcome = callOutcome(listTransactions, reply(200, { success: true, data }), context);
    expect(brief(outcome)).toBe('unknown reply-not-understood sent');
  });

  test('where the profile names the account makes it no profile', () => {
    for (const field of ['email', 'publicKey']) {
      const outcome = callOutcome(readUser, reply(200, { success: true, [field]: `${key}@x.com` }), context);
      expect(brief(outcome)).toBe('unknown reply-not-understood sent');
    }
  });

  test('anywhere else is taken out, in values and in names of fields', () => {
    const data = [{ transactionId: 'TX1', type: key, status: `PAID ${token}`, [token]: { more: [key] } }];
    const outcome = callOutcome(listTransactions, reply(200, { success: true, data }), context);
    expect(outcome.kind).toBe('ok');
    for (const secret of secrets) expect(JSON.stringify(outcome)).not.toContain(secret);
  });
});

describe('for every input', () => {
  const json = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .record(
        {
          success: fc.oneof(fc.boolean(), fc.jsonValue()),
          errorCode: fc.oneof(fc.constant('E-API-D.S-28'), fc.string(), fc.jsonValue()),
          message: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
          transactionId: fc.oneof(fc.string(), fc.jsonValue()),
          data: fc.jsonValue(),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
  );
  const replies: fc.Arbitrary<Reply> = fc.record({
    kind: fc.constant('reply' as const),
    status: fc.oneof(
      fc.integer({ min: 100, max: 599 }),
      fc.constantFrom(200, 400, 401, 408, 409, 429, 503),
      fc.integer(),
    ),
    headers: fc.dictionary(fc.constantFrom('retry-after', 'content-encoding', 'location'), fc.string()),
    body: fc.oneof(
      json.map((text) => ({ ended: 'complete' as const, text })),
      fc
        .constantFrom(
          'cut-off' as const,
          'too-large' as const,
          'timed-out' as const,
          'aborted' as const,
          'not-text' as const,
        )
        .map((ended) => ({ ended })),
    ),
  });
  const silences: fc.Arbitrary<NoReply> = fc.record({
    kind: fc.constant('no-reply' as const),
    phase: fc.constantFrom('before-send' as const, 'after-send' as const),
    cause: fc.constantFrom('error' as const, 'timed-out' as const, 'aborted' as const, 'closed' as const),
    error: fc.oneof(
      fc.anything(),
      fc.constantFrom(new AggregateError([]), { code: 'ECONNREFUSED' }, { code: 'ENOTFOUND' }),
    ),
  });
  const anyEndpoint: fc.Arbitrary<Endpoint> = fc.constantFrom(...Object.values<Endpoint>(endpoints));
  const runs = { numRuns: 2_000 };

  test('there is an outcome, and a payout is only ok with a transaction id, complete, and with a 2xx', () => {
    fc.assert(
      fc.property(anyEndpoint, fc.oneof(replies, silences), (endpoint, exchange) => {
        const outcome = callOutcome(endpoint, exchange, context);
        if (outcome.kind !== 'ok') return;
        expect(exchange).toMatchObject({ kind: 'reply', body: { ended: 'complete' } });
        expect(exchange.kind === 'reply' && Math.floor(exchange.status / 100)).toBe(2);
        if (endpoint.effect === 'payout')
          expect((outcome.value as { transactionId: string }).transactionId.trim()).not.toBe('');
      }),
      runs,
    );
  });

  test('3xx, 408 and 5xx are unknown, 401 and 429 try later, whatever the body', () => {
    const status = fc.oneof(
      fc.integer({ min: 300, max: 399 }),
      fc.integer({ min: 500, max: 599 }),
      fc.constantFrom(401, 408, 429),
    );
    fc.assert(
      fc.property(anyEndpoint, replies, status, (endpoint, some, status) => {
        const { kind } = callOutcome(endpoint, { ...some, status }, context);
        expect(kind).toBe(status === 401 || status === 429 ? 'try_later' : 'unknown');
      }),
      runs,
    );
  });

  test('refused has an error code and a status of 2xx or 4xx, and never a used reference of a payout', () => {
    fc.assert(
      fc.property(anyEndpoint, fc.oneof(replies, silences), (endpoint, exchange) => {
        const outcome = callOutcome(endpoint, exchange, context);
        if (outcome.kind !== 'refused') return;
        expect(outcome.errorCode).not.toBe('');
        expect([2, 4]).toContain(Math.floor(outcome.httpStatus / 100));
        if (endpoint.effect === 'payout') expect(outcome.errorCode).not.toBe('E-API-D.S-28');
      }),
      runs,
    );
  });

  test('what was not sent is try later, what was sent without an answer is unknown', () => {
    fc.assert(
      fc.property(anyEndpoint, silences, (endpoint, silence) => {
        const outcome = callOutcome(endpoint, silence, context);
        const sent = silence.phase === 'after-send';
        expect(outcome).toMatchObject({ kind: sent ? 'unknown' : 'try_later', sent });
      }),
      runs,
    );
  });

  test('no control character gets out', () => {
    fc.assert(
      fc.property(anyEndpoint, fc.oneof(replies, silences), (endpoint, exchange) => {
        const outcome = callOutcome(endpoint, exchange, context);
        if (outcome.kind === 'ok') return;
        for (const text of [outcome.cause, outcome.errorCode ?? '', outcome.message ?? '']) {
          expect(text).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
        }
      }),
      runs,
    );
  });
});
