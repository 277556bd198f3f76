import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { planSchema } from '../../src/report/plan-document.ts';
import { runPayrun } from '../support/run-payrun.ts';
import { spawnPayrollService } from '../support/service-process.ts';

const people = [
  ['Mary Wanjiku', '+254712000001'],
  ['Peter Mutua', '+254712000002'],
  ['Amina Hassan', '+254712000003'],
] as const;

/** Stands before the service, passes everything on and writes down what was asked. */
async function recordingProxy(target: string): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(async (request, reply) => {
    asked.push(`${request.method} ${request.url?.split('?')[0]}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.entries(request.headers).filter(([name]) => !hopHeaders.has(name));
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers.map(([name, value]) => [name, String(value)] as [string, string]),
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    reply.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    reply.end(Buffer.from(await answer.arrayBuffer()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const hopHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'expect',
]);

test('a plan with names looked at makes only reads, and leaves nothing at the service', async () => {
  const service = await spawnPayrollService('on');
  const proxy = await recordingProxy(service.url);
  await service.enrol(people.map(([name, number]) => ({ name, number })));
  const state = async () => ({
    accounts: (await service.caller.get('/external-accounts')).body,
    transactions: await service.control('GET', 'transactions'),
    user: (await service.caller.get('/users')).body,
    books: await service.books(),
  });
  const before = await state();
  expect(before).toMatchObject({ accounts: { success: true, data: [] }, user: { success: true }, books: [] });

  const folder = mkdtempSync(join(tmpdir(), 'payrun-writes-nothing-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const rows = people.map(([name, number], index) => `E${index + 1},${name},KE,KES,1000.00,${number}`);
  const head = 'paymentId,accountName,country,currency,amount,phoneNumber';
  writeFileSync(join(folder, 'november.csv'), `${[head, ...rows].join('\n')}\n`);
  const { exit, stdout } = await runPayrun(['plan', 'november.csv', '--check-names', '--json'], {
    cwd: folder,
    env: {
      PAYRUN_BASE_URL: proxy.url,
      PAYRUN_API_KEY: service.apiKey,
      PAYRUN_PUBLIC_KEY: service.publicKey,
    },
  });
  expect(exit, stdout).toBe(0);
  const plan = planSchema.parse(JSON.parse(stdout));
  expect(plan.names).toMatchObject({ match: 3, close: 0, mismatch: 0, unchecked: 0, noAccount: 0 });
  expect(plan.payees).toEqual({ known: 0, new: 3 });
  expect(plan.funds?.[0]).toMatchObject({ needed: '3000.00' });

  const writes = proxy.asked.filter((request) => !request.startsWith('GET '));
  const allowed = /^POST \/api\/b2b\/(auth\/generate-bearer-token|\S*resolve\S*)$/;
  expect(writes.filter((request) => !allowed.test(request))).toEqual([]);
  expect(proxy.asked.filter((request) => request.includes('resolve'))).toHaveLength(3);
  expect(proxy.asked.some((request) => request.includes('external-account'))).toBe(true);
  expect(await state()).toEqual(before);
  expect(await service.payouts()).toEqual([]);
});
