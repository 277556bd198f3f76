import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openHintBook } from '../../src/journal/hint-book.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';
import { createWebhookListener } from '../../src/pipeline/webhook-listener.ts';
import { startSandbox } from '../../src/sandbox/start-sandbox.ts';
import { payBehind } from '../cli/seeded-workspace.ts';
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
  const server = createWebhookListener(secret, openHintBook(db, journal, systemClock), counts);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
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
  return { db, payout, counts, port, url, post, right, hints };
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
    const { payout, port, post } = await listening();
    const half = connect(port, '127.0.0.1');
    half.write(
      'POST / HTTP/1.1\r\nhost: x\r\nx-webhook-signature: whsec_of_a_test\r\ncontent-length: 1000\r\n\r\n{',
    );
    const bad = connect(port, '127.0.0.1');
    bad.end('\u0000\u0001\r\n\r\n');
    await once(bad.resume(), 'close');
    half.destroy();
    expect(await post({ event: 'e', data: { externalReference: payout('E1').reference } })).toBe('200');
  });

  test('takes the webhooks of the embedded service', async () => {
    const sandbox = await startSandbox({ settleAfterMs: 0 });
    onTestFinished(() => sandbox.close());
    const { payout, url, hints } = await listening(sandbox.webhookSecret);
    const caller = await callSandbox(sandbox);
    await caller.control('PUT', 'profile', { webhookUrl: url });
    await payBehind(caller, payout('E1'));
    for (let tries = 0; tries < 100 && hints().length === 0; tries += 1) await systemClock.sleep(20);
    expect(hints()).toEqual([payout('E1').reference]);
  });
});
