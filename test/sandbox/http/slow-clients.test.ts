import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttpServer } from '../../../src/sandbox/http/http-server.ts';
import { createSettings } from '../../../src/sandbox/settings.ts';
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts';
import { openStore } from '../../../src/sandbox/store/open-store.ts';
import { holdConnection, holdSlowClients, listenInTest, patienceMs } from '../../support/held-connection.ts';
import { callSandbox } from '../../support/sandbox-caller.ts';

type Parts = Parameters<typeof createHttpServer>[0];

/** With nothing behind it: whoever is slow never gets that far. */
function bareServer() {
  const settings = createSettings(openStore(undefined));
  return createHttpServer({ settings, openapi: () => ({ openapi: '3' }) } as unknown as Parts);
}

const unfinished = 'POST /api/b2b/fiat/payout HTTP/1.1\r\nhost: x\r\n';

async function openSandbox() {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const caller = await callSandbox(sandbox);
  return { sandbox, caller, hold: () => holdConnection(Number(new URL(sandbox.url).port)) };
}

describe('who keeps the sandbox waiting', () => {
  test('gives it no more than these', () => {
    expect(bareServer()).toMatchObject({
      headersTimeout: 15_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 60_000,
      connectionsCheckingInterval: 30_000,
    });
  });

  test('with headers or a body that do not end, with silence, or after an answer, is cut off', async () => {
    // The server looks for such clients every half a minute, which is settled before it listens.
    const shorter = { headersTimeout: 300, requestTimeout: 600, keepAliveTimeout: 300 };
    const server = Object.assign(bareServer(), { ...shorter, connectionsCheckingInterval: 200 });
    const port = await listenInTest(server);
    const slow = await holdSlowClients(port, {
      head: unfinished,
      bodyHead: unfinished,
      first: 'GET /openapi.json',
    });
    expect(slow.answer).toBe('HTTP/1.1 200 OK');
    expect((await fetch(`http://127.0.0.1:${port}/openapi.json`)).status).toBe(200);
    expect(await slow.areCutOff(patienceMs)).toEqual([true, true, true, true, true]);
  });

  test('on the control path without the key is refused while the body is still to come', async () => {
    const { hold } = await openSandbox();
    for (const key of ['', 'api-key: wrong\r\n']) {
      const client = await hold();
      client.write(`POST /_sandbox/people HTTP/1.1\r\nhost: x\r\n${key}content-length: 30000000\r\n\r\n[`);
      expect(await client.answer(patienceMs)).toBe('HTTP/1.1 401 Unauthorized');
    }
  });

  test('with a body without end is refused and cut off, and others are served', async () => {
    const { caller, hold } = await openSandbox();
    const client = await hold();
    const piece = 'x'.repeat(16 * 1024);
    client.write(`${unfinished}transfer-encoding: chunked\r\n\r\n`);
    client.drip(`${piece.length.toString(16)}\r\n${piece}\r\n`, 5);
    expect(await client.answer(patienceMs)).toBe('HTTP/1.1 413 Payload Too Large');
    expect(await client.isCutOff(patienceMs)).toBe(true);
    expect((await caller.get('/users')).status).toBe(200);
  });

  test('with a body just above the bound is refused, 64 KB here and 32 MB on the control path', async () => {
    const { sandbox, caller } = await openSandbox();
    const sized = (bytes: number) => `[${' '.repeat(bytes - 2)}]`;
    const send = async (bytes: number) =>
      (await caller.raw('/api/b2b/fiat/payout', { method: 'POST', body: sized(bytes) })).status;
    expect([await send(64 * 1024), await send(64 * 1024 + 1)]).toEqual([400, 413]);
    const control = async (bytes: number) => {
      const headers = { 'api-key': sandbox.apiKey };
      const body = sized(bytes);
      return (await fetch(`${sandbox.url}/_sandbox/people`, { method: 'POST', headers, body })).status;
    };
    expect([await control(32 * 1024 * 1024), await control(32 * 1024 * 1024 + 1)]).toEqual([200, 413]);
  });

  test('with headers of more than 16 KB is refused', async () => {
    const { hold } = await openSandbox();
    const client = await hold();
    client.write(`${unfinished}x-a: ${'a'.repeat(17 * 1024)}\r\n\r\n`);
    expect(await client.answer(patienceMs)).toBe('HTTP/1.1 400 Bad Request');
  });
});
