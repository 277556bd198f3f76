import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';

/**
 * Payouts per second of the sandbox against requests per second of a bare node:http server that echoes the same body.
 * Both are processes of their own; rounds alternate, and the figure is the median of the ratios of neighbouring
 * rounds, because an absolute number says more about the machine than about us.
 */
const rounds = Number(process.env['ROUNDS'] ?? 9);
const roundMs = Number(process.env['ROUND_MS'] ?? 2000);
const connections = 32;

const folder = mkdtempSync(join(tmpdir(), 'payrun-bench-'));
const echo = await start(['bench/echo-server.mjs']);
const sandbox = await start([
  'dist/command/payrun.js',
  'sandbox',
  '--json',
  '--port',
  '0',
  '--workspace',
  folder,
]);
try {
  const { url, apiKey, publicKey } = JSON.parse(sandbox.firstLine) as Record<string, string>;
  const sandboxPool = new Pool(url ?? '', { connections });
  const echoPool = new Pool(echo.firstLine, { connections });
  const { token } = await call(
    sandboxPool,
    '/api/b2b/auth/generate-bearer-token',
    { 'api-key': apiKey ?? '' },
    { publicKey },
  );
  const headers = { authorization: `Bearer ${token}` };
  const account = await call(sandboxPool, '/api/b2b/external-accounts', headers, {
    country: 'KE',
    currency: 'KES',
    type: 'momo',
    payload: { firstName: 'Amina', lastName: 'Otieno', phoneNumber: '+254712345678', destination: 'MoMo' },
  });
  const externalAccountId = (account['data'] as { id: string }).id;
  let sent = 0;
  const body = () => ({
    amount: 1.01,
    currency: 'KES',
    country: 'KE',
    destination: 'MoMo',
    externalReference: `bench-${sent++}`,
    externalAccountId,
  });
  const payout = () => call(sandboxPool, '/api/b2b/fiat/payout', headers, body());
  const echoed = () => call(echoPool, '/api/b2b/fiat/payout', headers, body());

  const ratios: number[] = [];
  await measure(payout);
  await measure(echoed);
  for (let round = 1; round <= rounds; round += 1) {
    const bare = await measure(echoed);
    const paid = await measure(payout);
    ratios.push(paid / bare);
    console.log(
      `round ${round}: echo ${bare.toFixed(0)}/s, payouts ${paid.toFixed(0)}/s, ratio ${(paid / bare).toFixed(2)}`,
    );
  }
  ratios.sort((a, b) => a - b);
  console.log(
    `median ratio ${ratios[Math.floor(ratios.length / 2)]?.toFixed(2)} over ${rounds} rounds (wanted: at least 0.30)`,
  );
  await Promise.all([sandboxPool.close(), echoPool.close()]);
} finally {
  echo.child.kill();
  sandbox.child.kill();
  await once(sandbox.child, 'exit');
  rmSync(folder, { recursive: true, force: true });
}

async function start(args: string[]): Promise<{ child: ChildProcess; firstLine: string }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [firstLine] = (await once(lines, 'line')) as [string];
  return { child, firstLine };
}

async function call(
  pool: Pool,
  path: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<Record<string, unknown>> {
  const reply = await pool.request({
    path,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const value = (await reply.body.json()) as Record<string, unknown>;
  if (reply.statusCode !== 200)
    throw new Error(`${path} answered ${reply.statusCode}: ${JSON.stringify(value)}`);
  return value;
}

async function measure(request: () => Promise<unknown>): Promise<number> {
  const begunMs = performance.now();
  let done = 0;
  const worker = async () => {
    while (performance.now() - begunMs < roundMs) {
      await request();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return done / ((performance.now() - begunMs) / 1000);
}
