import { getEventListeners, once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { callOutcome } from '../../src/service/call-outcome.ts';
import { createPayout } from '../../src/service/contract/payouts.ts';
import type { Exchange } from '../../src/service/exchange.ts';
import {
  type HttpRequest,
  openTransport,
  type Transport,
  type TransportOptions,
} from '../../src/service/transport.ts';
import { rawReply, rawServer } from '../support/raw-server.ts';
import { hasOpenssl, selfSigned } from '../support/self-signed.ts';
import { threadTransport } from '../support/thread-transport.ts';

const accepted = { success: true, message: 'Accepted', transactionId: 'TX1' };

const payout: HttpRequest = {
  method: 'POST',
  path: '/api/b2b/fiat/payout',
  headers: { 'content-type': 'application/json', authorization: 'Bearer token' },
  body: '{"amount":1250.5}',
  replyLimitBytes: 10_000,
};

/** What is opened with it is closed with the test. */
function opened(openOne: (options: TransportOptions) => Transport) {
  return (origin: string, { connections = 1, timeoutMs = 5_000 } = {}) => {
    const transport = openOne({ origin, connections, timeoutMs });
    onTestFinished(() => transport.close());
    return transport;
  };
}

const outcomeOf = (exchange: Exchange) =>
  callOutcome(createPayout, exchange, { nowMs: 0, conceal: (reply) => reply });
const unknown = (reason: string) => expect.objectContaining({ kind: 'unknown', reason, sent: true });
const tryLater = (reason: string) => expect.objectContaining({ kind: 'try_later', reason, sent: false });

describe.each([
  ['in the thread of the run', openTransport],
  ['in a thread of their own', threadTransport],
])('calls %s', (_where, openOne) => {
  const transportTo = opened(openOne);

  describe('an exchange', () => {
    test('sends the request as it is and gives the reply as it came', async () => {
      const text = JSON.stringify(accepted);
      const others = { 'Retry-After': '7', 'Content-Encoding': 'identity', 'X-Id': 'a' };
      const server = await rawServer((_, socket) => socket.write(rawReply(200, accepted, others)));
      const exchange = await transportTo(server.url).exchange(payout);
      expect(exchange).toEqual({
        kind: 'reply',
        status: 200,
        headers: {
          'content-encoding': 'identity',
          'content-length': String(text.length),
          'retry-after': '7',
        },
        body: { ended: 'complete', text },
      });
      expect(server.seen).toMatchObject([
        { method: 'POST', path: payout.path, body: payout.body, headers: { authorization: 'Bearer token' } },
      ]);
    });

    test('passes over an interim reply and takes the final one', async () => {
      const server = await rawServer((_, socket) =>
        socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${rawReply(200, accepted)}`),
      );
      expect(outcomeOf(await transportTo(server.url).exchange(payout))).toMatchObject({ kind: 'ok' });
    });

    test('keeps a connection and never sends a request behind an unanswered one', async () => {
      const unanswered: Socket[] = [];
      let most = 0;
      const server = await rawServer((_, socket) => {
        most = Math.max(most, unanswered.push(socket));
        // Only once both connections are busy, and in another turn of the loop: a third would be seen.
        if (unanswered.length === 2) {
          setImmediate(() => {
            for (const waiting of unanswered.splice(0)) waiting.write(rawReply(200, accepted));
          });
        }
      });
      const transport = transportTo(server.url, { connections: 2 });
      const exchanges = await Promise.all(Array.from({ length: 20 }, () => transport.exchange(payout)));
      expect(exchanges.map((exchange) => outcomeOf(exchange).kind)).toEqual(Array(20).fill('ok'));
      expect({ most, connections: server.connections(), seen: server.seen.length }).toEqual({
        most: 2,
        connections: 2,
        seen: 20,
      });
    });

    test('does not leave while the reply before it on its connection is still coming', async () => {
      let finish = () => {};
      const [head, rest] = [rawReply(200, accepted).slice(0, -9), rawReply(200, accepted).slice(-9)];
      const server = await rawServer((request, socket) => {
        if (request.path !== '/first') return void socket.write(rawReply(200, accepted));
        socket.write(head);
        finish = () => socket.write(rest);
      });
      const transport = transportTo(server.url);
      const read = { ...payout, method: 'GET' } as const;
      const { body: _, ...bodiless } = read;
      const first = transport.exchange({ ...bodiless, path: '/first' });
      const second = transport.exchange({ ...bodiless, path: '/second' });
      await expect.poll(() => server.seen.length).toBe(1);
      await wait(50);
      expect(server.seen.map(({ path }) => path)).toEqual(['/first']);
      finish();
      expect([outcomeOf(await first).kind, outcomeOf(await second).kind]).toEqual(['ok', 'ok']);
    });

    test('with a header that cannot be written is a bug, not an outcome', async () => {
      const server = await rawServer((_, socket) => socket.write(rawReply(200, accepted)));
      const broken = { ...payout, headers: { authorization: 'Bearer a\nb' } };
      await expect(transportTo(server.url).exchange(broken)).rejects.toThrow('invalid authorization header');
      expect(server.seen).toEqual([]);
    });
  });

  describe('nothing was sent', () => {
    test('when the connection is refused', async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      await new Promise((resolve) => server.close(resolve));
      for (const host of ['127.0.0.1', 'localhost']) {
        const exchange = await transportTo(`http://${host}:${port}`).exchange(payout);
        expect(outcomeOf(exchange)).toEqual(tryLater('connection-refused'));
      }
    });

    test('when the host has no address', async () => {
      const exchange = await transportTo('https://no-such-host.invalid').exchange(payout);
      expect(outcomeOf(exchange)).toEqual(tryLater('host-not-found'));
    });

    test('when the other side does not speak TLS', async () => {
      const bytes: string[] = [];
      const server = createServer((socket) => {
        socket.on('error', () => {});
        socket.on('data', (chunk) => {
          bytes.push(chunk.toString('latin1'));
          socket.write('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
        });
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      const exchange = await transportTo(
        `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ).exchange(payout);
      expect(outcomeOf(exchange)).toEqual(tryLater('tls-failed'));
      expect(bytes.join('')).not.toContain('Bearer');
    });

    test.skipIf(!hasOpenssl())('when the certificate is not to be trusted', async () => {
      let secured = '';
      const server = createTlsServer(selfSigned(), (socket) => {
        socket.on('error', () => {});
        socket.on('data', (chunk) => {
          secured += chunk;
        });
      });
      server.on('tlsClientError', () => {});
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      const exchange = await transportTo(
        `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ).exchange(payout);
      expect(outcomeOf(exchange)).toEqual(tryLater('tls-failed'));
      expect(secured).toBe('');
    });

    test('when connecting takes too long', async () => {
      // Takes the connection and never says a word of TLS.
      const server = await rawServer(() => {});
      const transport = transportTo(`https://127.0.0.1:${server.port}`, { timeoutMs: 60 });
      expect(outcomeOf(await transport.exchange(payout))).toEqual(tryLater('not-sent-in-time'));
    });

    test('when the time is up while it waits for a free connection, and it never leaves later', async () => {
      let answerFirst = () => {};
      const server = await rawServer((request, socket) => {
        const answer = () => socket.write(rawReply(200, accepted));
        if (request.path === '/first') answerFirst = answer;
        else answer();
      });
      const patient = transportTo(server.url, { timeoutMs: 5_000 });
      const first = patient.exchange({ ...payout, path: '/first' });
      const controller = new AbortController();
      const queued = patient.exchange({ ...payout, path: '/queued', signal: controller.signal });
      while (server.seen.length === 0) await wait(1);
      controller.abort();
      expect(outcomeOf(await queued)).toEqual(tryLater('aborted'));
      answerFirst();
      expect(outcomeOf(await first)).toMatchObject({ kind: 'ok' });
      expect(outcomeOf(await patient.exchange({ ...payout, path: '/third' }))).toMatchObject({ kind: 'ok' });
      // What was given up in the queue did not cost the others their connection either.
      expect(server.seen.map(({ path, connection }) => [path, connection])).toEqual([
        ['/first', 1],
        ['/third', 1],
      ]);
    });

    test('when the signal had aborted before', async () => {
      const server = await rawServer((_, socket) => socket.write(rawReply(200, accepted)));
      const exchange = await transportTo(server.url).exchange({ ...payout, signal: AbortSignal.abort() });
      expect(outcomeOf(exchange)).toEqual(tryLater('aborted'));
      expect(server.connections()).toBe(0);
    });

    test('when the transport is closed', async () => {
      const server = await rawServer((_, socket) => socket.write(rawReply(200, accepted)));
      const transport = transportTo(server.url);
      await transport.close();
      expect(outcomeOf(await transport.exchange(payout))).toEqual(tryLater('closed'));
    });
  });

  describe('it may have been sent', () => {
    test('when the server takes the connection and closes it at once', async () => {
      const server = await rawServer(
        () => {},
        (socket) => socket.destroy(),
      );
      expect(outcomeOf(await transportTo(server.url).exchange(payout))).toEqual(unknown('connection-lost'));
    });

    test.each([
      ['closed', (socket: Socket) => socket.end()],
      ['reset', (socket: Socket) => socket.resetAndDestroy()],
    ])(
      'when a kept connection is %s as it is used again, and it is not sent a second time',
      async (_how, hangUp) => {
        const server = await rawServer((request, socket) => {
          if (request.path === '/again') hangUp(socket);
          else socket.write(rawReply(200, accepted));
        });
        const transport = transportTo(server.url);
        expect(outcomeOf(await transport.exchange(payout))).toMatchObject({ kind: 'ok' });
        expect(outcomeOf(await transport.exchange({ ...payout, path: '/again' }))).toEqual(
          unknown('connection-lost'),
        );
        await wait(50);
        expect(server.seen.map(({ path, connection }) => [path, connection])).toEqual([
          [payout.path, 1],
          ['/again', 1],
        ]);
      },
    );

    test('once at most, wherever the server hangs up while connections are used over and over', async () => {
      const server = await rawServer((request, socket) => {
        socket.write(rawReply(200, accepted));
        // Right away, in the next turns of the loop, or after a while: around the moment of the next request.
        const delay = Number(request.path.slice(1)) % 7;
        if (delay === 0) socket.end();
        else if (delay < 5) setTimeout(() => socket.destroy(), delay - 1);
      });
      const transport = transportTo(server.url, { connections: 4 });
      const told = await Promise.all(
        Array.from({ length: 200 }, async (_, index) => {
          await wait(index / 4);
          return {
            path: `/${index}`,
            outcome: outcomeOf(await transport.exchange({ ...payout, path: `/${index}` })),
          };
        }),
      );
      for (const { path, outcome } of told) {
        const times = server.seen.filter((request) => request.path === path).length;
        expect(times).toBeLessThanOrEqual(1);
        if (outcome.kind === 'ok') expect(times).toBe(1);
        else if (!outcome.sent) expect(times).toBe(0);
      }
      expect(told.filter(({ outcome }) => outcome.kind === 'ok').length).toBeGreaterThan(50);
    });

    test('when a reply drips in more slowly than the whole exchange may take', async () => {
      const server = await rawServer((_, socket) => {
        const text = rawReply(200, accepted);
        let at = 0;
        const timer = setInterval(() => socket.write(text[at++] ?? ''), 50);
        socket.on('close', () => clearInterval(timer));
      });
      const exchange = await transportTo(server.url, { timeoutMs: 250 }).exchange(payout);
      expect(outcomeOf(exchange)).toEqual(unknown('timed-out'));
    });

    test('when the call is aborted', async () => {
      const server = await rawServer(() => {});
      const controller = new AbortController();
      const exchange = transportTo(server.url).exchange({ ...payout, signal: controller.signal });
      while (server.seen.length === 0) await wait(1);
      controller.abort();
      expect(outcomeOf(await exchange)).toEqual(unknown('aborted'));
    });

    const brokenReplies: [string, string, string | Buffer][] = [
      ['cut off below its length', 'reply-cut-off', rawReply(200, accepted, { 'content-length': '500' })],
      [
        'chunked and cut off',
        'reply-cut-off',
        `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{"su`,
      ],
      [
        'without a length and cut off',
        'reply-not-json',
        `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"success":tr`,
      ],
      ['a page', 'reply-not-json', rawReply(200, '<html>200</html>')],
      ['no JSON', 'reply-not-json', rawReply(200, '{"success":true,')],
      ['nested very deep', 'reply-not-json', deepReply()],
      ['empty', 'reply-not-json', rawReply(200, '')],
      ['compressed', 'reply-not-json', compressedReply()],
      ['not UTF-8', 'reply-not-json', latin1Reply()],
      ['not HTTP', 'connection-lost', 'SSH-2.0-OpenSSH_9.6\r\n'],
      ['only half a head', 'connection-lost', 'HTTP/1.1 200 OK\r\ncontent-'],
      ['a head without end', 'connection-lost', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`],
      ['only an interim one', 'connection-lost', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
      [
        'a change of protocol',
        'connection-lost',
        'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      ],
    ];
    test.each(brokenReplies)('when the reply is %s', async (_name, reason, bytes) => {
      const server = await rawServer((_, socket) => socket.end(bytes));
      const exchange = await transportTo(server.url).exchange({ ...payout, replyLimitBytes: 1_000_000 });
      expect(outcomeOf(exchange)).toEqual(unknown(reason));
      expect(server.seen).toHaveLength(1);
    });

    test('when it is redirected, and the other place is never asked', async () => {
      const elsewhere = await rawServer((_, socket) => socket.write(rawReply(200, accepted)));
      const server = await rawServer((request, socket) => {
        const status = Number(request.path.slice(1));
        socket.write(rawReply(status, accepted, { location: `${elsewhere.url}/api/b2b/fiat/payout` }));
      });
      const transport = transportTo(server.url);
      for (const status of [301, 302, 303, 307, 308]) {
        const exchange = await transport.exchange({ ...payout, path: `/${status}` });
        expect(outcomeOf(exchange)).toMatchObject({
          kind: 'unknown',
          reason: 'redirected',
          httpStatus: status,
        });
      }
      expect(elsewhere.connections()).toBe(0);
      expect(server.seen).toHaveLength(5);
    });
  });

  describe('a reply over the limit', () => {
    test('is not waited for when it says so', async () => {
      const server = await rawServer((_, socket) =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 500000000\r\n\r\n'),
      );
      expect(outcomeOf(await transportTo(server.url).exchange(payout))).toEqual(unknown('reply-too-large'));
    });

    test('is broken off where it passes the limit when it does not', async () => {
      let hungUp = false;
      const server = await rawServer((_, socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        const timer = setInterval(() => socket.write(`3e8\r\n${'x'.repeat(1_000)}\r\n`), 1);
        socket.on('close', () => {
          clearInterval(timer);
          hungUp = true;
        });
      });
      expect(outcomeOf(await transportTo(server.url).exchange(payout))).toEqual(unknown('reply-too-large'));
      while (!hungUp) await wait(1);
    });

    test('is one byte too many; just the limit is not', async () => {
      const server = await rawServer((_, socket) => socket.write(rawReply(200, accepted)));
      const transport = transportTo(server.url);
      const size = JSON.stringify(accepted).length;
      expect(outcomeOf(await transport.exchange({ ...payout, replyLimitBytes: size }))).toMatchObject({
        kind: 'ok',
      });
      expect(outcomeOf(await transport.exchange({ ...payout, replyLimitBytes: size - 1 }))).toEqual(
        unknown('reply-too-large'),
      );
    });

    test('does not hide a 401', async () => {
      const server = await rawServer((_, socket) => socket.write(rawReply(401, 'x'.repeat(20_000))));
      expect(outcomeOf(await transportTo(server.url).exchange(payout))).toMatchObject({
        reason: 'unauthorised',
      });
    });
  });

  describe('a second reply to one request', () => {
    test('is not taken for the answer to the next', async () => {
      const server = await rawServer((request, socket) => {
        const id = request.path.slice(1);
        const reply = rawReply(200, { ...accepted, transactionId: id });
        socket.write(id === 'A' ? reply + rawReply(200, { ...accepted, transactionId: 'EXTRA' }) : reply);
      });
      const transport = transportTo(server.url);
      const ids = [];
      for (const path of ['/A', '/B', '/A', '/B']) {
        const outcome = outcomeOf(await transport.exchange({ ...payout, path }));
        ids.push(outcome.kind === 'ok' ? outcome.value.transactionId : outcome.kind);
      }
      expect(ids).toEqual(['A', 'B', 'A', 'B']);
    });
  });

  describe('afterwards', () => {
    test('no listener is left on the signal, however the exchange ended', async () => {
      const server = await rawServer((request, socket) => {
        if (request.path === '/close') socket.destroy();
        else if (request.path !== '/hang') socket.write(rawReply(200, accepted));
      });
      const { signal } = new AbortController();
      const transport = transportTo(server.url, { timeoutMs: 50, connections: 3 });
      await Promise.all(
        ['/ok', '/close', '/hang', '/hang', '/hang', '/hang'].map((path) =>
          transport.exchange({ ...payout, path, signal }),
        ),
      );
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    });

    test('closing waits for what is under way and lets the connections go', async () => {
      let open = 0;
      const server = await rawServer(
        (_, socket) => setTimeout(() => socket.write(rawReply(200, accepted)), 40),
        (socket) => {
          open++;
          socket.on('close', () => open--);
        },
      );
      const transport = openOne({ origin: server.url, connections: 2, timeoutMs: 10_000 });
      const exchanges = [1, 2, 3].map(() => transport.exchange(payout));
      await transport.close();
      const kinds = (await Promise.all(exchanges)).map((exchange) => outcomeOf(exchange).kind);
      expect(kinds).toEqual(['ok', 'ok', 'ok']);
      await expect.poll(() => open).toBe(0);
      await transport.close();
    });
  });
});

describe('by a clock that stands still', () => {
  const transportTo = opened(openTransport);

  test('what waits for a free connection when the time is up never leaves', async () => {
    const server = await rawServer((request, socket) => {
      if (request.path !== '/first') socket.write(rawReply(200, accepted));
    });
    // The clock stands until both times are up in one moment: nothing a busy machine does comes between them.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const hasty = transportTo(server.url, { timeoutMs: 250 });
    const slow = hasty.exchange({ ...payout, path: '/first' });
    const late = hasty.exchange({ ...payout, path: '/late' });
    while (server.seen.length < 1) await new Promise(setImmediate);
    vi.advanceTimersByTime(250);
    vi.useRealTimers();
    expect(outcomeOf(await late)).toEqual(tryLater('not-sent-in-time'));
    expect(outcomeOf(await slow)).toEqual(unknown('timed-out'));
    // The connection is free again, and what is sent now is what is asked for now.
    expect(outcomeOf(await hasty.exchange({ ...payout, path: '/next' }))).toMatchObject({ kind: 'ok' });
    expect(server.seen.map(({ path }) => path)).toEqual(['/first', '/next']);
  });

  test('an answer that does not come in time is unknown, and a late one is not taken for the next', async () => {
    let answerLate = () => {};
    const server = await rawServer((request, socket) => {
      if (request.path === '/late') {
        answerLate = () => void socket.write(rawReply(200, { ...accepted, transactionId: 'LATE' }));
        return;
      }
      answerLate();
      setImmediate(() => socket.write(rawReply(200, accepted)));
    });
    const transport = transportTo(server.url, { timeoutMs: 60_000 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const late = transport.exchange({ ...payout, path: '/late' });
    while (server.seen.length === 0) await new Promise(setImmediate);
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    expect(outcomeOf(await late)).toEqual(unknown('timed-out'));
    expect(outcomeOf(await transport.exchange(payout))).toMatchObject({
      kind: 'ok',
      value: { transactionId: 'TX1' },
    });
    expect(server.seen.map(({ connection }) => connection)).toEqual([1, 2]);
  });
});

function deepReply(): string {
  return rawReply(
    200,
    `{"success":true,"transactionId":"TX1","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  );
}

function compressedReply(): Buffer {
  const body = gzipSync(JSON.stringify(accepted));
  const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

function latin1Reply(): Buffer {
  const body = Buffer.from(JSON.stringify({ ...accepted, message: 'Accept\u00e9' }), 'latin1');
  return Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`), body]);
}
