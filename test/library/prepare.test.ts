import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openPayrun } from '../../src/index.ts';
import { journalPath } from '../../src/workspace.ts';

/** A service that lets nobody in, and what it was asked. */
async function closedService() {
  const asked: string[] = [];
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    response.writeHead(401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function openedAt(baseUrl: string, apiKey: string) {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-prepare-'));
  const workspace = join(folder, 'workspace');
  const payrun = openPayrun({ workspace, service: { baseUrl, publicKey: 'pk_test', apiKey } });
  onTestFinished(async () => {
    await payrun.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return payrun;
}

test('a token is asked for before there is a file', async () => {
  const { baseUrl, asked } = await closedService();
  const payrun = openedAt(baseUrl, 'sk_test');
  await payrun.init();
  expect(asked).toEqual([]);
  await payrun.prepare();
  await expect.poll(() => asked).toEqual(['POST /api/b2b/auth/generate-bearer-token']);
});

test('nothing is asked of a service where the journal cannot be opened', async () => {
  const { baseUrl, asked } = await closedService();
  const payrun = openedAt(baseUrl, 'sk_test');
  // What asks is loaded by then.
  await payrun.prepare();
  await expect.poll(() => asked.length).toBe(1);
  await payrun.close();
  writeFileSync(journalPath(payrun.workspace, 'live'), 'no journal');
  const again = openPayrun({
    workspace: payrun.workspace,
    service: { baseUrl, publicKey: 'pk_test', apiKey: 'sk_test' },
  });
  await expect(again.prepare()).rejects.toMatchObject({ code: 'journal-unreadable' });
  // Time enough for what would be asked.
  await wait(500);
  await again.close();
  expect(asked).toHaveLength(1);
});

test('what is wrong with the service is told by the run, not by what comes before it', async () => {
  const { baseUrl, asked } = await closedService();
  const payrun = openedAt(baseUrl, 'no key');
  await payrun.prepare();
  await expect(payrun.run('samples/payroll.csv')).rejects.toMatchObject({ code: 'invalid-key', exit: 78 });
  const refused = openedAt(baseUrl, 'sk_test');
  await refused.prepare();
  await expect(refused.run('samples/payroll.csv')).rejects.toMatchObject({ exit: 77 });
  expect(new Set(asked)).toEqual(new Set(['POST /api/b2b/auth/generate-bearer-token']));
});
