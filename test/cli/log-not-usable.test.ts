import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runPayrun } from '../support/run-payrun.ts';

const file = join(process.cwd(), 'samples/payroll.csv');

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'payrun-log-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** They come to their end at all: what is connected to by then would keep the process. */
test('a run whose log cannot be used ends with 73: on the embedded service', async () => {
  const cwd = folder();
  expect((await runPayrun(['init', '--sandbox'], { cwd })).exit).toBe(0);
  mkdirSync(join(cwd, '.payrun/payrun.log'));
  const ended = await runPayrun(['run', file, '--sandbox', '--yes'], { cwd });
  expect(ended).toMatchObject({ exit: 73, stderr: expect.stringContaining('Nothing was sent') });
});

test('and where the service does not answer, which nobody waits for', async () => {
  const cwd = folder();
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const workspace = join(cwd, 'workspace');
  const access = {
    PAYRUN_BASE_URL: `http://127.0.0.1:${port}`,
    PAYRUN_API_KEY: 'sk',
    PAYRUN_PUBLIC_KEY: 'pk',
  };
  const env = { ...access, PAYRUN_WORKSPACE: workspace };
  expect((await runPayrun(['init'], { cwd, env })).exit).toBe(0);
  mkdirSync(join(workspace, 'payrun.log'));
  const ended = await runPayrun(['run', file, '--yes', '--max-total', 'KES=99999999'], { cwd, env });
  expect(ended).toMatchObject({ exit: 73, stderr: expect.stringContaining('Nothing was sent') });
});
