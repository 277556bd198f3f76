import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type CallsThread, startCallsThread } from '../../src/service/thread/start-calls-thread.ts';
import { openThreadedTransport } from '../../src/service/thread/threaded-transport.ts';
import type { HttpRequest, TransportOptions } from '../../src/service/transport.ts';
import { rawReply, rawServer, type SeenRequest } from '../support/raw-server.ts';
import { threadFile } from '../support/thread-transport.ts';

const read: HttpRequest = { method: 'GET', path: '/read', headers: {}, replyLimitBytes: 10_000 };
const readLong: HttpRequest = { ...read, replyLimitBytes: 10_000_000 };
const readWhole: HttpRequest = { ...readLong, wholeBytes: 1_000_000 };
const longText = JSON.stringify({ data: '0123456789 ä '.repeat(100_000) });
const answered = { kind: 'reply', status: 200 };
const mayHaveLeft = { kind: 'no-reply', phase: 'after-send' };

const moduleOf = (text: string) => new URL(`data:text/javascript,${encodeURIComponent(text)}`);
const speaksOtherwise = "import { parentPort } from 'node:worker_threads'; parentPort.postMessage('hello');";
const endsOnceReady =
  "import { parentPort } from 'node:worker_threads'; parentPort.postMessage('ready'); process.exit(0);";
const diesWhenTold = `
  import { parentPort } from 'node:worker_threads';
  import '${threadFile}';
  parentPort.on('message', (messages) => {
    if (messages.some((call) => call[2] === '/die')) process.exit(1);
  });`;

async function threadTo(origin: string, connections = 1): Promise<CallsThread> {
  const thread = await startCallsThread({ origin, connections, timeoutMs: 60_000 }, threadFile);
  if (!thread) throw new Error('the thread could not be started');
  onTestFinished(() => thread.close());
  return thread;
}

/** Which paths the thread was told of. */
function watched(start: typeof startCallsThread) {
  const away: string[] = [];
  const startWatched = async (options: TransportOptions) => {
    const thread = await start(options);
    if (!thread) return undefined;
    const exchange = (request: HttpRequest) => {
      away.push(request.path);
      return thread.exchange(request);
    };
    return { ...thread, exchange };
  };
  return { away, startWatched };
}

const inThread = (options: TransportOptions) => startCallsThread(options, threadFile);

async function threadedTo(answer: (request: SeenRequest, socket: Socket) => void, start = inThread) {
  const server = await rawServer(answer);
  const { away, startWatched } = watched(start);
  const options: TransportOptions = { origin: server.url, connections: 2, timeoutMs: 60_000 };
  const transport = openThreadedTransport(options, startWatched);
  onTestFinished(() => transport.close());
  return { server, away, transport };
}

/** Who takes a list, and leaves a sign of it in place of each end. */
function taken() {
  const pieces: Buffer[] = [];
  return {
    skim: (piece?: Buffer) => {
      if (piece) pieces.push(piece);
      return Buffer.from(piece ? '<{}' : '>');
    },
    text: () => Buffer.concat(pieces).toString(),
  };
}

function inOneChunk(text: string): string {
  const length = Buffer.byteLength(text).toString(16);
  return `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${length}\r\n${text}\r\n0\r\n\r\n`;
}

const atOnce = (_: SeenRequest, socket: Socket) => void socket.write(rawReply(200, {}));

