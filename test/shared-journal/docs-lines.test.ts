import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { findPostgres } from '../support/postgres.ts';
import { payrunPath } from '../support/run-payrun.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'docs/shared-journal.md'), 'utf8');

/** All lines of the page that are meant to be typed and can be: without a machine of somebody else's. */
function linesOf(): string[] {
  return [...page.matchAll(/<!-- run -->\n\n((?: {4}.*\n)+)\n<!-- end -->/g)]
    .flatMap(([, block = '']) => block.trimEnd().split('\n'))
    .map((line) => line.trim());
}

test('every line of docs/shared-journal.md does what the page says', async () => {
  const programs = findPostgres() ?? '';
  const asRoot = process.getuid?.() === 0;
  const folder = mkdtempSync(join(tmpdir(), 'payrun-lines-'));
  mkdirSync(join(folder, 'samples'));
  copyFileSync(join(root, 'samples/payroll.csv'), join(folder, 'samples/payroll.csv'));
  if (asRoot) spawnSync('chown', ['postgres', folder]);
  const port = String(await freePort());
  const env: Record<string, string> = { PATH: `${programs}:${process.env['PATH']}`, HOME: folder, TZ: 'UTC' };
  const shell = (line: string) => {
    const isServer = asRoot && !line.startsWith('payrun');
    const [command = '', ...rest] = isServer
      ? ['runuser', '-u', 'postgres', '--', 'env', `PATH=${env['PATH']}`, 'bash', '-c', line]
      : ['bash', '-c', line.replace(/^payrun /, `${process.execPath} ${payrunPath} `)];
    return spawnSync(command, rest, {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  onTestFinished(() => {
    shell('pg_ctl -D trial-pg -m immediate stop');
    rmSync(folder, { recursive: true, force: true });
  });
  const said: string[] = [];
  for (const written of linesOf()) {
    const line = written.replaceAll('5433', port).replace('-k /tmp', `-k ${folder}`);
    const exported = /^export (\w+)=(.*)$/.exec(line);
    if (exported) {
      env[exported[1] ?? ''] = exported[2] ?? '';
      continue;
    }
    const { status, stdout, stderr } = shell(line.replace(/-w start$/, '-w start > /dev/null 2>&1'));
    expect([written, status, stderr.replace(/^[A-Z]+\n$/, '')]).toEqual([written, 0, expect.any(String)]);
    said.push(stdout);
  }
  expect(said.join('')).toContain('all 12 paid');
  expect(said.at(-1)).toContain('No findings.');
  expect(said.at(-1)).toContain('12 payouts of 1 batch');

  // The role that was granted little pays, and cannot rewrite what was logged.
  env['PAYRUN_JOURNAL_URL'] = `postgres://clerk@127.0.0.1:${port}/payrun`;
  const again = shell('payrun run samples/payroll.csv --sandbox --yes --batch second --allow-repeats 12');
  expect([again.status, again.stderr]).toEqual([0, expect.any(String)]);
  for (const statement of [
    `UPDATE events SET why = 'x'`,
    'DELETE FROM events',
    'DELETE FROM sends',
    'DELETE FROM payouts',
    'UPDATE known_transactions SET payout = 1',
    'DROP TABLE hints',
  ]) {
    const line = `psql -h 127.0.0.1 -p ${port} -U clerk payrun -c "SET search_path = payrun_sandbox; ${statement}"`;
    expect([statement, shell(line).status]).toEqual([statement, 1]);
  }
});
