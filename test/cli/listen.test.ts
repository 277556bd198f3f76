import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { startSandbox } from '../../src/sandbox/start-sandbox.ts';
import { spawnPayrun } from '../support/run-payrun.ts';
import { callSandbox } from '../support/sandbox-caller.ts';
import { payBehind, type SeededWorkspace, seededWorkspace } from './seeded-workspace.ts';

const secret = 'whsec_of_a_test';

async function listening(
  workspace: SeededWorkspace,
  env: Record<string, string> = { PAYRUN_WEBHOOK_SECRET: secret },
) {
  const child = spawnPayrun(['listen', '--port', '0', '--json'], {
    cwd: workspace.folder,
    env: { ...workspace.env, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const post = (
    body: unknown,
    headers: Record<string, string> = { 'x-webhook-signature': secret },
    method = 'POST',
  ) =>
    fetch(`${url}/hook`, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return { child, url, post, ended: () => endOf(child) };
}

async function endOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.kill('SIGTERM');
  const [exit] = await once(child, 'close');
  return `${exit} ${said}`;
}

describe('payrun listen', () => {
  test('an authentic webhook leaves a hint for a payout that is known, and nothing moves', async () => {
    const workspace = await seededWorkspace([
      { key: 'E1', state: 'submitted', changes: { transactionId: 'T1' } },
      { key: 'E2', state: 'submitted', changes: { transactionId: 'T2' } },
    ]);
    const { post, ended } = await listening(workspace);
    const { reference } = workspace.payout('E1');
    const before = workspace.db.prepare('SELECT * FROM payouts').all();
    const known = {
      event: 'transaction_updated',
      data: { externalReference: reference.toUpperCase(), status: 'successful' },
    };
    const reply = await post(known);
    expect([reply.status, await reply.text()]).toEqual([200, '']);
    expect(
      (await post({ event: 'transaction_updated', data: { transactionId: 'T2', status: 'failed' } })).status,
    ).toBe(200);
    expect(
      (await post({ event: 'transaction_updated', data: { externalReference: 'a stranger’s' } })).status,
    ).toBe(200);
    const hints = workspace.db.prepare('SELECT reference FROM hints').pluck().all().sort();
    expect(hints).toEqual([reference, workspace.payout('E2').reference].sort());
    expect(workspace.db.prepare('SELECT * FROM payouts').all()).toEqual(before);
    expect(await ended()).toContain('0 2 hints taken, 1 about payouts of others, 0 refused');
  });

  test('everything else is 401 and says no more', async () => {
    const workspace = await seededWorkspace([{ key: 'E1' }]);
    const { post, ended } = await listening(workspace);
    const body = { event: 'e', data: { externalReference: workspace.payout('E1').reference } };
    const replies = [
      await post(body, {}),
      await post(body, { 'x-webhook-signature': 'wrong' }),
      await post(body, { 'x-webhook-signature': `${secret}x` }),
      await post(body, { 'x-webhook-signature': secret }, 'PUT'),
      await post('', { 'x-webhook-signature': secret }, 'GET'),
      await post('no JSON'),
      await post({ data: 1 }),
      await post('x'.repeat(65 * 1024)),
      await post('x'.repeat(2 * 1024 * 1024), {}),
    ];
    for (const reply of replies) expect([reply.status, await reply.text()]).toEqual([401, '']);
    expect(workspace.db.prepare('SELECT count(*) FROM hints').pluck().get()).toBe(0);
    expect(await ended()).toContain(`${replies.length} refused`);
  });

  test('half a request and a bad one harm nobody', async () => {
    const workspace = await seededWorkspace([{ key: 'E1' }]);
    const { url, post, ended } = await listening(workspace);
    const { port } = new URL(url);
    const half = connect(Number(port), '127.0.0.1');
    half.write(
      `POST / HTTP/1.1\r\nhost: x\r\nx-webhook-signature: ${secret}\r\ncontent-length: 1000\r\n\r\n{`,
    );
    const bad = connect(Number(port), '127.0.0.1');
    bad.end('\u0000\u0001\r\n\r\n');
    await once(bad.resume(), 'close');
    half.destroy();
    expect(
      (await post({ event: 'e', data: { externalReference: workspace.payout('E1').reference } })).status,
    ).toBe(200);
    expect(await ended()).toMatch(/^0 1 hint taken/);
  });

  test('takes the webhooks of the embedded service, with the secret from a file', async () => {
    const workspace = await seededWorkspace([
      { key: 'E1', state: 'submitted', changes: { transactionId: 'T1' } },
    ]);
    const sandbox = await startSandbox({ settleAfterMs: 0 });
    onTestFinished(() => sandbox.close());
    const file = `${workspace.folder}/secret`;
    writeFileSync(file, `${sandbox.webhookSecret}\n`);
    const { url } = await listening(workspace, { PAYRUN_WEBHOOK_SECRET_FILE: file });
    const caller = await callSandbox(sandbox);
    await caller.control('PUT', 'profile', { webhookUrl: url });
    await payBehind(caller, workspace.payout('E1'));
    const hinted = () => workspace.db.prepare('SELECT reference FROM hints').pluck().all();
    for (let tries = 0; tries < 50 && hinted().length === 0; tries += 1) await systemClock.sleep(50);
    expect(hinted()).toEqual([workspace.payout('E1').reference]);
  });

  test('without a secret it does not start', async () => {
    const { payrun, folder } = await seededWorkspace([{ key: 'E1' }]);
    expect((await payrun(['listen', '--port', '0'])).exit).toBe(78);
    expect((await payrun(['listen', '--port', '0'], { PAYRUN_WEBHOOK_SECRET: 'short' })).exit).toBe(78);
    expect((await payrun(['listen'], { PAYRUN_WEBHOOK_SECRET_FILE: `${folder}/none` })).exit).toBe(78);
    expect((await payrun(['listen', '--port', 'many'], { PAYRUN_WEBHOOK_SECRET: secret })).exit).toBe(2);
  });
});
