import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseFaultPlan } from '../../src/sandbox/faults/fault-plan.ts';
import { startSandbox } from '../../src/sandbox/start-sandbox.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { callSandbox } from '../support/sandbox-caller.ts';

const payout = (reference: string, amount: number, ending = '12345') => ({
  amount,
  currency: 'KES',
  country: 'KE',
  destination: 'MoMo',
  externalReference: reference,
  payoutMethod: { accountName: 'Amina Otieno', accountNumber: `+2547123${ending}` },
});

describe('the sandbox', () => {
  test('shows an accepted payout in look-ups even when the clock went back', async () => {
    const clock = fakeClock();
    const sandbox = await startSandbox({ clock });
    const caller = await callSandbox(sandbox);
    expect((await caller.post('/fiat/payout', payout('one', 100))).status).toBe(200);
    clock.setWall(clock.nowMs() - 60_000);
    expect((await caller.get('/transactions?externalReference=one')).body.data).toHaveLength(1);
    expect((await caller.get('/transactions/one')).status).toBe(200);
    await sandbox.close();
  });

  test('carries out after downtime what fell due, in the order of its times', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'payrun-downtime-'));
    const statePath = join(folder, 'sandbox.db');
    const clock = fakeClock();
    const faults = parseFaultPlan('late-landing=1,late-by=1s,on=createPayout', '1');
    const first = await startSandbox({ clock, statePath, faults, settleAfterMs: 1_000 });
    const caller = await callSandbox(first);
    const all = 65_000_000;
    // A lands after one second with all the money and fails after two; B lands after three and needs it.
    await caller.post('/fiat/payout', payout('A', all, '99001')).catch(() => undefined);
    await caller.control('PUT', 'faults', { plan: 'late-landing=1,late-by=3s,on=createPayout' });
    await caller.post('/fiat/payout', payout('B', all)).catch(() => undefined);
    await first.close();
    clock.setWall(clock.nowMs() + 60_000);

    const second = await startSandbox({ clock, statePath, settleAfterMs: 1_000 });
    const { body } = await (await callSandbox(second)).control('GET', 'transactions');
    expect(
      body.data.map((each: Record<string, string>) => [each['externalReference'], each['status']]),
    ).toEqual([
      ['A', 'FAILED'],
      ['B', 'SUCCESSFUL'],
    ]);
    await second.close();
    rmSync(folder, { recursive: true });
  });

  test('delivers a webhook again although the resend was asked for during a delivery', async () => {
    let release = () => {};
    let seen = 0;
    const receiver = createServer((_request, response) => {
      seen += 1;
      if (seen > 1) return void response.end();
      release = () => response.end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const sandbox = await startSandbox({ webhookUrl, settleAfterMs: 600_000 });
    const caller = await callSandbox(sandbox);
    await caller.post('/fiat/payout', payout('one', 100));
    await expect.poll(() => seen).toBe(1);
    const [record] = (await caller.get('/webhooks')).body.data;
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await caller.post(`/webhooks/${record.id}/resend`, {})).status).toBe(200);
    release();
    await expect.poll(() => seen).toBe(2);
    await sandbox.close();
    receiver.closeAllConnections();
    receiver.close();
  });

  test('answers an ordered failure of the token exchange', async () => {
    const sandbox = await startSandbox();
    const caller = await callSandbox(sandbox);
    await caller.control('POST', 'answers', {
      endpoint: 'exchangeToken',
      errorCode: 'E-GEN.S-29',
      retryAfter: '7',
    });
    const refused = await fetch(`${sandbox.url}/api/b2b/auth/generate-bearer-token`, {
      method: 'POST',
      headers: { 'api-key': sandbox.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ publicKey: sandbox.publicKey }),
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7']);
    await sandbox.close();
  });
});
