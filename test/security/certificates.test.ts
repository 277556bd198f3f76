import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as passOn } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, rootCertificates } from 'node:tls';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectService } from '../../src/service/client.ts';
import { trustedAuthorities } from '../../src/service/trusted-authorities.ts';
import { employee, enrolStaff, openPayroll } from '../support/pay-run.ts';
import { type PayrollService, startPayrollService } from '../support/payroll-service.ts';
import { hasOpenssl, selfSigned } from '../support/self-signed.ts';

const keys = { apiKey: 'key-of-a-test-1234', publicKey: 'public-key-of-a-test', version: 'test' };
const once1 = { readRetry: { attempts: 1, totalMs: 10 } };

describe.skipIf(!hasOpenssl())('A certificate', () => {
  test('that nobody vouches for is refused, whatever the environment says', async () => {
    const { url, seen } = await secured(selfSigned());
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());

    expect(await profileFrom(url)).toMatchObject({
      kind: 'try_later',
      cause: expect.stringContaining('SELF_SIGNED'),
    });
    expect(await profileFrom(url, selfSigned().cert)).toMatchObject({ kind: 'try_later', sent: false });
    expect(seen).toEqual([]);
  });

  test('of an authority that a person named is accepted, for its own host alone', async () => {
    const certificate = selfSigned();
    const { url, seen } = await secured(certificate);
    await profileFrom(url, certificate.cert);
    expect(seen).toEqual(['/api/b2b/auth/generate-bearer-token']);

    const another = selfSigned('DNS:pay.example.com');
    const elsewhere = await secured(another);
    expect(await profileFrom(elsewhere.url, another.cert)).toMatchObject({ kind: 'try_later', sent: false });
    expect(elsewhere.seen).toEqual([]);
  });

  test('of a named authority comes beside the others, not instead of them', () => {
    const { cert } = selfSigned();
    const all = trustedAuthorities(cert);
    expect(all).toContain(cert);
    expect(all).toEqual(expect.arrayContaining([...rootCertificates]));
    expect(() => createSecureContext({ ca: [...all] })).not.toThrow();
  });
});

describe.skipIf(!hasOpenssl())('PAYRUN_CA_FILE', () => {
  test('names the authority of a private service; without it nothing is told to that service', async () => {
    const service = await startPayrollService();
    const certificate = selfSigned();
    const { url, seen } = await secured(certificate, service);
    const payroll = openPayroll({ ...service, url });
    const rows = [employee(1)];
    await enrolStaff(service, rows);
    payroll.write('november.csv', rows);
    const paying = ['run', 'november.csv', '--yes', '--max-total', 'KES=5000', '--json'];
    const careless = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };

    const refused = await payroll.payrun(paying, careless);
    expect(refused.exit).toBe(69);
    expect(refused.stderr).toContain('PAYRUN_CA_FILE');
    expect(refused.stderr).not.toContain('Warning');
    expect(seen).toEqual([]);

    const file = join(folder(), 'ca.pem');
    writeFileSync(file, `# our own authority\n${certificate.cert}`, { mode: 0o600 });
    const paid = await payroll.payrun(paying, { ...careless, PAYRUN_CA_FILE: file });
    expect([paid.exit, paid.stderr]).toEqual([0, expect.stringContaining('LIVE')]);
    expect(await service.sums()).toEqual(['+254712000101 1001.00']);
  });

  test('that is missing, empty, too large, open to all or no certificate is refused (78)', async () => {
    const service = await startPayrollService();
    const payroll = openPayroll(service);
    payroll.write('november.csv', [employee(1)]);
    const { cert, key } = selfSigned();
    const place = folder();
    const files: Record<string, string> = {
      'none.pem': '',
      'text.pem': 'sk_live_not_a_certificate',
      'key.pem': key,
      'broken.pem': cert.replace(/\n[^-\n]{20}/, '\n'),
      'large.pem': `${cert}${'#'.repeat(2_000_000)}`,
      'open.pem': cert,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
    chmodSync(join(place, 'open.pem'), 0o666);
    for (const name of [...Object.keys(files), 'missing.pem']) {
      const file = join(place, name);
      const ran = await payroll.payrun(['plan', 'november.csv', '--json'], { PAYRUN_CA_FILE: file });
      expect([name, ran.exit]).toEqual([name, 78]);
      expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: 'ca-file-invalid', exit: 78 } });
      expect(ran.stderr).toContain('PAYRUN_CA_FILE');
      expect(`${ran.stdout}${ran.stderr}`).not.toContain('sk_live');
    }
  });
});

async function profileFrom(baseUrl: string, authorities?: string) {
  const client = connectService({ baseUrl, ...keys, ...once1, ...(authorities && { authorities }) });
  onTestFinished(() => client.close());
  return client.readUser();
}

/** A server with a certificate, which passes on what it is asked where there is a service behind it. */
async function secured(certificate: { key: string; cert: string }, behind?: PayrollService) {
  const seen: string[] = [];
  const server = createServer(certificate, (request, response) => {
    seen.push(request.url ?? '');
    if (!behind) return void response.end('{}');
    const { method, headers } = request;
    const passed = passOn(`${behind.url}${request.url}`, { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    request.pipe(passed);
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'payrun-ca-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}
