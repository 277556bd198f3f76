import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';
import { openWebhookHints } from '../../src/journal/webhook-hints.ts';
import { createWebhookListener } from '../../src/listen/webhook-listener.ts';
import { startSandbox } from '../../src/sandbox/start-sandbox.ts';
import { payBehind } from '../cli/seeded-workspace.ts';
import { holdConnection, holdSlowClients, listenInTest, patienceMs } from '../support/held-connection.ts';
import { callSandbox } from '../support/sandbox-caller.ts';
import { seedBatch } from '../support/seed-journal.ts';

async function listening(secret = 'whsec_of_a_test') {
  const db = openEmptyJournal();
  const { payout } = await seedBatch(db, [
    { key: 'E1', state: 'submitted', changes: { transactionId: 'T1' } },
    { key: 'E2', state: 'submitted', changes: { transactionId: 'T2' } },
  ]);
  const counts = { hints: 0, strange: 0, refused: 0 };
  const journal = createJournal(db, systemClock, { run: 'listen', operator: 'o' });
  const server = createWebhookListener(secret, openWebhookHints(db, journal, systemClock), counts);
  const port = await listenInTest(server);
  const url = `http://127.0.0.1:${port}`;
  const right = { 'x-webhook-signature': secret };
  const post = async (body: unknown, headers: Record<string, string> = right, method = 'POST') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const reply = await fetch(`${url}/hook`, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body: text }),
    });
    return `${reply.status} ${await reply.text()}`.trim();
  };
  const hints = () => db.prepare<[], string>('SELECT reference FROM hints').pluck().all().sort();
  const honest = () => post({ event: 'e', data: { externalReference: payout('E1').reference } });
  return { db, payout, counts, server, port, url, post, right, hints, honest };
}

describe('the listener for webhooks', () => {
  test('an authentic webhook leaves a hint for a payout that is known, and nothing moves', async () => {
    const { db, payout, post, hints, counts } = await listening();
    const everything = () => db.prepare('SELECT * FROM payouts').all();
    const before = everything();
    const { reference } = payout('E1');
    const data = { externalReference: reference.toUpperCase(), status: 'successful' };
    expect(await post({ event: 'transaction_updated', data, timestamp: 1 })).toBe('200');
    expect(await post({ event: 'transaction_updated', data })).toBe('200');
    expect(await post({ event: 'transaction_updated', data: { transactionId: 'T2' } })).toBe('200');
    expect(hints()).toEqual([reference, payout('E2').reference].sort());
    expect(everything()).toEqual(before);
    expect(counts).toEqual({ hints: 3, strange: 0, refused: 0 });
  });

  test('one about nothing that is known is answered just the same, and leaves none', async () => {
    const { post, hints, counts } = await listening();
    expect(await post({ event: 'e', data: { externalReference: 'somebody else’s' } })).toBe('200');
    expect(await post({ event: 'e', data: {} })).toBe('200');
    expect(hints()).toEqual([]);
    expect(counts.strange).toBe(2);
  });

  test('everything else is 401 and says no more', async () => {
    const { payout, post, right, hints, counts } = await listening();
    const body = { event: 'e', data: { externalReference: payout('E1').reference } };
    const replies = [
      await post(body, {}),
      await post(body, { 'x-webhook-signature': '' }),
      await post(body, { 'x-webhook-signature': 'wrong' }),
      await post(body, { 'x-webhook-signature': `${right['x-webhook-signature']}x` }),
      await post(body, right, 'PUT'),
      await post('', right, 'GET'),
      await post('no JSON'),
      await post({ data: 1 }),
      await post(JSON.stringify({ ...body, more: 'x'.repeat(64 * 1024) })),
      await post('x'.repeat(1024 * 1024), {}),
    ];
    expect(replies).toEqual(replies.map(() => '401'));
    expect(hints()).toEqual([]);
    expect(counts.refused).toBe(replies.length);
  });

  test('half a request and a bad one harm nobody', async () => {
    const { port, honest } = await listening();
    const half = connect(port, '127.0.0.1');
    half.write(
      'POST / HTTP/1.1\r\nhost: x\r\nx-webhook-signature: whsec_of_a_test\r\ncontent-length: 1000\r\n\r\n{',
    );
    const bad = connect(port, '127.0.0.1');
    bad.end('\u0000\u0001\r\n\r\n');
    await once(bad.resume(), 'close');
    half.destroy();
    expect(await honest()).toBe('200');
  });

  test('takes the webhooks of the embedded service', async () => {
    const sandbox = await startSandbox({ settleAfterMs: 0 });
    onTestFinished(() => sandbox.close());
    const { payout, url, hints } = await listening(sandbox.webhookSecret);
    const caller = await callSandbox(sandbox);
    await caller.control('PUT', 'profile', { webhookUrl: url });
    await payBehind(caller, payout('E1'));
    await expect.poll(hints, { timeout: patienceMs }).toEqual([payout('E1').reference]);
  });
});

