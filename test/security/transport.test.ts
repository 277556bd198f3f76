import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectService } from '../../src/service/client.ts';

const keys = { apiKey: 'key-of-a-test-1234', publicKey: 'public-key-of-a-test', version: 'test' };

describe('credentials travel', () => {
  test.each([
    'http://pay.example.com',
    'http://10.0.0.1',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'http://[::ffff:10.0.0.1]',
    'http://0.0.0.0',
    'http://2130706434.example',
    'ftp://127.0.0.1',
    'https://user:secret@pay.example.com',
  ])('not to %s', (baseUrl) => {
    expect(() => connectService({ baseUrl, ...keys })).toThrow(expect.objectContaining({ exit: 78 }));
    expect(() => connectService({ baseUrl, ...keys })).not.toThrow(/secret/);
  });

  test.each([
    'https://pay.example.com',
    'http://127.0.0.1:1',
    'http://localhost:1',
    'http://[::1]:1',
    'http://127.1:1',
  ])('to %s', async (baseUrl) => {
    await connectService({ baseUrl, ...keys }).close();
  });

  test('never to where a redirect points, whatever its kind', async () => {
    const decoyed: string[] = [];
    const decoy = await listening((path) => {
      decoyed.push(path);
      return [200, {}];
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const service = await listening(() => [status, { location: `${decoy}/api/b2b/users` }]);
      const client = connectService({ baseUrl: service, ...keys, readRetry: { attempts: 1, totalMs: 10 } });
      const outcome = await client.readUser();
      expect(outcome.kind).not.toBe('ok');
      await client.close();
    }
    expect(decoyed).toEqual([]);
  });
});

async function listening(
  answer: (path: string) => readonly [number, Readonly<Record<string, string>>],
): Promise<string> {
  const server = createServer((request, response) => {
    const [status, headers] = answer(request.url ?? '');
    response.writeHead(status, headers).end('{"success":true}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