describe('calls', () => {
  test('are made in the thread, from the first on', async () => {
    const { server, away, transport } = await threadedTo(atOnce);
    const paths = Array.from({ length: 30 }, (_, index) => `/${index}`);
    const happened = await Promise.all(paths.map((path) => transport.exchange({ ...read, path })));
    expect(happened).toEqual(paths.map(() => expect.objectContaining(answered)));
    expect(away).toEqual(paths);
    expect(server.connections()).toBe(2);
  });

  test('that take a list which may come whole are made in the thread', async () => {
    const { server, away, transport } = await threadedTo(atOnce);
    const list = taken();
    const happened = await transport.exchange({ ...readWhole, path: '/list', skim: list.skim });
    expect(happened).toMatchObject({ ...answered, body: { ended: 'complete', text: '<{}>' } });
    expect(list.text()).toBe('{}');
    expect(away).toEqual(['/list']);
    expect(server.seen[0]?.headers['connection']).toBe('close');
  });

  test.each([
    ['says so', (text: string) => rawReply(200, text)],
    ['does not say so', inOneChunk],
  ])('that take a list which turns out too long to come whole and %s end with it', async (_, reply) => {
    const { server, away, transport } = await threadedTo(
      (_request, socket) => void socket.write(reply(longText)),
    );
    const list = taken();
    const happened = await transport.exchange({ ...readWhole, path: '/list', skim: list.skim });
    expect(happened).toMatchObject({ ...answered, body: { ended: 'too-large' } });
    expect(list.text()).toBe('');
    expect(away).toEqual(['/list']);
    expect(server.seen).toHaveLength(1);
  });

  test('that take a list piece by piece are made here, over a connection that ends with it', async () => {
    const { server, away, transport } = await threadedTo(
      (_, socket) => void socket.write(rawReply(200, longText)),
    );
    const list = taken();
    await transport.exchange({ ...readLong, path: '/list', skim: list.skim });
    expect(list.text() === longText).toBe(true);
    expect(away).toEqual([]);
    expect(server.seen[0]?.headers['connection']).toBe('close');
  });

  test('make room for a list that is taken here, and the list for them: no connection lies idle', async () => {
    let open = 0;
    const stays = { 'keep-alive': 'timeout=600' };
    const answer = ({ path }: SeenRequest, socket: Socket) =>
      void socket.write(rawReply(200, path === '/list' ? longText : {}, stays));
    const server = await rawServer(answer, (socket) => {
      open += 1;
      socket.on('close', () => {
        open -= 1;
      });
    });
    const options = { origin: server.url, connections: 3, timeoutMs: 60_000 };
    const transport = openThreadedTransport(options, inThread);
    onTestFinished(() => transport.close());
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(Array.from({ length: 12 }, () => transport.exchange(read)));
      expect(await transport.exchange({ ...readLong, path: '/list', skim: taken().skim })).toMatchObject(
        answered,
      );
      // Neither those that the calls had nor its own: how soon a server sees that is its own affair.
      await expect.poll(() => open, { timeout: 20_000 }).toBe(0);
    }
  });

  test.each([
    ['has no file', new URL('./no-such-file.js', import.meta.url)],
    ['ends at once', moduleOf('process.exit(0)')],
    ['fails at once', moduleOf('throw new Error("no")')],
    ['says something else', moduleOf(speaksOtherwise)],
    ['cannot be', new URL('https://example.invalid/thread.js')],
  ])('are made here where the thread %s', async (_, file) => {
    const { away, transport } = await threadedTo(atOnce, (options) => startCallsThread(options, file));
    const happened = await Promise.all([1, 2, 3].map(() => transport.exchange(read)));
    expect([...happened, await transport.exchange(read)]).toEqual(
      Array.from({ length: 4 }, () => expect.objectContaining(answered)),
    );
    expect(away).toEqual([]);
  });

  test('come to an end where the thread ends as soon as it is ready, and later ones are made here', async () => {
    const server = await rawServer(atOnce);
    const options = { origin: server.url, connections: 2, timeoutMs: 60_000 };
    const transport = openThreadedTransport(options, (given) => {
      const starting = startCallsThread(given, moduleOf(endsOnceReady));
      // Busy until it has ended: that it was ready and that it is over are then heard in one go.
      const untilMs = performance.now() + 700;
      while (performance.now() < untilMs);
      return starting;
    });
    const ends = [1, 2, 3].map(() => transport.exchange(read));
    const happened = await Promise.race([Promise.all(ends), wait(20_000, [])]);
    expect(happened).toHaveLength(3);
    // Whether it had ended before it was told of them is a matter of chance.
    for (const each of happened) expect(each).toMatchObject(each.kind === 'reply' ? answered : mayHaveLeft);
    expect(await transport.exchange(read)).toMatchObject(answered);
    await transport.close();
  });

  test('that were under way in a thread that died may have left; later ones are made here', async () => {
    const held: Socket[] = [];
    const { transport } = await threadedTo(
      (request, socket) => {
        if (request.path === '/held') held.push(socket);
        else atOnce(request, socket);
      },
      (options) => startCallsThread(options, moduleOf(diesWhenTold)),
    );
    const waiting = transport.exchange({ ...read, path: '/held' });
    await expect.poll(() => held.length).toBe(1);
    expect(await transport.exchange({ ...read, path: '/die' })).toMatchObject(mayHaveLeft);
    expect(await waiting).toMatchObject(mayHaveLeft);
    expect(await transport.exchange(read)).toMatchObject(answered);
  });
});

