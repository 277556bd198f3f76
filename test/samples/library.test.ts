import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const project = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** What an example prints, whatever it ends with. */
async function printed(name: string, ...args: string[]): Promise<string> {
  const words = [join(project, 'samples/library', name), ...args];
  const ended = await run(process.execPath, words, { cwd: project }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  expect(ended.stderr).toBe('');
  return ended.stdout;
}

test('the examples pay a file, watch it, and decide about what is held', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-library-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const workspace = join(folder, 'workspace');

  expect(await printed('pay-a-file.mjs', 'samples/payroll.csv', workspace)).toMatch(
    /^payroll: 12 paid, 0 held, results in /,
  );
  expect(await printed('watch-events.mjs', 'samples/payroll.csv', workspace)).toMatch(/^ran: .*12 paid/);

  expect(await printed('pay-a-file.mjs', 'samples/magic.csv', workspace)).toMatch(/^magic: \d+ paid, [1-9]/);
  const [held, released, now] = (await printed('decide.mjs', 'magic', workspace))
    .split('\n')
    .map(Number.parseFloat);
  expect(released).toBeGreaterThan(0);
  expect(now).toBe((held ?? 0) - (released ?? 0));
});