const unfinished = 'POST /hook HTTP/1.1\r\nhost: x\r\n';
const authentic = `${unfinished}x-webhook-signature: whsec_of_a_test\r\n`;

describe('who keeps the listener waiting', () => {
  test('gives it no more than these', async () => {
    const { server } = await listening();
    expect(server).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: 2_000,
      maxConnections: 200,
    });
  });

  test('without the secret is refused while the body is still to come, and is cut off', async () => {
    const { port, counts } = await listening();
    const bodies = ['content-length: 60000', 'content-length: 9000000000', 'transfer-encoding: chunked'];
    const secrets = ['', 'x-webhook-signature: wrong\r\n'];
    const heads = bodies.flatMap((body) => secrets.map((secret) => `${unfinished}${secret}${body}\r\n\r\n`));
    const clients = await Promise.all(heads.map(() => holdConnection(port)));
    for (const [index, client] of clients.entries()) client.write(heads[index] ?? '');
    const answers = await Promise.all(clients.map((client) => client.answer(patienceMs)));
    expect(answers).toEqual(heads.map(() => 'HTTP/1.1 401 Unauthorized'));
    expect(await Promise.all(clients.map((client) => client.isCutOff(patienceMs)))).toEqual(
      heads.map(() => true),
    );
    expect(counts.refused).toBe(heads.length);
  });

  test('with headers or a body that do not end, with silence, or after an answer, is cut off', async () => {
    const { server, port, honest } = await listening();
    server.headersTimeout = 300;
    server.requestTimeout = 600;
    server.keepAliveTimeout = 300;
    const slow = await holdSlowClients(port, { head: unfinished, bodyHead: authentic, first: 'GET /' });
    expect(slow.answer).toBe('HTTP/1.1 401 Unauthorized');
    expect(await honest()).toBe('200');
    // The times above, and the two seconds after which the server looks again.
    expect(await slow.areCutOff(patienceMs)).toEqual([true, true, true, true, true]);
  });

  test('with the secret and a body without end is refused and cut off', async () => {
    const { port, counts } = await listening();
    const client = await holdConnection(port);
    const piece = 'x'.repeat(16 * 1024);
    client.write(`${authentic}transfer-encoding: chunked\r\n\r\n`);
    client.drip(`${piece.length.toString(16)}\r\n${piece}\r\n`, 5);
    expect(await client.answer(patienceMs)).toBe('HTTP/1.1 401 Unauthorized');
    expect(await client.isCutOff(patienceMs)).toBe(true);
    expect(counts.refused).toBe(1);
  });

  test('with headers of more than 16 KB is refused', async () => {
    const { port, hints } = await listening();
    const client = await holdConnection(port);
    client.write(`${authentic}x-a: ${'a'.repeat(17 * 1024)}\r\ncontent-length: 0\r\n\r\n`);
    expect(await client.answer(patienceMs)).toBe('HTTP/1.1 400 Bad Request');
    expect(hints()).toEqual([]);
  });

  test('as one of a crowd is turned away, and an honest caller is heard when the crowd has gone', async () => {
    const { port, honest } = await listening();
    const crowd = await Promise.all(Array.from({ length: 200 }, () => holdConnection(port)));
    const above = await Promise.all(Array.from({ length: 20 }, () => holdConnection(port)));
    expect(await Promise.all(above.map((client) => client.isCutOff(patienceMs)))).toEqual(
      above.map(() => true),
    );
    expect(await Promise.all(crowd.map((client) => client.isCutOff(100)))).toEqual(crowd.map(() => false));
    await expect(honest()).rejects.toThrow();
    for (const client of crowd) client.leave();
    await vi.waitFor(async () => expect(await honest()).toBe('200'), patienceMs);
  });
});