describe('closing', () => {
  test('waits for what is under way, however often and however early it is asked for', async () => {
    const { transport } = await threadedTo(
      (request, socket) => void setTimeout(() => atOnce(request, socket), 50),
    );
    const early = transport.exchange(read);
    const closes = [transport.close(), transport.close()];
    expect(await early).toMatchObject(answered);
    await Promise.all(closes);
    expect(await transport.exchange(read)).toMatchObject({ phase: 'before-send', cause: 'closed' });
  });

  test('of the thread waits for what is under way, however often it is asked for', async () => {
    const server = await rawServer((request, socket) => void setTimeout(() => atOnce(request, socket), 50));
    const thread = await threadTo(server.url);
    const underWay = thread.exchange(read);
    let closed = 0;
    for (const close of [thread.close(), thread.close()])
      void close.then(() => {
        closed += 1;
      });
    await expect.poll(() => closed, { timeout: 20_000 }).toBe(2);
    expect(await underWay).toMatchObject(answered);
    expect(thread.hasEnded()).toBe(true);
  });
});

test.each([
  ['no call', 0, 'undefined'],
  ['a call', 1, 'undefined'],
  ['a few', 5, 'undefined'],
  ['one that nobody wants any more', 1, 'AbortSignal.abort()'],
])('a process in which nobody closes it ends by itself after %s', async (_, calls, signal) => {
  const server = await rawServer(atOnce);
  const built = new URL('../../dist/service/thread/threaded-transport.js', import.meta.url);
  const program = `
    import { openThreadedTransport } from '${built}';
    const transport = openThreadedTransport({ origin: '${server.url}', connections: 2, timeoutMs: 60_000 });
    const read = { method: 'GET', path: '/', headers: {}, replyLimitBytes: 10_000, signal: ${signal} };
    for (let call = 0; call < ${calls}; call += 1) console.log((await transport.exchange(read)).kind);`;
  const folder = mkdtempSync(join(tmpdir(), 'payrun-thread-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'calls.mjs');
  writeFileSync(file, program);
  const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 20_000 });
  expect(stdout).toBe(`${signal === 'undefined' ? 'reply' : 'no-reply'}\n`.repeat(calls));
});

describe('a send that waits in the thread for a connection', () => {
  test.each([
    ['by both clocks', { monotonicMs: 4_800, wallMs: 4_800 }],
    ['by the one that never goes back', { monotonicMs: 4_800, wallMs: 0 }],
    ['by the one on the wall', { monotonicMs: 0, wallMs: 4_800 }],
  ])('until it was begun too long ago, %s, does not leave', async (_, ago) => {
    let answerFirst = () => {};
    const server = await rawServer((request, socket) => {
      const answer = () => void socket.write(rawReply(200, {}));
      if (request.path === '/first') answerFirst = answer;
      else answer();
    });
    const thread = await threadTo(server.url);
    const first = thread.exchange({ ...read, path: '/first' });
    const send = { ...read, method: 'POST', body: '{}' } as const;
    const late = thread.exchange({ ...send, path: '/late', begunAgo: () => ago });
    const early = thread.exchange({
      ...send,
      path: '/early',
      begunAgo: () => ({ monotonicMs: 0, wallMs: 0 }),
    });
    await expect.poll(() => server.seen.length).toBe(1);
    await wait(300);
    answerFirst();
    expect(await first).toMatchObject(answered);
    expect(await late).toEqual({ kind: 'no-reply', phase: 'before-send', cause: 'too-late' });
    expect(await early).toMatchObject(answered);
    expect(server.seen.map(({ path }) => path)).toEqual(['/first', '/early']);
  });
});
