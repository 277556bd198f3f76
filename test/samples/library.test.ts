import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const project = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  /** Of one that ends with another exit code than 0. */
  readonly code?: number;
}

function ended(name: string, ...args: string[]): Promise<Ended> {
  const words = [join(project, 'samples/library', name), ...args];
  return run(process.execPath, words, { cwd: project }).catch((error: Ended) => error);
}

/** What an example prints, whatever it ends with. */
async function printed(name: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await ended(name, ...args);
  expect(stderr).toBe('');
  return stdout;
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

test('the example that decides says what to do first where there is no batch yet', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-library-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const first = `Pay a file first: node samples/library/pay-a-file.mjs samples/magic.csv ${folder}\n`;

  const nowhere = await ended('decide.mjs', 'magic', folder);
  expect(nowhere).toMatchObject({ code: 78, stdout: '' });
  expect(nowhere.stderr).toMatch(/^no-journal: [^\n]*\n[^\n]*\n$/);
  expect(nowhere.stderr.endsWith(first)).toBe(true);

  await printed('watch-events.mjs', 'samples/payroll.csv', folder);
  const unknown = await ended('decide.mjs', 'magic', folder);
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toMatch(/^batch-unknown: [^\n]*\n/);
  expect(unknown.stderr.endsWith(first)).toBe(true);
});
