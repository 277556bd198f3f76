import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runCommand } from '../../../src/cli/run-command.ts';
import { makeWorkspace } from '../../../src/workspace.ts';

test('under --json-lines what is said of the settings, and of a wrong flag, is JSON as well', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-'));
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => {
    write.mockRestore();
    vi.unstubAllEnvs();
    process.exitCode = undefined;
    rmSync(folder, { recursive: true });
  });
  const key = join(folder, 'key');
  writeFileSync(key, 'secret', { mode: 0o644 });
  vi.stubEnv('PAYRUN_BASE_URL', 'http://pay.example');
  vi.stubEnv('PAYRUN_PUBLIC_KEY', 'pk');
  vi.stubEnv('PAYRUN_API_KEY', 'secret');
  vi.stubEnv('PAYRUN_API_KEY_FILE', key);
  const workspace = join(folder, 'workspace');
  makeWorkspace(workspace);
  const file = join(folder, 'a.csv');
  writeFileSync(
    file,
    'paymentId,accountName,country,currency,amount,phoneNumber\nP1,Ann Otieno,KE,KES,1,0712345678\n',
  );
  await runCommand(['run', file, '--workspace', workspace, '--yes', '--max-total', 'KES=9', '--json-lines']);
  await runCommand(['run', file, '--workspace', workspace, '--json-lines=true', '--no-such-flag']);
  const said = write.mock.calls.map(
    ([text]) => JSON.parse(String(text)) as { kind: string; message?: string },
  );
  expect(said.map(({ kind }) => kind)).toEqual(['begins', 'notice', 'notice', 'error', 'error']);
  expect(said[1]?.message).toContain('are both set');
  expect(said[2]?.message).toContain('can be read by others');
});
