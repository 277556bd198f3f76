import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePayroll } from './make-payroll.ts';

/**
 * Peak memory of validate and plan on a large file against that on a small one. The program runs as users run it, in
 * a process of its own each time, which says itself how much memory it ever held.
 */
const small = Number(process.env['SMALL_ROWS'] ?? 10_000);
const large = Number(process.env['LARGE_ROWS'] ?? 1_000_000);
const most = 1.5;

const folder = mkdtempSync(join(tmpdir(), 'payrun-memory-'));
const tell = `data:text/javascript,process.on('exit',()=>process.stderr.write(JSON.stringify({peak:process.resourceUsage().maxRSS})))`;
try {
  const files = { [small]: join(folder, 'small.csv'), [large]: join(folder, 'large.csv') };
  for (const [rows, path] of Object.entries(files)) await makePayroll(path, Number(rows));
  let flat = true;
  for (const command of ['validate', 'plan']) {
    const [one, other] = [small, large].map((rows) => measure(command, files[rows] ?? '', rows));
    const ratio = (other ?? 0) / (one ?? 1);
    flat &&= ratio <= most;
    process.stdout.write(`${command}: ${ratio.toFixed(2)} times, at most ${most} allowed\n`);
  }
  process.exitCode = flat ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function measure(command: string, path: string, rows: number): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', tell, 'dist/command/payrun.js', command, path],
    {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const seconds = (performance.now() - begun) / 1000;
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
  const { peak } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}') as { peak: number };
  process.stdout.write(
    `${command} ${rows} rows: ${Math.round(peak / 1024)} MiB, ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows/s\n`,
  );
  return peak;
}
